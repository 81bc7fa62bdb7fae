"""The kernel's plot: frames come in, cells run, what they gave goes out."""

from collections import deque
from os import _exit, getpid
from sys import version

import bundles
import cells
import descriptors
import event_loop
import figures
import interrupts
import tools
import tracebacks
import transport
import upkeep
import values
import waiting
import wire


_IDLE_SECONDS = 0.005


class Kernel:
    def __init__(self, checkpoints=None):
        self._inbox = deque()
        self._pid = getpid()
        self._checkpoints = checkpoints
        self._descriptors = descriptors.Descriptors(*([checkpoints.descriptors] if checkpoints else []))
        self._transport = transport.Transport(self._descriptors.settle)
        self._wire = wire.Wire(self._descriptors.frames, self._on_frame)
        self._transport.wire = self._wire
        self._interrupts = interrupts.Interrupts(self._descriptors.interrupts, self._wire)
        self._session = None
        self._cell = None
        self._loop = event_loop.Loop()
        self._upkeep = None
        self._earlier = frozenset()

    def serve(self):
        while True:
            if self._is_idle() and self._save():
                continue
            self._wire.wait_until(lambda: self._inbox)
            if self._save():
                continue
            kind, ident, body = self._inbox.popleft()
            message = values.loads(body)
            if kind == b"start":
                self._start(message)
            elif kind == b"run":
                self._run(ident, message["code"])
            elif kind == b"inspect":
                self._wire.send(b"variables", ident, {"variables": self._session.variables()})
            elif kind == b"checkpoint":
                self._copied(ident, *self._checkpoints.keep(message["name"].encode("ascii")))
            elif kind == b"release":
                self._checkpoints.release(message["name"].encode("ascii"))
            elif kind == b"fork":
                self._copied(ident, *self._checkpoints.fork(**message))
            elif kind == b"restore":
                self._checkpoints.give_way(message["name"].encode("ascii"))
                self._wire.send(b"missing", ident, {})

    def _is_idle(self):
        """Whether it is time for a checkpoint, which otherwise is taken when the next frame has come."""
        is_due = self._checkpoints is not None and self._checkpoints.is_due
        return is_due and not self._inbox and self._wire.is_quiet(_IDLE_SECONDS)

    def _save(self):
        """Takes a checkpoint where one is due. True in the copy, when it goes on: of what came since it knows nothing."""
        if self._checkpoints is None or not self._checkpoints.is_due:
            return False
        awake = self._checkpoints.take()
        if awake is None:
            return False
        self._come_back(awake)
        return True

    def _copied(self, ident, reason, awake):
        """A copy that was asked for was taken, or there is a reason why not; or this is the copy, and goes on."""
        if awake is None:
            self._wire.send(b"copied", ident, {"reason": reason})
        else:
            self._come_back(awake)

    def _come_back(self, awake):
        self._inbox.clear()
        self._pid = getpid()
        self._cell = None
        self._descriptors.come_back(awake.streams)
        self._wire.come_back()
        self._transport.come_back()
        self._interrupts.come_back()
        lost = awake.memory.revive(self._descriptors.private | self._checkpoints.descriptors, awake)
        self._descriptors.restore()
        self._descriptors.drain()  # What the dead one printed is read before this one is heard.
        self._wire.send_mark(awake.nonce)
        restored = [] if self._session is None else self._session.names()
        name = awake.name.decode("ascii") if awake.was_chosen else None
        self._wire.send(b"awake", b"-", {"restored": restored, "lost": lost, "name": name})

    def _on_frame(self, kind, ident, body):
        if kind == b"result":
            self._transport.on_result(ident, body)
        elif kind == b"clock":
            calls = {call.encode() for call in values.loads(body)["calls"]}
            self._wire.send(b"clock", ident, {"waits": waiting.all_wait(calls, self._transport, self._earlier)})
        else:
            self._inbox.append((kind, ident, body))

    def _start(self, message):
        names = tools.namespace(message["tools"], self._transport)
        goes_on = self._session is not None
        if goes_on:
            self._session.declare(names)
            self._upkeep.ask_with(upkeep.input_from(names))
            if self._checkpoints is not None:
                self._checkpoints.outdate()
        else:
            self._session = cells.Session({"display": self._display}, names)
            figures.watch(self._display)
            self._upkeep = upkeep.Upkeep(upkeep.input_from(names))
        if self._checkpoints is not None:
            self._checkpoints.await_keeper()
        self._wire.send(b"ready", b"-", {"language": "python", "version": version.split()[0], "kept": goes_on})

    def _run(self, ident, code):
        self._cell = ident
        self._earlier = waiting.threads_beside()
        try:
            self._upkeep.put_right()
            self._descriptors.restore()
            self._interrupts.arm(ident)
            reply = self._session.run(code, self._loop.run)
            self._show_figures(reply)
            self._interrupts.disarm()
        except BaseException as error:
            self._interrupts.disarm()
            reply = {"ok": False, "error": tracebacks.describe(error, cells.is_cell)}
        self._upkeep.put_right()
        if getpid() != self._pid:
            _exit(0)  # A child that the cell forked, and that did not exit by itself: there is one kernel only.
        self._transport.cancel_all()
        self._descriptors.drain()
        self._cell = None
        if self._checkpoints is not None:
            reply["unprotected"] = self._checkpoints.end_cell()
        self._wire.send_bytes(b"done", ident, _told(reply))
        if self._checkpoints is not None:
            self._checkpoints.told()

    def _show_figures(self, reply):
        if getpid() != self._pid:
            return
        if not reply["ok"] and reply["error"]["name"] == "KeyboardInterrupt":
            figures.drop_open()
        else:
            figures.show_open(self._display)

    def _display(self, value):
        """Shows a value in all its forms."""
        if self._cell is None or getpid() != self._pid:
            raise RuntimeError("display() works only while a cell runs, and in its own process")
        self._descriptors.settle()
        self._wire.send(b"display", self._cell, bundles.bundle(value))
        self._descriptors.settle_frame()


def _told(reply):
    """The reply as JSON, also where the code has broken what writes JSON."""
    try:
        return values.dumps(reply).encode("ascii")
    except BaseException:
        return _UNTELLABLE


_UNTELLABLE = (
    b'{"ok": false, "error": {"name": "KernelDamaged", "message": "the result cannot be told",'
    b' "traceback": "KernelDamaged: the code has damaged the json module, so its result cannot be told"}}'
)
