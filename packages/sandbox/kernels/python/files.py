"""The working directory, as the host asks for it. Paths are relative and clean already.

Code may rearrange everything meanwhile, so each step goes from an open folder to what is in it: links are not followed, and
nothing but regular files is opened.
"""

import os
import stat
from binascii import a2b_base64, b2a_base64

import values

ROOT = "/workspace"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_NOFOLLOW | getattr(os, "O_NONBLOCK", 0)  # Or opening a FIFO would wait for whoever is at its other end.


class Refused(Exception):
    """Args: a code, as the host's errors have it, and a message."""


def answer(body):
    """The reply to one request, as data whatever happens."""
    request = values.loads(body)
    path = request["args"]["path"]
    try:
        return {"ok": True, **_OPERATIONS[request["op"]](**request["args"])}
    except Refused as refusal:
        return {"ok": False, "code": refusal.args[0], "message": refusal.args[1]}
    except FileNotFoundError:
        return {"ok": False, "code": "FILES_NOT_FOUND", "message": "There is no file %s." % path}
    except OSError as error:
        return {"ok": False, "code": "FILES_FAILED", "message": "%s: %s" % (path, error.strerror or error)}


def _write(path, offset, data):
    with _Parent(path, makes=True) as (folder, name):
        flags = os.O_WRONLY | (0 if offset else os.O_CREAT | os.O_TRUNC)
        with _regular(folder, name, flags, path) as file:
            file.seek(offset)
            file.write(a2b_base64(data))
    return {}


def _read(path, offset, length):
    with _Parent(path) as (folder, name):
        with _regular(folder, name, os.O_RDONLY, path) as file:
            file.seek(offset)
            return {"data": b2a_base64(file.read(length), newline=False).decode("ascii")}


def _list(path):
    with _Parent(os.path.join(path, "_")) as (folder, _):
        return {"entries": [_entry(folder, name, os.path.normpath(os.path.join(path, name))) for name in sorted(os.listdir(folder))]}


def _folder(path):
    with _Parent(os.path.join(path, "_"), makes=True):
        return {}


def _remove(path):
    with _Parent(path) as (folder, name):
        _remove_at(folder, name)
    return {}


_OPERATIONS = {"write": _write, "read": _read, "list": _list, "folder": _folder, "remove": _remove}


class _Parent:
    """The open folder that a path's last part is in, reached one part after the other."""

    def __init__(self, path, makes=False):
        *self._folders, self._name = path.split("/")
        self._path = path
        self._makes = makes

    def __enter__(self):
        self._fd = os.open(ROOT, _FOLDER)
        try:
            for part in self._folders:
                if part not in ("", "."):
                    self._step(part)
        except BaseException:
            os.close(self._fd)
            raise
        return self._fd, self._name

    def __exit__(self, *_):
        os.close(self._fd)

    def _step(self, part):
        if self._makes:
            try:
                os.mkdir(part, dir_fd=self._fd)
            except FileExistsError:
                pass
        try:
            inner = os.open(part, _FOLDER, dir_fd=self._fd)
        except NotADirectoryError:
            _refuse_link(self._fd, part, self._path)
            raise Refused("FILES_NOT_REGULAR", "%s: %s is not a folder." % (self._path, part)) from None
        os.close(self._fd)
        self._fd = inner


def _regular(folder, name, flags, path):
    if name in ("", ".", ".."):
        raise Refused("FILES_NOT_REGULAR", "%s is a folder." % path)
    try:
        descriptor = os.open(name, flags | _FILE, 0o644, dir_fd=folder)
    except IsADirectoryError:
        raise Refused("FILES_NOT_REGULAR", "%s is a folder." % path) from None
    except FileNotFoundError:
        raise
    except OSError:
        _refuse_link(folder, name, path)
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise Refused("FILES_NOT_REGULAR", "%s is not a regular file." % path) from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Refused("FILES_NOT_REGULAR", "%s is not a regular file." % path)
    return os.fdopen(descriptor, "rb" if flags == os.O_RDONLY else "wb")


def _refuse_link(folder, name, path):
    if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        raise Refused("FILES_OUTSIDE", "%s goes through a link, which files do not follow." % path)


def _remove_at(folder, name):
    if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        os.unlink(name, dir_fd=folder)
        return
    inner = os.open(name, _FOLDER, dir_fd=folder)
    try:
        for entry in os.listdir(inner):
            _remove_at(inner, entry)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=folder)


def _entry(folder, name, path):
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    kinds = ((stat.S_ISREG, "file"), (stat.S_ISDIR, "directory"), (stat.S_ISLNK, "link"))
    kind = next((name for test, name in kinds if test(found.st_mode)), "other")
    return {"path": path, "type": kind, "size": found.st_size if kind == "file" else 0}
