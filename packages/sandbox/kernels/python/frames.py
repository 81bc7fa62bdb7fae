"""Frames as bytes: a header line `<type> <seq> <ack> <id> <length>`, then the body."""


class Codec:
    """Numbers what goes out, remembers the number of what came in."""

    def __init__(self):
        self._buffer = bytearray()
        self._received = 0
        self._sent = 0

    def encode(self, kind, ident, body):
        self._sent += 1
        return b"%s %d %d %s %d\n%s" % (kind, self._sent, self._received, ident, len(body), body)

    def decode(self, data):
        """The frames that these bytes complete, as (type, id, body)."""
        self._buffer += data
        frames = []
        frame = self._next()
        while frame is not None:
            frames.append(frame)
            frame = self._next()
        return frames

    def _next(self):
        end = self._buffer.find(b"\n")
        if end < 0:
            return None
        kind, seq, _, ident, length = bytes(self._buffer[:end]).split(b" ")
        stop = end + 1 + int(length)
        if len(self._buffer) < stop:
            return None
        body = bytes(self._buffer[end + 1 : stop])
        del self._buffer[:stop]
        self._received = int(seq)
        return kind, ident, body
