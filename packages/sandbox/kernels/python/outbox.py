"""What is written to somebody who may not read at once, and must not be waited for."""

from collections import deque
from os import close, set_blocking, write


class Outbox:
    """`has_news`: whether something began to wait, or waits no more, since that was last set to False."""

    def __init__(self, descriptor):
        set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.has_news = True
        self._waiting = deque()

    @property
    def is_waiting(self):
        return bool(self._waiting)

    def send(self, data):
        if not self._waiting:
            data = self._write(data)
        if data:
            self._waiting.append(data)
            self.has_news = True

    def flush(self):
        while self._waiting:
            rest = self._write(self._waiting.popleft())
            if rest:
                self._waiting.appendleft(rest)
                return
            if not self._waiting:
                self.has_news = True

    def close(self):
        close(self.descriptor)

    def _write(self, data):
        """What is left of it."""
        try:
            return memoryview(data)[write(self.descriptor, data) :]
        except BlockingIOError:
            return data
        except OSError:
            return b""  # It is gone; that is told by its end.
