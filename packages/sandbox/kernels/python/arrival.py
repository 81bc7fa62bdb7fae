"""What the supervisor of a kernel's twin begins with (see `twin`): a copy that sleeps, and a working directory to be copied."""

import shutil
import stat
from os import chdir, lstat, path, readlink, symlink, unlink, walk


class Arrival:
    """`copy` is what sleeps until something comes over `waker`; `source` the working directory from which it came."""

    def __init__(self, copy, waker, source, folder):
        self.copy = int(copy)
        self.waker = int(waker)
        self.folder = folder
        self.failure = None
        self._source = source

    def take_copy(self):
        """It wakes once."""
        copy, self.copy = self.copy, None
        return copy, self.waker

    def move_in(self):
        """Copies the working directory, and goes there."""
        try:
            shutil.copytree(self._source, self.folder, symlinks=True, ignore=_special)
            _redirect(self._source, self.folder)
            chdir(self.folder)
        except (OSError, shutil.Error) as error:
            self.failure = "the working directory could not be copied: %s" % _told(error)

    def move_out(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def _told(error):
    if isinstance(error, shutil.Error):
        source, _, reason = error.args[0][0]
        return "%s: %s" % (path.basename(source), reason)
    return error.strerror or str(error)


def _special(folder, names):
    """Sockets, pipes and devices are nobody's twice."""
    return [name for name in names if not _is_ordinary(lstat(path.join(folder, name)).st_mode)]


def _is_ordinary(mode):
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)


def _redirect(source, folder):
    """Links by a full path into the one lead into the other."""
    for parent, folders, names in walk(folder):
        for link in (path.join(parent, name) for name in folders + names):
            target = readlink(link) if path.islink(link) else ""
            if target == source or target.startswith(source + "/"):
                unlink(link)
                symlink(folder + target[len(source) :], link)
