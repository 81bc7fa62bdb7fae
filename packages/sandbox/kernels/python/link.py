"""The far end of a link: carries the supervisor's two pipes over a connection that may break.

Lines come over descriptor 0 and go out over descriptor 1 (see lines.py). What was sent is kept until the host has acknowledged it,
and sent again when it asks; what comes twice is dropped. What is long goes through a file in the link's folder, and only its name
through the connection. The supervisor is a process of its own, and notices nothing of all that.
"""

from _signal import SIG_IGN, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, signal
from binascii import a2b_base64, b2a_base64
from collections import deque
from fcntl import fcntl
from os import O_CREAT, O_RDONLY, O_TRUNC, O_WRONLY
from os import _exit, close, dup2, fork, open, pipe, read, set_blocking, unlink, write
from select import POLLIN, POLLOUT, poll

import confine
import lines

try:
    from zlib import compress
except ImportError:  # A Python may be built without.
    compress = None

_IN, _OUT = 0, 1
_CHUNK = 65536
_MOST_AT_ONCE = 128 * 1024
_LONG = 256 * 1024
_WORTH_DEFLATING = 4096
_MOST_UNACKNOWLEDGED = 2 * 1024 * 1024
_ACK_DELAY_MS = 20  # The answer to what has come may be about to leave, and then says so by the way.
_F_SETPIPE_SZ = 1031


def serve(folder, supervise):
    """Never returns. `supervise()` runs in a process of its own, with pipes as its descriptors 0 and 1."""
    their_input, our_output = pipe()
    our_input, their_output = pipe()
    if fork() == 0:
        dup2(their_input, _IN)
        dup2(their_output, _OUT)
        for descriptor in (their_input, their_output, our_input, our_output):
            close(descriptor)
        supervise()
        _exit(0)
    close(their_input)
    close(their_output)
    for number in (SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP):
        signal(number, SIG_IGN)
    confine.hide()
    Link(folder, our_input, our_output).serve()


