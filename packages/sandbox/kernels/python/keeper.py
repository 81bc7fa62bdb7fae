"""The keeper's plot, for a kernel that speaks with the host itself: it stands by, and where the kernel ends it has the copy go on.

Whatever the kernel had started goes with it. The host's words over descriptor 5 are lines: `kill`; `end`, which spares no copy; and after
each death of which it is told, `wake <nonce>`, once nothing more comes from it. The copy says the nonce first, so that the host knows
where it begins. Where the kernel has twins, their place lasts as long as they do.
"""

from _signal import SIGCHLD, set_wakeup_fd, signal
from _socket import MSG_DONTWAIT, socket
from os import O_RDWR, WEXITSTATUS, WIFSIGNALED, WTERMSIG, _exit, devnull, dup2, getpid, open, pipe, read, set_blocking, write
from select import POLLIN, poll

import confine
import descriptors
import lineage
import processes
import twins

_FRAMES, _CONTROL = 3, 5
_LAST_WORDS_MS = 100  # A kernel that has closed all it had is most likely about to end.
_SIGNALLED = 128
_END = b'{"code": %s, "signal": %s, "cut": %s, "copy": %s, "stays": %s}\n'


class Keeper:
    """Of the kernel with this process id. `line` leads to it; copies with names are kept for no more than `limit` bytes."""

    def __init__(self, kernel, line, limit):
        self._twins = twins.Twins()
        self._lineage = lineage.Lineage(line, limit, self._twins)
        self._bell, self._ring = pipe()
        for descriptor in (self._bell, self._ring):
            set_blocking(descriptor, False)
        set_wakeup_fd(self._ring, warn_on_full_buffer=False)
        signal(SIGCHLD, lambda *_: None)  # A child's end rings the bell.
        self._words = b""
        self._status = None
        self._killed = set()
        self._is_given_up = False
        self._is_over = False
        self._kernel = kernel

    def serve(self):
        self._let_go()
        _hide()
        self._lineage.let_kernel_run()
        processes.reap_all(self._reap)  # It may have ended before there was a bell.
        while True:
            if self._status is not None:
                self._end(self._status)
            ready = self._wait()
            if self._lineage.line in ready:
                self._lineage.hear()
                if self._lineage.is_to_go_back:
                    self._sweep()
            if _FRAMES in ready:
                self._drain()
            if _CONTROL in ready:
                self._hear_host()
            if self._bell in ready:
                read(self._bell, 4096)
                processes.reap_all(self._reap)

    def _let_go(self):
        """What the code prints is the kernel's to write; and whatever the host's process had open, the code could find here."""
        null = open(devnull, O_RDWR)
        for descriptor in (0, 1, 2, 4):
            dup2(null, descriptor)
        descriptors.close_strays({_FRAMES, 4, _CONTROL, self._bell, self._ring, self._lineage.line})

    def _wait(self):
        waiter = poll()
        waiter.register(self._bell, POLLIN)
        waiter.register(_CONTROL, POLLIN)
        if not self._lineage.is_cut:
            waiter.register(self._lineage.line, POLLIN)
        if self._kernel is None and not self._is_over:
            waiter.register(_FRAMES, POLLIN)
        is_deaf = self._lineage.is_cut and self._kernel is not None
        ready = waiter.poll(_LAST_WORDS_MS if is_deaf else None)
        if not ready:
            self._is_given_up = True
            self._sweep()
        return [descriptor for descriptor, _ in ready]

    def _hear_host(self):
        try:
            data = read(_CONTROL, 4096)
        except OSError:
            data = b""  # So it ends where the host has left something unread.
        if not data:
            self._lineage.give_up()
            self._sweep()
            _exit(0)  # The host is gone, and with it every reason to go on.
        *lines, self._words = (self._words + data).split(b"\n")
        for line in lines:
            if line == b"kill":
                self._sweep()
            elif line == b"end":
                self._lineage.give_up()
                self._sweep()
            elif line.startswith(b"wake ") and self._kernel is None and not self._is_over:
                self._wake(line[5:])

    def _sweep(self):
        """The copy is spared: that of which the kernel has told by now."""
        self._lineage.hear()
        kernel = self._kernel
        self._killed |= processes.sweep(self._lineage.spared, self._reap, self._twins.pids) - {kernel}
        self._lineage.is_cut = True

    def _reap(self, pid, status):
        if pid == self._kernel:
            self._kernel, self._status = None, status
        else:
            self._lineage.has_ended(pid)
            self._twins.has_ended(pid)
            if self._is_over and not self._twins.pids:
                _exit(0)

    def _end(self, status):
        """Of a kernel. Without a copy it is that of all."""
        self._status = None
        self._sweep()
        code, number = (None, WTERMSIG(status)) if WIFSIGNALED(status) else (WEXITSTATUS(status), None)
        has_copy = self._lineage.has_copy
        self._is_over = not has_copy
        stays = self._is_over and bool(self._twins.pids)
        write(_CONTROL, _END % tuple(map(_json, (code, number, self._is_given_up, has_copy, stays))))
        self._is_given_up = False
        if self._is_over and not stays:
            _exit(code if number is None else _SIGNALLED + number)

    def _wake(self, nonce):
        self._drain()
        if not self._lineage.has_copy:
            _exit(_SIGNALLED + 9)
        self._kernel = self._lineage.succeed(len(self._killed), nonce)
        self._killed = set()

    def _drain(self):
        """What the host said to the kernel that has ended is not for the one that goes on."""
        frames = socket(fileno=_FRAMES)
        try:
            while frames.recv(65536, MSG_DONTWAIT):
                pass
        except BlockingIOError:
            pass
        finally:
            frames.detach()


def _json(value):
    """Without the library's, which takes its time to load."""
    return b"null" if value is None else str(value).lower().encode("ascii")


def _hide():
    """The code must not look into this process; and orphans come to it, as they do to the first of a namespace by themselves."""
    confine.hide()
    if getpid() != 1:
        confine.adopt()
