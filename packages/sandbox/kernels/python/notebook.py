"""Our part in a notebook's kernel: tools, the errors of cells in the user's lines, and word of when a cell begins and ends.

IPython runs the cells, and shows what they give. Frames go to the host over the bridge's socket, output goes its own way, so each call
and each cell's end leaves a mark in the output: the host takes it out, and knows from it what was printed before.
"""

import asyncio
import builtins
import os
import socket
import sys
from fcntl import F_DUPFD_CLOEXEC, fcntl
from signal import SIGINT, getsignal, signal

import bundles
import tools
import tracebacks
import transport
import upkeep
import values
import variables
import waiting
import wire

_PRIVATE = 200
INSPECT = "# codeact: inspect"


class Notebook:
    """Made in the context's first cell. `serve()` returns when the host has said what there is."""

    def __init__(self, shell, folder):
        self._shell = shell
        self._pid = os.getpid()
        self._streams = sys.stdout, sys.stderr
        self._transport = transport.Transport(lambda: None)
        self._wire = MarkedWire(_dial(folder), self._on_frame, self._mark)
        self._transport.wire = self._wire
        self._interrupts = Interrupts(self._wire)
        self._start = None
        self._number = 0
        self._is_ours = True  # The cell that runs this.
        self._files = {}
        self._earlier = frozenset()

    def serve(self):
        self._wire.wait_until(lambda: self._start is not None)
        os.environ.update(self._start["env"])
        names = tools.namespace(self._start["tools"], self._transport)
        self._input = upkeep.input_from(names)
        sys.path[:] = [*(path for path in sys.path if path), ""]  # No file of the user's stands in for another module.
        self._shell.user_ns.update(names)
        self._given = dict(self._shell.user_ns)
        self._name_cells()
        self._shell.events.register("pre_run_cell", self._before)
        self._shell.events.register("post_run_cell", self._after)
        self._wire.send(b"ready", b"-", {"language": "python", "version": sys.version.split()[0]})

    def _name_cells(self):
        compiler = self._shell.compile
        cache = compiler.cache

        def remember(*args, **kwargs):
            name = cache(*args, **kwargs)
            self._files[name] = "Cell %d" % self._number
            return name

        compiler.cache = remember

    def _on_frame(self, kind, ident, body):
        if kind == b"result":
            self._transport.on_result(ident, body)
        elif kind == b"clock":
            calls = {call.encode() for call in values.loads(body)["calls"]}
            self._wire.send(b"clock", ident, {"waits": waiting.all_wait(calls, self._transport, self._earlier)})
        elif kind == b"start":
            self._start = values.loads(body)

    def _before(self, info):
        self._is_ours = info.raw_cell == INSPECT
        if self._is_ours:
            self._wire.send(b"variables", b"-", {"variables": variables.describe(self._shell.user_ns, self._given)})
            return
        self._number += 1
        self._earlier = waiting.threads_beside()
        builtins.input = self._input
        self._wire.send(b"begun", b"-", {})
        self._interrupts.arm()

    def _after(self, result):
        if os.getpid() != self._pid:
            os._exit(0)  # A child that the cell forked, and that did not exit by itself.
        self._interrupts.deafen()
        if not self._is_ours:
            self._transport.cancel_all()
            sys.stdout, sys.stderr = self._streams
            sys.stderr.flush()
            self._mark(b"end")
            self._wire.send(b"done", b"-", self._outcome(result))
        self._is_ours = False
        self._interrupts.disarm()

    def _outcome(self, result):
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            return {"ok": False, "error": self._describe(error)}
        # E2B takes off what looks like quotes.
        text = bundles.plain_text(result.result) if type(result.result) is str else None
        return {"ok": True, "text": text}

    def _describe(self, error):
        told = tracebacks.describe(error, self._files.__contains__)
        for file, name in self._files.items():
            told["traceback"] = told["traceback"].replace("  %s, line " % file, "  %s, line " % name)
        return told

    def _mark(self, ident):
        """Before it in the output is what was printed before."""
        stdout = self._streams[0]
        if sys.stdout is not None and sys.stdout is not stdout:
            sys.stdout.flush()
        stdout.flush()  # By itself: IPython loses a message with something in it that is no text.
        stdout.write("\x02%s %s\x03" % (self._start["mark"], ident.decode("ascii")))
        stdout.flush()


class MarkedWire(wire.Wire):
    def __init__(self, descriptor, on_frame, mark):
        super().__init__(descriptor, on_frame)
        self._leave_mark = mark

    def send_bytes(self, kind, ident, data):
        with self.guarded():
            if kind == b"call":
                self._leave_mark(ident)
            super().send_bytes(kind, ident, data)


class Interrupts:
    """An interrupt that comes while a frame is written waits; else it does what the notebook would have it do."""

    def __init__(self, wire):
        self._wire = wire
        self._usual = None
        self._due = None
        self._hears = False
        wire.on_unguarded = self._raise_if_due

    def arm(self):
        self._due = None
        self._hears = True
        self._usual = getsignal(SIGINT)
        signal(SIGINT, self._on_sigint)

    def deafen(self):
        """The cell is over: an interrupt comes too late."""
        self._hears = False

    def disarm(self):
        if getsignal(SIGINT) == self._on_sigint:
            signal(SIGINT, self._usual)

    def _on_sigint(self, *signalled):
        self._due = signalled
        self._raise_if_due()

    def _raise_if_due(self):
        if self._due is not None and self._hears and not self._wire.is_guarded and callable(self._usual):
            due, self._due = self._due, None
            if _runs_a_cell(due[1]):
                raise KeyboardInterrupt
            self._usual(*due)
            _wake()


def _runs_a_cell(frame):
    """Whether the main thread is in the code itself, not in a task of its own: a cell that awaits would only be told to stop awaiting."""
    while frame is not None and frame.f_code.co_name != "run_code":
        frame = frame.f_back
    return frame is not None


def _wake():
    """The notebook's way to stop a cell that awaits is a callback, which does not wake its event loop."""
    loop = asyncio._get_running_loop()
    if loop is not None:
        loop.call_soon_threadsafe(lambda: None)


def _dial(folder):
    line = socket.socket(socket.AF_UNIX)
    line.connect(folder + "/socket")
    return fcntl(line.detach(), F_DUPFD_CLOEXEC, _PRIVATE)
