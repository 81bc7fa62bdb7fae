"""A kernel as the supervisor starts it: by a fork, with everything loaded, and with the descriptors that a kernel expects."""

from _signal import SIG_DFL, SIGCHLD, set_wakeup_fd, signal
from _socket import socketpair
from fcntl import F_DUPFD_CLOEXEC, fcntl
from os import O_RDONLY, O_WRONLY, _exit, close, closerange, devnull, dup2, fork, open, read, set_blocking, setsid, write
from select import POLLIN, POLLOUT
from sys import exc_info, excepthook
from time import sleep

import checkpoint
import lineage
import oom
import outbox
import processes

_OUT_OF_THE_WAY = 100
_CHUNK = 65536
_TRICKLE = 512
_TRIES, _PAUSE_SECONDS = 100, 0.01


class KernelProcess:
    """The supervisor's ends of a kernel's descriptors: `streams` is what can be read, by name. `twins` are those that it starts."""

    def __init__(self, twins):
        self._twins = twins
        self._lineage = None

    def start(self, ident, run, ignored_signals, confinement, limit):
        """With a limit checkpoints are taken."""
        theirs, copies = self._begin(ident), ()
        if limit is not None:
            ours, line = lineage.channel()
            copies = (line,)
            self._lineage = lineage.Lineage(ours, limit, self._twins)
            self._lineage.let_kernel_run()
        self.pid = _fork()
        if self.pid == 0:
            _become_kernel(theirs, run, ignored_signals, confinement, copies and (*copies, limit))
        for descriptor in (*theirs, *copies):
            close(descriptor)

    def wake(self, ident, copy, waker, limit):
        """Goes on with a copy that sleeps."""
        ours, theirs = lineage.channel()
        close(theirs)
        self._lineage = lineage.Lineage(ours, limit, self._twins)
        self._lineage.adopt(copy, waker)
        self.pid = self._lineage.succeed(0, streams=self._begin(ident))

    def _begin(self, ident):
        """Gives the kernel's ends of its streams."""
        self.ident = ident
        self.status = None  # As the system tells it, once the process has ended.
        self.is_given_up = False
        self._has_news = True
        self.trickles = 0  # How often little was read since the kernel spoke last.
        self._killed = set()
        self._oom_kills = oom.kills()
        ends = [[end.detach() for end in socketpair()] for _ in range(4)]
        for ours, _ in ends:
            set_blocking(ours, False)
        stdout, stderr, self._frames, self._interrupts = (ours for ours, _ in ends)
        self._outbox = outbox.Outbox(self._frames)
        self.streams = [(b"stdout", stdout), (b"stderr", stderr), (b"kernel", self._frames)]
        self._ended = set()
        return [theirs for _, theirs in ends]

    @property
    def line(self):
        """Where the kernel tells of its copies, while it does."""
        return None if self._lineage is None or self._lineage.is_cut else self._lineage.line

    def hear(self):
        """Whether it asks for a copy to go on in its place."""
        self._lineage.hear()
        self._has_news = True
        return self._lineage.is_to_go_back

    def has_ended(self, pid, status):
        """Of any process that was this one's or has come to it."""
        self._twins.has_ended(pid)
        if pid == self.pid:
            self.status = status
        elif self._lineage is not None:
            self._lineage.has_ended(pid)

    @property
    def has_news(self):
        """Whether there is something else to wait for."""
        return self._has_news or self._outbox.has_news

    @property
    def is_copied(self):
        return self._lineage is not None

    @property
    def has_copy(self):
        return self._lineage is not None and self._lineage.has_copy

    def sweep(self):
        """Ends all that was started but the copy. False where there is none that could be spared."""
        if self._lineage is not None:
            self._lineage.hear()
        if not self.has_copy:
            return False
        self._killed |= processes.sweep(self._lineage.spared, self.has_ended, self._twins.pids) - {self.pid}
        self._lineage.is_cut = True
        return True

    def give_copy_up(self):
        if self._lineage is not None:
            self._lineage.give_up()

    def succeed(self, ident):
        """The copy goes on, under another name: what is on its way to the one that has ended is not for it."""
        killed = len(self._killed)
        self._close_streams()
        self.pid = self._lineage.succeed(killed, streams=self._begin(ident))

    def watched(self):
        """What to wait for, as (descriptor, events); asked again when it `has_news`."""
        self._has_news = False
        self._outbox.has_news = False
        writes = POLLOUT if self._outbox.is_waiting else 0
        for _, descriptor in self.streams:
            if descriptor not in self._ended:
                yield descriptor, POLLIN | writes if descriptor == self._frames else POLLIN
        if self.line is not None:
            yield self.line, POLLIN

    @property
    def is_cut(self):
        """Whether the channel is closed at its other end."""
        return self._frames in self._ended or (self._lineage is not None and self._lineage.is_cut)

    @property
    def died_of_memory(self):
        return oom.kills() > self._oom_kills

    def send(self, data):
        """A kernel that computes does not read, and the supervisor must not wait for it."""
        self._outbox.send(data)

    def flush(self):
        self._outbox.flush()

    def interrupt(self, cell):
        try:
            write(self._interrupts, cell + b"\n")
        except OSError:
            pass  # It is gone, or has so many waiting that one more says nothing new.

    def take(self, descriptor):
        """What can be read at once; empty at the end, None where nothing is there yet."""
        try:
            data = read(descriptor, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            self._ended.add(descriptor)
            self._has_news = True
        if descriptor == self._frames:
            self.trickles = 0
        elif len(data) < _TRICKLE:
            self.trickles += 1
        return data

    def close(self):
        self._close_streams()
        if self._lineage is not None:
            self._lineage.close()

    def _close_streams(self):
        for _, descriptor in self.streams:
            close(descriptor)
        close(self._interrupts)


def _fork():
    """Right after a crowd of processes was killed there may be no room yet for another."""
    for _ in range(_TRIES):
        try:
            return fork()
        except BlockingIOError:
            sleep(_PAUSE_SECONDS)
    return fork()


def _become_kernel(descriptors, run, ignored_signals, confinement, copies):
    """Never returns. Nothing of the supervisor's stays open."""
    try:
        checkpoints = checkpoint.Checkpoints(*copies) if copies else None
        set_wakeup_fd(-1)
        for number in (SIGCHLD, *ignored_signals):
            signal(number, SIG_DFL)
        setsid()
        null = open(devnull, O_RDONLY)
        moved = [fcntl(descriptor, F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY) for descriptor in (null, *descriptors)]
        for number, descriptor in enumerate(moved):
            dup2(descriptor, number)
        _close_others(len(moved), checkpoints.descriptors if checkpoints else ())
        confinement.confine()
        _die_first()
        run(checkpoints)
    except BaseException:
        excepthook(*exc_info())
    finally:
        _exit(1)


def _close_others(first, kept):
    for number in sorted(kept):
        closerange(first, number)
        first = number + 1
    closerange(first, 1024)


def _die_first():
    """Where memory runs out it is the code that has taken it, not the supervisor."""
    try:
        file = open("/proc/self/oom_score_adj", O_WRONLY)
        write(file, b"1000")
        close(file)
    except OSError:
        pass
