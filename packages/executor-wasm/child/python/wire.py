"""Frames over the device behind which the host is. There is one thread, and waiting for a frame is reading it."""

import os
import time

import frames
import values

_YIELD_SECONDS = 0.005
_CHUNK = 65536


class Wire:
    """`on_frame(type, id, body)` is called for each frame that comes, but for those that `on` names another function for."""

    def __init__(self, descriptor, on_frame):
        self._fd = descriptor
        self._on_frame = on_frame
        self.on = {b"alarm": self._on_alarm}
        self._codec = frames.Codec()
        self._alarm = 0
        self._has_news = False
        self._looked = 0.0
        self._guards = 0
        self.on_unguarded = lambda: None
        self._read, self._write, self._now = os.read, os.write, time.monotonic

    def fileno(self):
        return self._fd

    def send(self, kind, ident, body):
        self.send_bytes(kind, ident, values.dumps(body).encode("ascii"))

    def send_bytes(self, kind, ident, data):
        with self:
            self._write(self._fd, self._codec.encode(kind, ident, data))

    def wait_until(self, ready):
        while not ready():
            self._take()

    def wait(self, seconds):
        """Reads until frames came or the time is over; None is without end. Nothing here can wait for two things at once,
        so the host is asked for a frame when the time is over."""
        if seconds is not None and seconds <= 0 and self._now() - self._looked < _YIELD_SECONDS:
            return  # A loop that is busy with itself looks now and then only.
        if seconds is not None:
            self._alarm += 1
            self.send(b"alarm", b"%d" % self._alarm, {"ms": max(0, seconds) * 1000})
        self._has_news = False
        while not self._has_news:
            self._take()
        self._looked = self._now()

    def read_available(self):
        """For loops that watch descriptors. Here it is the loop that reads."""

    def _take(self):
        with self:
            for kind, ident, body in self._codec.decode(self._read(self._fd, _CHUNK)):
                self._has_news = self._has_news or kind != b"alarm"
                handle = self.on.get(kind)
                if handle is None:
                    self._on_frame(kind, ident, body)
                else:
                    handle(ident, body)

    def _on_alarm(self, ident, _):
        self._has_news = self._has_news or int(ident) == self._alarm  # Not for one that was set before.

    # An interrupt must not tear a frame apart: inside of `with wire` it waits, and is raised on the way out.

    @property
    def is_guarded(self):
        return self._guards > 0

    def __enter__(self):
        self._guards += 1

    def __exit__(self, *_):
        self._guards -= 1
        self.on_unguarded()
