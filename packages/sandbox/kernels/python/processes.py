"""The processes that this one has started, and those that they have: found, and killed."""

from _signal import SIGKILL
from os import O_RDONLY, WNOHANG, close, getpid, kill, listdir, open, read, waitpid
from time import monotonic, sleep

_PAUSE_SECONDS, _MOST_SECONDS = 0.0005, 2.0


def sweep(spared, reap=lambda pid, status: None, apart=frozenset()):
    """Kills all but the spared, and all that they still start; gives their ids. Orphans must come to this process: see `confine`.
    `reap` is told of the children that have ended. Those that are `apart` are left alone, with all that is below them."""
    killed = set()
    until = monotonic() + _MOST_SECONDS
    quiet = 0
    # One whose parent ended while they were counted is nobody's for a moment: what is not there twice is not there.
    while quiet < 2 and monotonic() < until:
        found = descendants(apart) - spared
        for pid in found:
            end(pid)
        killed |= found
        quiet = 0 if found else quiet + 1
        reap_all(reap)
        if found:
            sleep(_PAUSE_SECONDS)
    return killed


def end(pid):
    try:
        kill(pid, SIGKILL)
    except OSError:
        pass


def reap_all(reap):
    try:
        pid, status = waitpid(-1, WNOHANG)
        while pid:
            reap(pid, status)
            pid, status = waitpid(-1, WNOHANG)
    except ChildProcessError:
        pass


def descendants(apart=frozenset()):
    """Those that are alive."""
    children = {}
    for name in listdir("/proc"):
        if name.isdigit():
            parent = _parent(name)
            if parent is not None:
                children.setdefault(parent, []).append(int(name))
    found, queue = set(), [getpid()]
    while queue:
        for pid in children.get(queue.pop(), ()):
            if pid not in found and pid not in apart:
                found.add(pid)
                queue.append(pid)
    return found


def _parent(pid):
    """None for one that has ended."""
    try:
        file = open("/proc/%s/stat" % pid, O_RDONLY)
        try:
            # "pid (name) state parent …": the name may hold anything.
            state, parent = read(file, 1000).rpartition(b")")[2].split()[:2]
        finally:
            close(file)
    except (OSError, ValueError):
        return None
    return None if state in (b"Z", b"X") else int(parent)
