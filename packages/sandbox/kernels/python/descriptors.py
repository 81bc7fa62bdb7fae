"""The kernel's own descriptors, out of the way of the user's."""

import sys
from array import array
from fcntl import F_DUPFD_CLOEXEC, fcntl, ioctl
from io import FileIO, TextIOWrapper
from os import O_RDONLY, close, devnull, dup2, listdir, open, set_blocking
from termios import TIOCOUTQ
from time import monotonic, sleep

_PRIVATE = 200  # Lowest number for what the kernel keeps; user code opens from 3 up.
_DRAIN_SECONDS = 2.0  # At a cell's end; only a host that is stuck takes so long.
_SETTLE_SECONDS = 0.05  # Before a tool call: other threads may go on printing for ever.


class Descriptors:
    """Moves the frames and the interrupts to private numbers, and gives the code 0, 1 and 2 of its own."""

    def __init__(self, kept=()):
        """`kept`: others that stay open."""
        self.frames = _keep(3, closing=True)
        self.interrupts = _keep(4, closing=True)
        self._output = {1: _keep(1), 2: _keep(2)}
        close_strays({*self.private, *kept})
        null = open(devnull, O_RDONLY)
        dup2(null, 0)
        close(null)
        self.restore()

    @property
    def private(self):
        return {self.frames, self.interrupts, *self._output.values()}

    def come_back(self, streams):
        """In a copy: goes on with the streams that it was given, in the order of the numbers, or with those of the one that has ended."""
        mine = (*self._output.values(), self.frames, self.interrupts)
        for stream, number in zip(streams, mine):
            dup2(stream, number, inheritable=False)
            close(stream)
        for number in mine:
            set_blocking(number, True)

    def restore(self):
        """Before each cell: whatever the last one did to its standard streams is undone."""
        for number, private in self._output.items():
            dup2(private, number, inheritable=True)
        for name, number in (("stdout", 1), ("stderr", 2)):
            if not _writes_to(getattr(sys, name, None), number):
                stream = TextIOWrapper(
                    FileIO(number, "w", closefd=False), "utf-8", "backslashreplace", write_through=True
                )
                setattr(sys, name, stream)
                setattr(sys, "__%s__" % name, stream)

    def drain(self):
        """After each cell: waits until the host has read what was printed, so that its end cannot overtake its output."""
        self._await_host(_DRAIN_SECONDS)

    def settle(self):
        """The same before a frame that speaks of something in between."""
        self._await_host(_SETTLE_SECONDS)

    def settle_frame(self):
        """After such a frame: what is printed next must not overtake it."""
        _wait_while(lambda: _unread(self.frames), _DRAIN_SECONDS)

    def _await_host(self, seconds):
        for name in ("stdout", "stderr"):
            try:
                getattr(sys, name).flush()
            except Exception:
                pass
        _flush_c()
        _wait_while(self._unread, seconds)

    def _unread(self):
        return any(_unread(descriptor) for descriptor in self._output.values())


def _keep(number, closing=False):
    private = fcntl(number, F_DUPFD_CLOEXEC, _PRIVATE)
    if closing:
        close(number)
    return private


def close_strays(kept):
    """Whatever else the host's process had open is none of the user's business."""
    for number in _open_numbers():
        if number > 2 and number not in kept:
            try:
                close(number)
            except OSError:
                pass


def _open_numbers():
    for folder in ("/proc/self/fd", "/dev/fd"):  # Linux, macOS.
        try:
            return [int(name) for name in listdir(folder)]
        except OSError:
            pass
    return range(3, 1024)


def _flush_c():
    """C buffers what it prints; only code that reaches C through ctypes is known to, and only then is there a way to ask."""
    ctypes = sys.modules.get("ctypes")
    if ctypes is None:
        return
    try:
        if not _c_stdout:
            _c_stdout.append(_find_c_stdout(ctypes))
        fflush, stdout = _c_stdout[0]
        fflush(stdout)
    except Exception:
        pass


_c_stdout = []


def _find_c_stdout(ctypes):
    c = ctypes.CDLL(None)
    for name in ("stdout", "__stdoutp"):  # Linux, macOS.
        try:
            return c.fflush, ctypes.c_void_p.in_dll(c, name)
        except ValueError:
            pass
    return c.fflush, None  # All streams.


def _writes_to(stream, number):
    try:
        is_patched = "write" in vars(stream)
        return not stream.closed and stream.fileno() == number and stream.write_through and not is_patched
    except Exception:
        return False


def _wait_while(is_unread, seconds):
    if not is_unread():
        return
    until = monotonic() + seconds
    while is_unread() and monotonic() < until:
        sleep(0.00005)


def _unread(descriptor):
    """Bytes that were written and that the other end has not taken yet."""
    count = array("i", [0])
    try:
        ioctl(descriptor, TIOCOUTQ, count)
    except OSError:
        return 0
    return count[0]
