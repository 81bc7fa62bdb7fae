"""A kernel and the copy that waits to take its place, as their keeper has them."""

from _socket import SCM_RIGHTS, SOL_SOCKET, socket, socketpair
from array import array
from os import close, pipe, read, set_blocking

import processes


class Lineage:
    """`descriptors` are the keeper's own. `tell` is the one to listen at; what ends there is `is_cut`: the kernel is, or has closed all."""

    def __init__(self, tell, waker):
        set_blocking(tell, False)
        self.tell, self._waker = tell, socket(fileno=waker)
        self.copy = None
        self.is_cut = False
        self._retired = set()

    @property
    def spared(self):
        """Those that are not to be killed: the copy, and what is on its way out anyway."""
        return self._retired if self.copy is None else self._retired | {self.copy}

    @property
    def descriptors(self):
        return {self.tell, self._waker.fileno()}

    def let_kernel_run(self):
        """It waits for that, before any code runs in it."""
        self._waker.send(b".")

    def hear(self):
        """A kernel in which the code goes about may say anything: believed, it can harm nobody but itself."""
        if self.is_cut:
            return
        try:
            data = read(self.tell, 65536)
        except BlockingIOError:
            return
        self.is_cut = not data
        for line in data.split(b"\n"):
            if line == b"none":
                self._replace(None)
            elif line.startswith(b"copy ") and line[5:].isdigit() and int(line[5:]) > 1:
                self._replace(int(line[5:]))

    def has_ended(self, pid):
        """Whoever adopts the copies hears of their ends."""
        self._retired.discard(pid)
        if pid == self.copy:
            self.copy = None

    def succeed(self, message, streams=()):
        """Has the copy go on, and gives its process id. `message` is JSON; `streams` are descriptors to go on with, handed over."""
        close(self.tell)
        self.tell, teller = pipe()
        set_blocking(self.tell, False)
        self.is_cut = False
        handed = array("i", [teller, *streams])
        self._waker.sendmsg([message], [(SOL_SOCKET, SCM_RIGHTS, handed)])
        for descriptor in handed:
            close(descriptor)
        pid, self.copy = self.copy, None
        return pid

    def close(self):
        for descriptor in self.descriptors:
            close(descriptor)
        self._waker.detach()

    def _replace(self, copy):
        if self.copy is not None:
            processes.end(self.copy)
            self._retired.add(self.copy)
        self.copy = copy


def channels():
    """For a keeper, what a lineage is made from; and for its kernel, what checkpoints are."""
    tell, teller = pipe()
    waker, sleeper = socketpair()
    return (tell, waker.detach()), (teller, sleeper.detach())
