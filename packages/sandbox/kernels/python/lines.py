"""The lines of a link: `~<session> <seq> <ack> <kind> <data>.`, in ASCII.

`session` counts the hosts that there have been, `seq` what the writer has sent in it, `ack` is the last that it has received.
Kinds: `d` is data in base64, `f` the name of a file that holds it, `z` and `g` the same deflated, behind its length in four bytes,
which only this end writes; `a` says nothing else, `s` asks the other end where it is, and to send again what did not arrive. A line
that is cut, at whatever end, is none.
"""


def encode(session, seq, ack, kind, data):
    return b"~%d %d %d %s %s.\n" % (session, seq, ack, kind, data)


class Reader:
    """Bytes in, lines out, as (session, seq, ack, kind, data)."""

    def __init__(self):
        self._parts = []

    def feed(self, data):
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = b"".join([*self._parts, lines[0]])
            self._parts = []
        if rest:
            self._parts.append(rest)
        return [line for line in map(_parse, lines) if line is not None]


def _parse(line):
    if line[:1] != b"~" or line[-1:] != b".":
        return None
    try:
        session, seq, ack, kind, data = line[1:-1].split(b" ")
        return int(session), int(seq), int(ack), kind, data
    except ValueError:
        return None
