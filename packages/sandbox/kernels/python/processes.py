"""Processes: those that descend from one, found, and ended."""

from _signal import SIGKILL, SIGSTOP
from os import O_RDONLY, WNOHANG, close, getpid, kill, listdir, open, read, waitpid
from time import monotonic, sleep

_PAUSE_SECONDS, _STOPPING_SECONDS, _MOST_SECONDS = 0.0005, 1.0, 2.0


def everything():
    """Ends every process that there is, but for this one and the first: for a place in which there is nobody else."""
    _signal(-1, SIGKILL)


def sweep(spared=frozenset(), reap=None, apart=frozenset()):
    """Ends all below this process but the spared, and all that they still start; gives their ids. Orphans must come to this process:
    see `confine`. `reap` is told of the children that have ended; without it, they are left to be waited for.
    Those that are `apart` are left alone, with all that is below them."""
    stopped, killed = set(), set()
    begun, quiet = monotonic(), 0
    # One whose parent ended while they were counted is nobody's for a moment: what is not there twice is not there.
    while quiet < 2 and monotonic() - begun < _MOST_SECONDS:
        found = below({getpid()}, alive(), apart) - spared
        running = found - stopped if monotonic() - begun < _STOPPING_SECONDS else None
        if running:  # One that is killed makes room for those that others start; one that is stopped does not.
            _signal_all(running, SIGSTOP)
            stopped |= running
        else:
            _signal_all(found, SIGKILL)
            killed |= found
        quiet = 0 if found else quiet + 1
        if reap is not None:
            reap_all(reap)
        if found:
            sleep(_PAUSE_SECONDS)
    return killed


def end(pid):
    _signal(pid, SIGKILL)


def reap_all(reap):
    try:
        pid, status = waitpid(-1, WNOHANG)
        while pid:
            reap(pid, status)
            pid, status = waitpid(-1, WNOHANG)
    except ChildProcessError:
        pass


def family(pid):
    """A process, those of its session, and all that descend from them."""
    everyone = alive()
    nearest = {pid, *(one for one, (_, session) in everyone.items() if session == pid)}
    return nearest | below(nearest, everyone)


def below(roots, everyone, apart=frozenset()):
    children = {}
    for pid, (parent, _) in everyone.items():
        children.setdefault(parent, []).append(pid)
    found, queue = set(), list(roots)
    while queue:
        for pid in children.get(queue.pop(), ()):
            if pid not in found and pid not in apart:
                found.add(pid)
                queue.append(pid)
    return found


def alive():
    """(parent, session) of every process that has not ended, by its id."""
    found = {}
    for name in listdir("/proc"):
        if name.isdigit():
            about = _about(name)
            if about is not None:
                found[int(name)] = about
    return found


def _about(pid):
    try:
        file = open("/proc/%s/stat" % pid, O_RDONLY)
        try:
            # "pid (name) state parent group session …": the name may hold anything.
            fields = read(file, 1000).rpartition(b")")[2].split()
        finally:
            close(file)
        state, parent, _, session = fields[:4]
        # What has ended may be the main thread alone.
        has_ended = state in (b"Z", b"X") and int(fields[17]) < 2
        return None if has_ended else (int(parent), int(session))
    except (OSError, ValueError, IndexError):
        return None


def _signal_all(pids, number):
    for pid in pids:
        _signal(pid, number)


def _signal(pid, number):
    try:
        kill(pid, number)
    except OSError:
        pass
