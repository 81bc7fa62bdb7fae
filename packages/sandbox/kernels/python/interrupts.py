"""Interrupts: the host writes a cell's id to a descriptor, and the system turns that into a signal, whatever code is running."""

from fcntl import F_GETFL, F_SETFL, F_SETOWN, fcntl
from os import O_ASYNC, O_NONBLOCK, _exit, getpid, read

from _signal import SIG_SETMASK, SIGINT, SIGIO, pthread_sigmask, signal  # The plain ones: `signal` wraps them in Python.


class Interrupts:
    def __init__(self, descriptor, wire):
        self._fd = descriptor
        self._wire = wire
        self._cell = None
        self._named = None
        self._is_due = False
        wire.on_unguarded = self._raise_if_due
        self.come_back()

    def come_back(self):
        """The signal goes to one process: that in which this was called last."""
        fcntl(self._fd, F_SETOWN, getpid())
        flags = fcntl(self._fd, F_GETFL)
        self.arm(None)
        fcntl(self._fd, F_SETFL, flags | O_ASYNC | O_NONBLOCK)

    def arm(self, cell):
        """Before each cell: what the last one did to signals is undone, and interrupts are meant for this one."""
        self._cell = cell
        # On a busy machine it may be here before its cell.
        self._is_due = cell is not None and cell == self._named
        signal(SIGIO, self._on_news)
        signal(SIGINT, self._on_sigint)
        pthread_sigmask(SIG_SETMASK, ())
        self._raise_if_due()

    def disarm(self):
        self._cell = None
        self._is_due = False

    def _on_news(self, *_):
        # The signal says that something happened to the descriptor; only what it holds says what.
        try:
            names = read(self._fd, 4096)
        except BlockingIOError:
            return
        if not names:
            _exit(0)  # The host is gone: this is how a busy cell hears of it.
        self._named = names.split()[-1]
        if self._cell is not None and self._named == self._cell:
            self._is_due = True
            self._raise_if_due()

    def _on_sigint(self, *_):
        self._is_due = self._cell is not None
        self._raise_if_due()

    def _raise_if_due(self):
        if self._is_due and not self._wire.is_guarded:
            self._is_due = False
            raise KeyboardInterrupt
