"""What a fork leaves behind, put right in a copy of the kernel that goes on; and what cannot be, found to be told."""

import gc
import stat
import sys
from _signal import set_wakeup_fd
from _thread import _count
from os import O_CREAT, O_EXCL, O_RDONLY, O_TRUNC, chdir, close, dup2, fstat, get_inheritable, getcwd, listdir, lseek, open, read, readlink, scandir
from time import clock_gettime_ns

_CLOCK_OF_FILES = 5  # CLOCK_REALTIME_COARSE, which Python has no name for.
_SEEK_SET, _SEEK_CUR = 0, 1
_MOST_FILES = 2000
_MOST_NAMES = 5
_KILLED = -9


class Memory:
    """What a copy needs of the moment in which it is taken; made before that."""

    def __init__(self, folder):
        self._folder = folder
        self._threads = _count()
        self._taken_at = clock_gettime_ns(_CLOCK_OF_FILES)
        self._offsets = _attempt(_offsets) or {}
        random = sys.modules.get("random")
        try:
            self._random = random.getstate()
        except Exception:
            self._random = None

    def keep(self):
        """In the copy, as soon as it is one. A fork gives `random` another seed."""
        if self._random is not None:
            try:
                sys.modules["random"].setstate(self._random)
            except Exception:
                pass

    def revive(self, private, awake):
        """Puts right what can be; gives what is lost, as phrases. `private` are descriptors of the kernel's own."""
        if awake.folder is None:
            _attempt(_restore_offsets, self._offsets)
        else:
            _attempt(_move, self._folder, awake.folder)
            _attempt(_open_again, self._offsets, self._folder, awake.folder)
        private = private | (_attempt(_revive_objects) or set())
        lost = _behind(awake.cells_behind)
        lost += _counted(self._threads, "thread", "threads") + _counted(awake.killed, "child process", "child processes")
        lost += _counted(_attempt(_sockets, private) or 0, "socket", "sockets")
        changed = None if awake.folder else _attempt(_changed, self._folder, self._taken_at)
        return lost + ["changes to files: %s" % _listed(changed)] if changed else lost


def _attempt(work, *arguments):
    """The code may have changed everything that this stands on."""
    try:
        return work(*arguments)
    except Exception:
        return None


def _behind(cells):
    if cells == 0:
        return []
    return ["what the cell before it did" if cells == 1 else "what the %d cells before it did" % cells]


def _counted(count, one, many):
    return ["%d %s" % (count, one if count == 1 else many)] if count else []


def _listed(names):
    shown = ", ".join(names[:_MOST_NAMES])
    return "%s and more" % shown if len(names) > _MOST_NAMES else shown


def _offsets():
    """Of the files that are open: where the kernel reads on, the copy would."""
    found = {}
    for descriptor in map(int, listdir("/proc/self/fd")):
        try:
            if stat.S_ISREG(fstat(descriptor).st_mode):
                found[descriptor] = lseek(descriptor, 0, _SEEK_CUR)
        except OSError:
            pass
    return found


def _restore_offsets(offsets):
    for descriptor, offset in offsets.items():
        lseek(descriptor, offset, _SEEK_SET)


def _move(source, folder):
    """A twin has a working directory of its own."""
    environment = sys.modules["os"].environ
    if environment.get("HOME") == source:
        environment["HOME"] = folder
    try:
        chdir(_moved(getcwd(), source, folder))
    except OSError:
        chdir(folder)


def _open_again(offsets, source, folder):
    """What two processes have from one `open` they read on in together."""
    for descriptor, offset in offsets.items():
        name = _moved(readlink("/proc/self/fd/%d" % descriptor), source, folder)
        try:
            own = open(name, _flags(descriptor))
        except OSError:
            continue  # It has no name any more.
        lseek(own, offset, _SEEK_SET)
        dup2(own, descriptor, inheritable=get_inheritable(descriptor))
        close(own)


def _moved(name, source, folder):
    return folder + name[len(source) :] if name == source or name.startswith(source + "/") else name


def _flags(descriptor):
    """Those with which it was opened, but for what would make or empty the file."""
    file = open("/proc/self/fdinfo/%d" % descriptor, O_RDONLY)
    try:
        lines = read(file, 4096).split(b"\n")
    finally:
        close(file)
    flags = next(int(line.split()[1], 8) for line in lines if line.startswith(b"flags:"))
    return flags & ~(O_CREAT | O_EXCL | O_TRUNC)


def _sockets(private):
    count = 0
    for descriptor in map(int, listdir("/proc/self/fd")):
        try:
            is_socket = readlink("/proc/self/fd/%d" % descriptor).startswith("socket:")
        except OSError:
            continue
        count += is_socket and descriptor > 2 and descriptor not in private
    return count


def _changed(folder, since):
    """Files that were written since, as far as a short look tells."""
    changed, folders, seen = [], [folder], 0
    while folders and seen < _MOST_FILES and len(changed) <= _MOST_NAMES:
        with scandir(folders.pop()) as entries:
            for entry in entries:
                seen += 1
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.stat(follow_symlinks=False).st_ctime_ns >= since:
                    changed.append(entry.path[len(folder) :].lstrip("/"))
    return sorted(changed)


def _revive_objects():
    """Objects of the library that count on threads or processes which are gone. Gives the descriptors that loops have of their own."""
    kinds = [kind for kind in (_kind(*name) for name in _REPAIRS) if kind is not None]
    every = list(kinds)
    for kind in every:
        every += [derived for derived in type.__subclasses__(kind) if derived not in every]
    private = set()
    if every:
        for one in gc.get_referrers(*every):
            if type(one) in every:
                private |= _attempt(_repair_of(one), one) or set()
    return private


def _kind(module, name):
    return getattr(sys.modules.get(module), name, None)


def _repair_of(one):
    for (module, name), repair in _REPAIRS.items():
        kind = _kind(module, name)
        if kind is not None and isinstance(one, kind):
            return repair
    return None


def _revive_loop(loop):
    """The kernel shares what the system watches for a loop with its copies, and with it what the code did to that."""
    from asyncio import events

    if loop.is_closed():
        return set()
    events._set_running_loop(None)
    loop._thread_id = None
    loop._stopping = False
    stale = loop._selector
    loop._selector = type(stale)()
    for key in list(stale.get_map().values()):
        _attempt(loop._selector.register, key.fileobj, key.events, key.data)
    stale.close()
    loop._close_self_pipe()
    loop._make_self_pipe()
    if loop._signal_handlers:
        set_wakeup_fd(loop._csock.fileno())
    return {loop._ssock.fileno(), loop._csock.fileno()}


def _revive_thread_pool(pool):
    from threading import Lock, Semaphore

    pool._threads.clear()
    pool._idle_semaphore = Semaphore(0)
    pool._shutdown_lock = Lock()


def _end_process_pool(pool):
    pool._broken = "its processes ended when the session was rolled back"


def _end_process(process):
    if process.returncode is None:
        process.returncode = _KILLED


def _end_process_of_loop(transport):
    if transport._returncode is None:
        transport._process_exited(_KILLED)


_REPAIRS = {
    ("asyncio.base_events", "BaseEventLoop"): _revive_loop,
    ("asyncio.base_subprocess", "BaseSubprocessTransport"): _end_process_of_loop,
    ("subprocess", "Popen"): _end_process,
    ("concurrent.futures.thread", "ThreadPoolExecutor"): _revive_thread_pool,
    ("concurrent.futures.process", "ProcessPoolExecutor"): _end_process_pool,
}
