"""Frames over one socket, for many threads and no thread of its own: whoever waits for an answer reads for everybody."""

from os import _exit, read, write
from select import POLLIN, poll
from threading import Condition, Lock, get_ident

import frames
import values


_CHUNK = 65536  # Room for more than 128 KB would come from the system, page by page, at each read.


class Wire:
    """Reads and writes frames. `on_frame(type, id, body)` is called for each that comes, by the thread that read it."""

    def __init__(self, descriptor, on_frame):
        self._fd = descriptor
        self._on_frame = on_frame
        self._main = get_ident()
        self._codec = frames.Codec()
        self._writing = Lock()
        self._reading = Lock()
        self._news = Condition()
        self._sleepers = 0
        self._guards = 0
        self.on_unguarded = lambda: None

    def fileno(self):
        return self._fd

    def send(self, kind, ident, body):
        self.send_bytes(kind, ident, values.dumps(body).encode("ascii"))

    def send_bytes(self, kind, ident, data):
        with self.guarded(), self._writing:
            self._write(self._codec.encode(kind, ident, data))

    def _write(self, data):
        view = memoryview(data)
        while view:
            view = view[write(self._fd, view) :]

    def send_mark(self, mark):
        """Bytes that are no frame."""
        with self.guarded(), self._writing:
            self._write(mark)

    def is_quiet(self, seconds):
        return not self._is_readable(seconds)

    def come_back(self):
        """In a copy: what had come, and who held what, is of no account."""
        self._codec = frames.Codec()
        self._writing, self._reading, self._news = Lock(), Lock(), Condition()
        self._sleepers = self._guards = 0

    def wait_until(self, ready):
        """Returns once `ready()` is true. One waiting thread reads; the others sleep until there is news."""
        while not ready():
            if self._reading.acquire(blocking=False):
                try:
                    while not ready():
                        self._read_once()
                finally:
                    self._reading.release()
                    self._tell()
            else:
                self._sleep(ready)

    def _sleep(self, ready):
        with self._news:
            self._sleepers += 1
            try:
                if not ready() and self._reading.locked():
                    self._news.wait(0.1)  # A lost wake-up costs this much at most.
            finally:
                self._sleepers -= 1

    def read_available(self):
        """Reads what is there, for an event loop that found the socket readable."""
        if self._reading.acquire(blocking=False):
            try:
                if self._is_readable(0):
                    self._take()
            finally:
                self._reading.release()

    def _read_once(self):
        # Waiting can be interrupted at any point; taking cannot, or half a frame would be lost.
        if self._is_readable(None):
            self._take()

    def _is_readable(self, timeout):
        waiter = poll()
        waiter.register(self._fd, POLLIN)
        return bool(waiter.poll(timeout))

    def _take(self):
        with self.guarded():
            data = read(self._fd, _CHUNK)
            if not data:
                _exit(0)  # The host is gone, and with it every reason to go on.
            for kind, ident, body in self._codec.decode(data):
                self._on_frame(kind, ident, body)
            self._tell()

    def _tell(self):
        if self._sleepers:
            with self._news:
                self._news.notify_all()

    # An interrupt must not tear a frame apart: while the main thread is in here it waits, and is raised on the way out.

    def guarded(self):
        return _Guard(self)

    @property
    def is_guarded(self):
        """Asked by the signal handler, in the main thread."""
        return self._guards > 0


class _Guard:
    def __init__(self, wire):
        self._wire = wire

    def __enter__(self):
        if get_ident() == self._wire._main:
            self._wire._guards += 1

    def __exit__(self, *_):
        wire = self._wire
        if get_ident() == wire._main:
            wire._guards -= 1
            wire.on_unguarded()
