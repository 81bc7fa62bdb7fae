"""Ending all that the code has started."""

from _signal import SIGKILL, SIGSTOP
from os import getpid, kill, listdir
from time import monotonic, sleep

_LONGEST_SECONDS = 1.0
_PAUSE_SECONDS = 0.001
_ZOMBIE, _STOPPED = "Z", "T"


def everything():
    """Every process that there is, but for this one and the first: for a place in which there is nobody else."""
    try:
        kill(-1, SIGKILL)
    except ProcessLookupError:
        pass


def descendants():
    """Every process below this one, which orphans must come to. They are stopped first, so that none can start another."""
    until = monotonic() + _LONGEST_SECONDS
    _all(SIGSTOP, (_ZOMBIE, _STOPPED), until)
    _all(SIGKILL, (_ZOMBIE,), until)


def _all(number, settled, until):
    """Sends a signal until all there are are settled. A process that the system holds may take its time; the rest is for later."""
    while monotonic() < until:
        restless = [pid for pid, state in _below(getpid()) if state not in settled]
        if not restless:
            return
        for pid in restless:
            try:
                kill(pid, number)
            except OSError:
                pass
        sleep(_PAUSE_SECONDS)


def _below(root):
    """(process, state) of all that descend from one."""
    children = {}
    for name in listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, "rb") as file:
                    # The name of the program, in brackets, can hold anything.
                    state, parent = file.read().rpartition(b")")[2].split()[:2]
            except (OSError, ValueError):
                continue
            children.setdefault(int(parent), []).append((int(name), state.decode("ascii")))
    found, above = [], [root]
    while above:
        below = children.get(above.pop(), ())
        found += below
        above += [pid for pid, _ in below]
    return found
