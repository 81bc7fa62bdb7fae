"""The first process of an emulated sandbox: starts commands, moves files, reaps orphans, and ends with the emulator.

Being PID 1 it is out of reach of every signal from inside, `kill -9 -1` included.
"""

import ctypes
import signal
import threading

import files
import processes
import watches
import wire

PR_SET_DUMPABLE = 4


def main():
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # its descriptors are no one else's, unless the host is root
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=processes.reap_all, daemon=True).start()
    while True:
        frame = wire.receive()
        if frame is None:
            return
        serve(*frame)


def serve(head, body):
    """What is quick, or must keep its order, is done at once; what touches files has a thread of its own."""
    op = head["op"]
    if op == "hello":
        wire.send({"id": head["id"]})
    elif op in processes.OPERATIONS:
        answer(head, body, processes.OPERATIONS[op])
    else:
        operation = files.OPERATIONS.get(op) or watches.OPERATIONS[op]
        threading.Thread(target=answer, args=(head, body, operation), daemon=True).start()


def answer(head, body, operation):
    try:
        operation(head, body, lambda reply=None, data=b"": wire.send({"id": head["id"], **(reply or {})}, data))
    except Exception as error:
        code = getattr(error, "code", None) or files.code_of(error)
        wire.send({"id": head["id"], "error": {"code": code, "message": str(error)}})


main()
