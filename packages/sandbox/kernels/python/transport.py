"""Tool calls over the wire: blocking from any thread, or awaited in an event loop."""

import itertools
import threading
from _thread import get_ident
from os import getpid

import values


_LARGEST_CALL = 16 * 1024 * 1024


class Transport:
    """`pending` are the names of the calls under way, `blocked` the threads that stand still for one."""

    def __init__(self, settle_output):
        """`settle_output()` is called before each call, so that what was printed before it is seen before it."""
        self.wire = None
        self._pid = getpid()
        self._settle_output = settle_output
        self._ids = itertools.count(1)
        self._pending = {}
        self._lock = threading.Lock()
        self.blocked = set()

    def come_back(self):
        """In a copy: the calls under way are those of the one that has ended."""
        self._pid = getpid()
        self._pending = {}
        self._lock = threading.Lock()
        self.blocked = set()

    @property
    def pending(self):
        return frozenset(self._pending)

    def call(self, request):
        """Sends a call and waits for its outcome; meanwhile this thread reads for all."""
        box = []
        ident = self._begin(request, box.append)
        thread = get_ident()
        is_nested = thread in self.blocked  # A signal's handler may call while its thread does.
        try:
            self.blocked.add(thread)
            self.wire.wait_until(lambda: box)
        finally:
            self._pending.pop(ident, None)
            if not is_nested:
                self.blocked.discard(thread)
        return box[0]

    async def call_async(self, request):
        import asyncio

        loop = asyncio.get_running_loop()
        future = loop.create_future()
        ident = self._begin(request, lambda outcome: loop.call_soon_threadsafe(_fulfil, future, outcome))
        loop.add_reader(self.wire.fileno(), self.wire.read_available)
        try:
            return await future
        finally:
            self._pending.pop(ident, None)
            if not self._pending:
                loop.remove_reader(self.wire.fileno())

    def on_result(self, ident, body):
        deliver = self._pending.pop(ident, None)
        if deliver is not None:
            deliver(values.loads(body))

    def cancel_all(self):
        """The cell is over: whoever in it still waits for a tool is told so."""
        outcome = {"ok": False, "error": {"name": "RuntimeError", "message": "the cell that made this call is over"}}
        for ident in list(self._pending):
            deliver = self._pending.pop(ident, None)
            if deliver is not None:
                deliver(outcome)

    def _begin(self, request, deliver):
        if getpid() != self._pid:
            raise RuntimeError("a forked process cannot call tools: call them in the process of the cell")
        body = values.dumps(request).encode("ascii")
        if len(body) > _LARGEST_CALL:
            raise ValueError("the arguments of a tool take %d bytes; at most %d can be passed" % (len(body), _LARGEST_CALL))
        with self._lock:
            ident = b"t%d" % next(self._ids)
        self._pending[ident] = deliver
        self._settle_output()
        self.wire.send_bytes(b"call", ident, body)
        return ident


def _fulfil(future, outcome):
    if not future.done():
        future.set_result(outcome)
