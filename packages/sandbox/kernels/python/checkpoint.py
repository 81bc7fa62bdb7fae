"""Checkpoints: a copy of the kernel, taken between two cells, that waits, and goes on in its place where it has ended.

The kernel forks twice, so that the copy is a child of its keeper and not one that the code could wait for. All of memory is in
the copy, and costs nothing until the kernel changes it. Threads are not in it; files, and where they are read, are not of memory.
"""

from _signal import SIG_BLOCK, SIG_DFL, SIGCHLD, getsignal, pthread_sigmask, signal, valid_signals
from _socket import CMSG_SPACE, MSG_CMSG_CLOEXEC, socket
from array import array
from fcntl import F_DUPFD_CLOEXEC, fcntl
from mmap import PAGESIZE, mmap
from os import O_RDONLY, O_WRONLY, _exit, close, fork, getcwd, open, read, setsid, waitpid, write
from select import POLLIN, poll

import revival
import values

_MOST_DESCRIPTORS = 5
_PRIVATE = 200


class Checkpoints:
    """`limit`: bytes of memory of its own up to which the kernel is copied."""

    def __init__(self, tell, wake, limit):
        self._tell, self._wake, self._limit = _moved(tell), _moved(wake), limit
        self._cells = mmap(-1, PAGESIZE)  # The number of the last cell that ended, for the kernel and its copies alike.
        self._number = 0
        self._failure = None
        self._is_due = self._may_run = False
        self._folder = getcwd()

    def await_keeper(self):
        """Returns once the keeper is ready for whatever code may do."""
        if not self._may_run:
            read(self._wake, 1)
            self._may_run = True

    @property
    def descriptors(self):
        return {self._tell, self._wake}

    @property
    def is_due(self):
        """Whether there is something that no copy has."""
        return self._is_due

    def told(self):
        """The cell's end was told: from here on a copy that was taken before it is behind."""
        self._number += 1
        self._cells[:8] = self._number.to_bytes(8, "little")

    def end_cell(self):
        """Gives the reason why what the cell has left will not be copied, or None."""
        held = _memory()
        self._is_due = held <= self._limit
        if not self._is_due:
            self._drop()
            return "the session holds %s of memory, and checkpoints are taken up to %s" % (_told(held), _told(self._limit))
        failure, self._failure = self._failure, None
        return failure

    def take(self):
        """Gives None; and in the copy, once it is woken, what there is to know."""
        self._is_due = False
        self._failure = None
        memory = revival.Memory(self._folder)
        handler = getsignal(SIGCHLD)
        if handler is not None:
            signal(SIGCHLD, SIG_DFL)  # The end of the process in between is none of the code's business.
        try:
            is_copy = self._fork()
        except OSError as error:
            self._drop()
            self._failure = "no checkpoint could be taken: %s" % error.strerror
            self._is_due = True  # Before the next cell it is tried again.
            is_copy = False
        finally:
            if handler is not None:
                signal(SIGCHLD, handler)
        return self._sleep(memory) if is_copy else None

    def _fork(self):
        pid = fork()
        if pid:
            try:
                status = waitpid(pid, 0)[1]
            except ChildProcessError:
                status = 0
            if status:
                raise OSError(status >> 8, "the system gave no process")
            return False
        try:
            pid = fork()
        except BaseException:
            _exit(1)
        if pid:
            # By this process, which the kernel waits for: its keeper knows of the copy before the next cell begins.
            write(self._tell, b"copy %d\n" % pid)
            _exit(0)
        return True

    def _drop(self):
        write(self._tell, b"none\n")

    def _sleep(self, memory):
        """In the copy. Whoever kills groups of processes does not find it, and no signal wakes it."""
        number = self._number
        close(self._tell)  # By its end the keeper knows that a kernel has closed all that it had.
        setsid()
        pthread_sigmask(SIG_BLOCK, valid_signals())
        memory.keep()
        spared = _spare_of_memory_killer()
        message, descriptors = self._receive()
        if not message:
            _exit(0)
        if spared:
            _set_badness(spared)
        teller, *streams = descriptors
        self._tell = _moved(teller)
        awake = Awake(streams, **values.loads(message))
        awake.is_behind = int.from_bytes(self._cells[:8], "little") != number
        awake.memory = memory
        self._is_due = True
        return awake

    def _receive(self):
        waker = socket(fileno=self._wake)
        waiter = poll()  # Whether a read waits is up to the kernel too, which has the same socket.
        waiter.register(waker, POLLIN)
        waiter.poll()
        size = array("i").itemsize * _MOST_DESCRIPTORS
        message, parts, _, _ = waker.recvmsg(65536, CMSG_SPACE(size), MSG_CMSG_CLOEXEC)
        waker.detach()
        found = array("i")
        for _, _, data in parts:
            found.frombytes(data[: len(data) - len(data) % found.itemsize])
        return message, list(found)


class Awake:
    """What a copy that was woken is told. `streams`: new ones, of its own, where it does not go on with those of the dead."""

    def __init__(self, streams, killed, nonce=""):
        self.streams = streams
        self.killed = killed
        self.nonce = nonce.encode("ascii")


def _moved(descriptor):
    """To a number that code does not come upon."""
    private = fcntl(descriptor, F_DUPFD_CLOEXEC, _PRIVATE)
    close(descriptor)
    return private


def _memory():
    """Bytes of this process's own; 0 where the system does not tell."""
    try:
        file = open("/proc/self/statm", O_RDONLY)
    except OSError:
        return 0
    try:
        _, resident, shared = read(file, 200).split()[:3]
        return (int(resident) - int(shared)) * PAGESIZE
    finally:
        close(file)


def _told(size):
    return "%.1f GB" % (size / 2**30) if size >= 2**30 else "%d MB" % (size / 2**20)


_BADNESS = "/proc/self/oom_score_adj"


def _spare_of_memory_killer():
    """Where memory runs out the kernel is to go, and the copy to stay. Gives what was to happen, to be set again."""
    try:
        file = open(_BADNESS, O_RDONLY)
        before = read(file, 20)
        close(file)
        if int(before) > 0:
            _set_badness(b"0")
            return before
    except (OSError, ValueError):
        pass
    return None


def _set_badness(badness):
    try:
        file = open(_BADNESS, O_WRONLY)
        write(file, badness)
        close(file)
    except OSError:
        pass
