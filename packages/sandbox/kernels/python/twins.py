"""The twins of a kernel: each has a supervisor of its own, an orphan that comes to whoever keeps the kernel, and is left alone there."""

from _socket import SHUT_WR, socket
from os import read
from select import POLLIN, POLLOUT

import outbox

_CHUNK = 65536


class Twins:
    """`pids` are their supervisors. `streams` lead to those for which this process speaks with the host, by their names."""

    def __init__(self):
        self.pids = set()
        self.streams = {}
        self._is_changed = False

    def add(self, pid, name, stream):
        self.pids.add(pid)
        if stream is not None:
            self.streams[name] = outbox.Outbox(stream.detach())
            self._is_changed = True

    def has_ended(self, pid):
        self.pids.discard(pid)

    @property
    def has_news(self):
        """Whether there is something else to wait for."""
        return self._is_changed or any(stream.has_news for stream in self.streams.values())

    def watched(self):
        """What to wait for, as (descriptor, events)."""
        self._is_changed = False
        for stream in self.streams.values():
            stream.has_news = False
            yield stream.descriptor, POLLIN | POLLOUT if stream.is_waiting else POLLIN

    def send(self, name, data):
        if name in self.streams:
            self.streams[name].send(data)

    def heard(self, ready):
        """What the ready say, as (name, data); at the end of one, which is forgotten then, no data."""
        for name, stream in list(self.streams.items()):
            stream.flush()
            if stream.descriptor in ready:
                data = _read(stream.descriptor)
                if data == b"":
                    self.streams.pop(name).close()
                    self._is_changed = True
                if data is not None:
                    yield name, data

    def hang_up(self, name):
        """A supervisor that nobody speaks to any more ends, with all that it has."""
        if name in self.streams:
            stream = socket(fileno=self.streams[name].descriptor)
            stream.shutdown(SHUT_WR)
            stream.detach()


def _read(descriptor):
    """None where there is nothing yet."""
    try:
        return read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