class Link:
    def __init__(self, folder, supervisor_says, supervisor_hears):
        self._folder = folder
        self._from, self._to = supervisor_says, supervisor_hears
        self._reader = lines.Reader()
        self._whole = WholeFrames()
        self._session = self._sent = self._received = 0
        self._unacknowledged = deque()  # (seq, bytes, kind, data)
        self._held = 0
        self._files = 0
        self._to_host, self._to_supervisor = deque(), deque()
        self._owes_ack = False
        for descriptor in (_OUT, self._from, self._to):
            set_blocking(descriptor, False)
        try:
            fcntl(self._from, _F_SETPIPE_SZ, _MOST_AT_ONCE)
        except OSError:
            pass  # It is only slower.

    def serve(self):
        while True:
            ready = self._wait()
            if _IN in ready:
                self._hear_host()
            if self._from in ready:
                self._hear_supervisor()
            if not ready and self._owes_ack:
                self._say(0, b"a", b"")
            _flush(_OUT, self._to_host)
            _flush(self._to, self._to_supervisor)

    def _wait(self):
        waiter = poll()
        waiter.register(_IN, POLLIN)
        if self._held < _MOST_UNACKNOWLEDGED:
            waiter.register(self._from, POLLIN)
        if self._to_host:
            waiter.register(_OUT, POLLOUT)
        if self._to_supervisor:
            waiter.register(self._to, POLLOUT)
        return [descriptor for descriptor, _ in waiter.poll(_ACK_DELAY_MS if self._owes_ack else None)]

    def _hear_host(self):
        data = read(_IN, _CHUNK)
        if not data:
            _exit(0)  # The host is gone; the supervisor sees its input end, and ends.
        for session, seq, ack, kind, data in self._reader.feed(data):
            if kind == b"s" and session >= self._session:
                self._synchronize(session, ack)
            elif session == self._session:
                self._acknowledge(ack)
                if kind in b"df":
                    self._take(seq, kind, data)

    def _take(self, seq, kind, data):
        if seq == self._received + 1:
            self._to_supervisor.append(a2b_base64(data) if kind == b"d" else self._read_file(data))
            self._received = seq
        elif kind == b"f" and seq <= self._received:
            self._remove(data)  # It was put there again, for one that had arrived.
        self._owes_ack = True

    def _acknowledge(self, ack):
        while self._unacknowledged and self._unacknowledged[0][0] <= ack:
            _, size, kind, data = self._unacknowledged.popleft()
            self._held -= size
            if kind in b"fg":
                self._remove(data)

    def _synchronize(self, session, ack):
        """The connection is a new one, or even the host: nothing that was under way counts."""
        if session > self._session:
            self._session, self._received = session, 0
            self._unacknowledged = deque(
                (seq, *rest) for seq, (_, *rest) in enumerate(self._unacknowledged, 1)
            )
            self._sent = len(self._unacknowledged)
        else:
            self._acknowledge(ack)
        self._to_host = deque([b"\n"])  # Ends a line that was under way.
        self._say(0, b"s", b"")
        for seq, _, kind, data in self._unacknowledged:
            self._say(seq, kind, data)

    def _hear_supervisor(self):
        parts, size = [], 0
        while size < _MOST_AT_ONCE:
            try:
                parts.append(read(self._from, _CHUNK))
            except BlockingIOError:
                break
            size += len(parts[-1])
            if not parts[-1]:
                self._end()
        whole = self._whole.cut(b"".join(parts))
        if whole:
            self._send(whole)

    def _send(self, data):
        self._sent += 1
        self._held += len(data)
        packed = _deflate(data)
        if len(packed) > _LONG:
            kind, said = b"f" if packed is data else b"g", self._write_file(packed)
        else:
            kind, said = b"d" if packed is data else b"z", b2a_base64(packed, newline=False)
        self._unacknowledged.append((self._sent, len(data), kind, said))
        self._say(self._sent, kind, said)

    def _say(self, seq, kind, data):
        self._owes_ack = False
        self._to_host.append(lines.encode(self._session, seq, self._received, kind, data))

    def _end(self):
        """The supervisor is gone: what it has said is told, and that is all."""
        set_blocking(_OUT, True)
        while self._to_host:
            _flush(_OUT, self._to_host)
        _exit(1)

    def _write_file(self, data):
        self._files += 1
        name = b"out-%d" % self._files
        file = open(self._path(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        view = memoryview(data)
        while view:
            view = view[write(file, view) :]
        close(file)
        return name

    def _read_file(self, name):
        file = open(self._path(name), O_RDONLY)
        parts = [read(file, _MOST_AT_ONCE)]
        while parts[-1]:
            parts.append(read(file, _MOST_AT_ONCE))
        close(file)
        self._remove(name)
        return b"".join(parts)

    def _remove(self, name):
        try:
            unlink(self._path(name))
        except OSError:
            pass

    def _path(self, name):
        return "%s/%s" % (self._folder, name.decode("ascii"))


class WholeFrames:
    """Cuts what the supervisor says between two frames: a host that comes later must not begin in the middle of one."""

    def __init__(self):
        self._buffer = bytearray()

    def cut(self, data):
        self._buffer += data
        end = 0
        while True:
            newline = self._buffer.find(b"\n", end)
            stop = newline + 1 + int(self._buffer[end:newline].rpartition(b" ")[2]) if newline >= 0 else None
            if stop is None or stop > len(self._buffer):
                break
            end = stop
        whole = bytes(self._buffer[:end])
        del self._buffer[:end]
        return whole


def _deflate(data):
    """Data as it was, where nothing is gained: what floods is mostly text."""
    if compress is None or len(data) < _WORTH_DEFLATING:
        return data
    packed = len(data).to_bytes(4, "big") + compress(data, 1)
    return packed if len(packed) < len(data) * 3 // 4 else data


def _flush(descriptor, queue):
    while queue:
        data = queue.popleft()
        try:
            count = write(descriptor, data)
        except BlockingIOError:
            count = 0
        except BrokenPipeError:
            continue  # Whoever read there is gone, and that is told elsewhere.
        if count < len(data):
            queue.appendleft(memoryview(data)[count:])
            return
