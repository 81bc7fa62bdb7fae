"""Checkpoints: a copy of the kernel, taken between two cells, that waits, and goes on in its place where it has ended.

The kernel forks twice, so that the copy is a child of its keeper and not one that the code could wait for. All of memory is in
the copy, and costs nothing until the kernel changes it. Threads are not in it; files, and where they are read, are not of memory.
"""

from _signal import SIG_BLOCK, SIG_DFL, SIGCHLD, getsignal, pthread_sigmask, signal, valid_signals
from _socket import SCM_RIGHTS, SOL_SOCKET, socket, socketpair
from array import array
from fcntl import F_DUPFD_CLOEXEC, fcntl
from mmap import PAGESIZE, mmap
from os import O_RDONLY, O_WRONLY, _exit, close, fork, getcwd, open, read, setsid, waitpid, write

import handed
import revival
import twin
import values

_PRIVATE = 200


class Checkpoints:
    """`limit`: bytes of memory of its own up to which the kernel is copied."""

    def __init__(self, line, limit):
        self._line, self._limit = _moved(line), limit
        self._cells = mmap(-1, PAGESIZE)  # The number of the last cell that ended, for the kernel and its copies alike.
        self._number = 0
        self._failure = None
        self._is_due = self._may_run = False
        self._folder = getcwd()

    def await_keeper(self):
        """Returns once the keeper is ready for whatever code may do."""
        if not self._may_run:
            read(self._line, 1)
            self._may_run = True

    @property
    def descriptors(self):
        return {self._line}

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
        held = self.outdate()
        if not self._is_due:
            write(self._line, b"none")
            return self._too_large(held)
        failure, self._failure = self._failure, None
        return failure

    def outdate(self):
        """The last copy, if there is one, lacks what has changed. Gives how much memory the next one would be of."""
        held = _memory()
        self._is_due = held <= self._limit
        return held

    def take(self):
        """Gives None; and in the copy, once it is woken, what there is to know."""
        self._is_due = False
        self._failure = None
        try:
            return self._copy(lambda waker: self._sleep_here(b"", waker))
        except OSError as error:
            write(self._line, b"none")
            self._failure = _no_process(error)
            self._is_due = True  # Before the next cell it is tried again.
            return None

    def keep(self, name):
        """As `take`, of a copy that is to be found by its name; first the reason where there is none."""
        return self._attempt_copy(lambda waker: self._sleep_here(b" " + name, waker))

    def fork(self, name, door, arguments, folder):
        """As `keep`, of a copy that goes on in the folder, below a supervisor of its own."""
        return self._attempt_copy(lambda waker: self._sleep_there(name.encode("ascii"), door, (arguments, folder), waker), folder)

    def _too_large(self, held):
        return "the session holds %s of memory, and checkpoints are taken up to %s" % (_told(held), _told(self._limit))

    def give_way(self, name):
        """Has the copy of that name go on. Returns only where there is none."""
        write(self._line, b"restore " + name)
        read(self._line, 1)

    def release(self, name):
        """The copy of that name is not needed any more."""
        write(self._line, b"release " + name)

    def _attempt_copy(self, descend, folder=None):
        held = _memory()
        if held > self._limit:
            return self._too_large(held), None
        try:
            return None, self._copy(descend, folder)
        except OSError as error:
            return _no_process(error), None

    def _copy(self, descend, folder=None):
        memory = revival.Memory(self._folder)
        handler = getsignal(SIGCHLD)
        if handler is not None:
            signal(SIGCHLD, SIG_DFL)  # The end of the process in between is none of the code's business.
        try:
            sleeper = self._fork(descend)
        finally:
            if handler is not None:
                signal(SIGCHLD, handler)
        return None if sleeper is None else self._sleep(sleeper, memory, folder)

    def _fork(self, descend):
        """In the copy, gives what it sleeps at. `descend(waker)` forks it, in a process in between, and is true in it."""
        waker, sleeper = socketpair()
        pid = fork()
        if pid:
            try:
                status = waitpid(pid, 0)[1]
            except ChildProcessError:
                status = 0
            waker.close()
            sleeper.close()
            if status:
                raise OSError(status >> 8, "the system gave no process")
            return None
        try:
            _step_aside()
            is_copy = descend(waker)
        except BaseException:
            _exit(1)
        if not is_copy:
            _exit(0)
        waker.close()
        return sleeper

    def _sleep_here(self, name, waker):
        """By the process in between, which the kernel waits for: its keeper knows of the copy before the next cell begins."""
        pid = fork()
        if pid:
            self._tell(b"copy %d %d%s" % (pid, _memory(), name), waker)
        return not pid

    def _sleep_there(self, name, door, place, waker):
        arguments, folder = place
        stream, given = twin.call(door)
        pid = fork()
        if pid:
            self._tell(b"twin %d %s" % (pid, name), *given)
            return False
        _spare_of_memory_killer()
        copy = fork()
        if copy:
            twin.supervise(arguments, stream.fileno(), copy, waker.fileno(), (self._folder, folder))
        stream.close()
        return True

    def _tell(self, message, *given):
        line = socket(fileno=self._line)
        line.setblocking(True)  # Whatever the code has made the default.
        line.sendmsg([message], [(SOL_SOCKET, SCM_RIGHTS, array("i", [one.fileno() for one in given]))] if given else [])
        line.detach()

    def _sleep(self, sleeper, memory, folder):
        """In the copy."""
        number = self._number
        setsid()
        memory.keep()
        spared = _spare_of_memory_killer()
        awake = None
        while sleeper is not None:
            close(self._line)  # By its end the keeper knows that a kernel has closed all that it had.
            for descriptor in awake.streams if awake else ():
                close(descriptor)
            awake = self._wait(sleeper, memory)
            # One with a name can go on again: its own copy sleeps on in its place.
            sleeper = self._attempt_fork(awake.name) if awake.name else None
        if spared:
            _set_badness(spared)
        if folder is not None:
            self._cells, self._folder, awake.folder = mmap(-1, PAGESIZE), folder, folder
        else:
            self._number = int.from_bytes(self._cells[:8], "little")
            awake.cells_behind = 0 if awake.was_chosen else self._number - number
        self._is_due = True
        return awake

    def _wait(self, sleeper, memory):
        sleeper.setblocking(True)
        message, descriptors = handed.receive(sleeper)
        sleeper.close()
        if not message:
            _exit(0)
        line, *streams = descriptors
        self._line = _moved(line)
        return Awake(memory, streams, **values.loads(message))

    def _attempt_fork(self, name):
        try:
            return self._fork(lambda waker: self._sleep_here(b" " + name, waker))
        except OSError:
            return None


class Awake:
    """What a copy that was woken is told. `streams`: new ones, of its own, where it does not go on with those of the dead."""

    def __init__(self, memory, streams, killed, nonce, name, was_chosen):
        self.memory = memory
        self.streams = streams
        self.killed = killed
        self.nonce = nonce.encode("ascii")
        self.name = name.encode("ascii")
        self.was_chosen = was_chosen
        self.cells_behind = 0
        self.folder = None


def _no_process(error):
    return "no checkpoint could be taken: %s" % error.strerror


def _step_aside():
    """Before there is a copy: whoever kills groups of processes never finds it, and no signal wakes it."""
    setsid()
    pthread_sigmask(SIG_BLOCK, valid_signals())


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
