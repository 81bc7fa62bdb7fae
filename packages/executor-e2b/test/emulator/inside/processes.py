"""Commands: started, fed, listened to, signalled, and reaped with all that they leave behind."""

import os
import queue
import signal
import subprocess
import threading

import files
import wire

PIECE = 32 * 1024

_lock = threading.Lock()
_started = threading.Event()
_processes = {}


class Process:
    def __init__(self, head):
        streams = subprocess.PIPE
        self.popen = subprocess.Popen(
            [head["cmd"], *head["args"]],
            cwd=head["cwd"],
            env=head["env"],
            stdin=streams if head["stdin"] else subprocess.DEVNULL,
            stdout=streams,
            stderr=streams,
            bufsize=0,
        )
        self.pid = self.popen.pid
        self.flows = threading.Event()
        self.flows.set()
        self.inputs = queue.Queue() if head["stdin"] else None
        self.awaited = {"stdout", "stderr", "exit"}
        self.status = None

    def listen(self):
        for name in ("stdout", "stderr"):
            threading.Thread(target=self._relay, args=(name, getattr(self.popen, name)), daemon=True).start()
        if self.inputs is not None:
            threading.Thread(target=self._feed, daemon=True).start()

    def _relay(self, name, pipe):
        while True:
            self.flows.wait()
            piece = os.read(pipe.fileno(), PIECE)
            if not piece or not self.awaited:
                break
            wire.send({"event": "output", "pid": self.pid, "stream": name}, piece)
        pipe.close()
        self.done(name)

    def _feed(self):
        """One write after the other; a process that does not read blocks the rest, and the closing too."""
        pipe = self.popen.stdin
        while True:
            data, reply = self.inputs.get()
            try:
                if data is None:
                    pipe.close()
                    return reply()
                view = memoryview(data)
                while view:
                    view = view[os.write(pipe.fileno(), view) :]
                reply()
            except (OSError, ValueError) as error:
                reply({"error": {"code": "internal", "message": "error writing to stdin: %s" % error}})

    def done(self, what):
        """The end is told once the process has ended and nobody holds its output any more."""
        with _lock:
            if what not in self.awaited:
                return
            self.awaited.discard(what)
            if self.awaited:
                return
            del _processes[self.pid]
        if self.inputs is not None:
            self.inputs.put((None, lambda *_: None))
        self.popen.returncode = self.status  # it was reaped here, not by subprocess
        signalled = os.WIFSIGNALED(self.status)
        number = os.WTERMSIG(self.status) if signalled else os.waitstatus_to_exitcode(self.status)
        wire.send({"event": "end", "pid": self.pid, "signal" if signalled else "code": number})

    def abandon_output(self):
        """As E2B does with a process that it kills: children which still hold the output do not delay the end."""
        self.flows.set()
        self.done("stdout")
        self.done("stderr")


def reap_all():
    while True:
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            _started.wait()
            _started.clear()
            continue
        with _lock:
            process = _processes.get(pid)
        if process is not None:
            process.status = status
            process.done("exit")


def start(head, _body, reply):
    cwd = files.resolve(head["cwd"])
    if not os.path.isdir(cwd):
        raise files.Refusal("invalid_argument", "cwd '%s' does not exist" % cwd)
    with _lock:
        try:
            process = Process({**head, "cwd": cwd})
        except OSError as error:
            raise files.Refusal("invalid_argument", "error starting process '%s': %s" % (head["cmd"], error))
        _processes[process.pid] = process
    _started.set()
    if "kernel" in head:
        import kernels  # its server takes long to load: only sandboxes with a notebook pay for it

        kernels.add(head["kernel"], process.pid)
    reply({"pid": process.pid})
    process.listen()


def write(head, body, reply):
    process = _find(head["pid"])
    if process.inputs is None:
        raise files.Refusal("internal", "stdin not enabled or closed")
    process.inputs.put((body, reply))


def close_stdin(head, _body, reply):
    process = _find(head["pid"])
    if process.inputs is None:
        return reply()
    process.inputs.put((None, reply))


def send_signal(head, _body, reply):
    process = _find(head["pid"])
    os.kill(process.pid, head["signal"])
    if head["signal"] in (signal.SIGKILL, signal.SIGTERM):
        process.abandon_output()
    reply()


def flow(head, _body, reply):
    """A reader that does not keep up holds the process up, as a pipe does."""
    process = _processes.get(head["pid"])
    if process is not None:
        process.flows.set() if head["flows"] else process.flows.clear()
    reply()


def send_signal_to_all(head, _body, reply):
    for _ in range(3):  # what forks meanwhile is met in the next round
        try:
            os.kill(-1, head["signal"])
        except ProcessLookupError:
            break
    reply()


def _find(pid):
    with _lock:
        process = _processes.get(pid)
    if process is None:
        raise files.Refusal("not_found", "process with pid %d not found" % pid)
    return process


OPERATIONS = {
    "start": start,
    "write": write,
    "close-stdin": close_stdin,
    "signal": send_signal,
    "flow": flow,
    "signal-all": send_signal_to_all,
}
