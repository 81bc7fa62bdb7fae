"""Interrupts: Python looks into memory that is shared with the host's end, every few instructions, and makes a signal of it."""

import signal


class Interrupts:
    def __init__(self, descriptor, wire):
        import _codeact_host  # Only there once a session runs.

        self._host = _codeact_host
        self._wire = wire
        self._is_armed = False
        self._is_due = False
        wire.on[b"interrupt"] = self._on_frame
        wire.on_unguarded = self._raise_if_due

    def arm(self, cell):
        """Before each cell: what the last one did to signals is undone, and interrupts are meant for this one."""
        signal.signal(signal.SIGINT, self._on_signal)
        self._is_due = False
        self._is_armed = True
        self._host.beginCell(cell.decode("ascii"))

    def disarm(self):
        self._is_armed = self._is_due = False
        self._host.beginCell("")

    def _on_signal(self, *_):
        self._is_due = self._is_armed
        self._raise_if_due()

    def _on_frame(self, number, _):
        """This ends the waiting for frames. Which cell is meant stands in the shared memory all the same."""
        if self._host.isInterruptedBy(int(number)):
            self._is_due = self._is_armed

    def _raise_if_due(self):
        if self._is_due and not self._wire.is_guarded:
            self._is_due = False
            raise KeyboardInterrupt
