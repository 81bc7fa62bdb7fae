"""A kernel and the copies of it that wait to take its place, as their keeper has them."""

from _socket import AF_UNIX, MSG_DONTWAIT, SCM_RIGHTS, SOCK_SEQPACKET, SOL_SOCKET, socket, socketpair
from array import array
from os import close

import handed
import processes

_MOST_KEPT = 8
_WAKE = b'{"killed": %d, "nonce": "%s", "name": "%s", "was_chosen": %s}'


class Lineage:
    """`line` leads to the kernel. A line that `is_cut` is that of a kernel which has ended,
    or has closed all that it had.

    The latest copy, which the kernel takes by itself, is replaced by the next. Those that were asked for have names, and are kept:
    the newest few, which together stand for no more than `limit` bytes. `twins` is told of those that the kernel has started.
    """

    def __init__(self, line, limit, twins):
        self._line, self._limit, self._twins = socket(fileno=line), limit, twins
        self._latest = None
        self._kept = {}
        self._chosen = None
        self._retired = set()
        self.is_cut = False

    @property
    def line(self):
        return self._line.fileno()

    @property
    def has_copy(self):
        """Whether there is one to go on. Where there is none of what the last cell left, an older one is better than nothing."""
        return bool(self._copies())

    @property
    def spared(self):
        """Those that are not to be killed: the copies, and what is on its way out anyway."""
        return self._retired.union(copy.pid for copy in self._copies())

    def let_kernel_run(self):
        """It waits for that, before any code runs in it."""
        self._line.send(b".")

    def adopt(self, pid, waker):
        """A copy that is there already, to go on."""
        self._latest = Copy(pid, 0, socket(fileno=waker))

    def hear(self):
        """A kernel in which the code goes about may say anything: believed, it can harm nobody but itself."""
        while not self.is_cut:
            try:
                message, descriptors = handed.receive(self._line, MSG_DONTWAIT)
            except BlockingIOError:
                return
            except OSError:
                message, descriptors = b"", []
            self.is_cut = not message
            self._take_in(message.split(b" "), [socket(fileno=descriptor) for descriptor in descriptors])

    @property
    def is_to_go_back(self):
        """Whether the kernel has asked for a copy to go on in its place."""
        return self._chosen is not None

    def has_ended(self, pid):
        """Whoever adopts the copies hears of their ends."""
        self._retired.discard(pid)
        if self._latest is not None and self._latest.pid == pid:
            self._latest = None
        for name in [name for name, copy in self._kept.items() if copy.pid == pid]:
            del self._kept[name]

    def give_up(self):
        """The copies are to go as well."""
        self.hear()
        self._latest = None
        self._kept = {}
        self.is_cut = True

    def succeed(self, killed, nonce=b"", streams=()):
        """Has a copy go on, and gives its process id. `streams` are descriptors to go on with, handed over."""
        name, was_chosen, copy = self._heir()
        self._line.close()
        ours, theirs = channel()
        self._line = socket(fileno=ours)
        self.is_cut = False
        given = array("i", [theirs, *streams])
        words = _WAKE % (killed, nonce, name, b"true" if was_chosen else b"false")
        copy.waker.sendmsg([words], [(SOL_SOCKET, SCM_RIGHTS, given)])
        for descriptor in given:
            close(descriptor)
        return copy.pid

    def close(self):
        self._line.close()

    def _heir(self):
        """One that has a name leaves a copy by that name when it goes on."""
        name, self._chosen = self._chosen, None
        was_chosen = name in self._kept
        if self._latest is not None and not was_chosen:
            heir, self._latest = self._latest, None
            return b"", False, heir
        self._replace_latest(None)
        if not was_chosen:
            name = next(reversed(self._kept))
        return name, was_chosen, self._kept.pop(name)

    def _copies(self):
        return [*([] if self._latest is None else [self._latest]), *self._kept.values()]

    def _take_in(self, words, streams):
        """`none`; `restore` or `release` and a name; `copy`, its process, its bytes, and its name where it has one, with what wakes it; `twin`, the
        process of its supervisor, and its name, with a stream where there is one."""
        if words == [b"none"]:
            self._replace_latest(None)
        elif words[0] == b"restore" and words[1:]:
            self._choose(words[1])
        elif words[0] == b"release" and words[1:]:
            self._release(words[1])
        elif words[0] == b"twin" and len(words) == 3 and words[1].isdigit():
            self._twins.add(int(words[1]), words[2], *streams[:1] or [None])
        elif words[0] == b"copy" and len(streams) == 1 and all(map(bytes.isdigit, words[1:3])):
            copy = Copy(*map(int, words[1:3]), streams[0])
            if copy.pid > 1 and words[3:]:
                self._keep(words[3], copy)
            elif copy.pid > 1:
                self._replace_latest(copy)

    def _choose(self, name):
        if name in self._kept:
            self._chosen = name
        else:
            self._line.send(b"-", MSG_DONTWAIT)

    def _release(self, name):
        if name in self._kept:
            self._end(self._kept.pop(name))

    def _replace_latest(self, copy):
        if self._latest is not None:
            self._end(self._latest)
        self._latest = copy

    def _keep(self, name, copy):
        self._kept[name] = copy
        while len(self._kept) > 1 and (len(self._kept) > _MOST_KEPT or self._size() > self._limit):
            self._end(self._kept.pop(next(iter(self._kept))))

    def _size(self):
        return sum(copy.size for copy in self._kept.values())

    def _end(self, copy):
        processes.end(copy.pid)
        self._retired.add(copy.pid)


class Copy:
    """It sleeps until `waker` has something for it. `size`: bytes of memory that the kernel had."""

    def __init__(self, pid, size, waker):
        self.pid = pid
        self.size = size
        self.waker = waker


def channel():
    """The two ends of a line between a keeper and its kernel: the keeper's first."""
    return [end.detach() for end in socketpair(AF_UNIX, SOCK_SEQPACKET)]
