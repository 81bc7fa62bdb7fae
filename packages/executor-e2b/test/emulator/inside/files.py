"""Files as the sandbox sees them: its paths, its links."""

import os
import shutil
import stat
import time

HOME = "/home/user"
_USERS = {0: "root", 1000: "user"}
_metadata = {}


class Refusal(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def code_of(error):
    if isinstance(error, FileNotFoundError):
        return "not_found"
    if isinstance(error, FileExistsError):
        return "already_exists"
    if isinstance(error, (IsADirectoryError, NotADirectoryError)):
        return "invalid_argument"
    return "permission_denied" if isinstance(error, PermissionError) else "internal"


def resolve(path):
    """Empty is home, `~` too; what is relative counts from there."""
    if path == "~" or path.startswith("~/"):
        path = HOME + path[1:]
    return os.path.normpath(os.path.join(HOME, path))


def entry(path):
    info = os.lstat(path)
    link = os.path.realpath(path) if stat.S_ISLNK(info.st_mode) else None
    kind = os.stat(path).st_mode if link and os.path.exists(path) else info.st_mode
    result = {
        "name": os.path.basename(path),
        "type": _type_of(kind),
        "path": path,
        "mode": stat.S_IMODE(info.st_mode),
        "permissions": stat.filemode(info.st_mode),
        "owner": _USERS.get(info.st_uid, str(info.st_uid)),
        "group": _USERS.get(info.st_gid, str(info.st_gid)),
        "modifiedTime": _rfc3339(info.st_mtime_ns),
    }
    if info.st_size:
        result["size"] = str(info.st_size)
    if link:
        result["symlinkTarget"] = link
    if path in _metadata:
        result["metadata"] = _metadata[path]
    return result


def _type_of(mode):
    if stat.S_ISDIR(mode):
        return "FILE_TYPE_DIRECTORY"
    return "FILE_TYPE_SYMLINK" if stat.S_ISLNK(mode) else "FILE_TYPE_FILE"


def _rfc3339(ns):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ns // 10**9)) + ".%09dZ" % (ns % 10**9)


def read(head, _body, reply):
    path = resolve(head["path"])
    if not os.path.exists(path):
        raise Refusal("not_found", "path '%s' does not exist" % path)
    if os.path.isdir(path):
        raise Refusal("invalid_argument", "path '%s' is a directory" % path)
    with open(path, "rb") as file:
        reply({}, file.read())


def write(head, body, reply):
    path = resolve(head["path"])
    if os.path.isdir(path):
        raise Refusal("invalid_argument", "path is a directory: %s" % path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(body)
    if head.get("metadata"):
        _metadata[path] = head["metadata"]
    else:
        _metadata.pop(path, None)
    reply({"entry": entry(path)})


def stat_path(head, _body, reply):
    reply({"entry": entry(_existing(head["path"]))})


def list_folder(head, _body, reply):
    top = _existing(head["path"])
    if not os.path.isdir(top):
        raise Refusal("invalid_argument", "path is not a directory: %s" % top)
    reply({"entries": list(_walk(top, head["depth"]))})


def _walk(folder, depth):
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        yield entry(path)
        if depth > 1 and os.path.isdir(path) and not os.path.islink(path):
            yield from _walk(path, depth - 1)


def make_folder(head, _body, reply):
    path = resolve(head["path"])
    if os.path.isdir(path):
        raise Refusal("already_exists", "directory already exists: %s" % path)
    if os.path.lexists(path):
        raise Refusal("invalid_argument", "path already exists but it is not a directory: %s" % path)
    os.makedirs(path)
    reply({"entry": entry(path)})


def move(head, _body, reply):
    source, destination = _existing(head["source"]), resolve(head["destination"])
    os.makedirs(os.path.dirname(destination), exist_ok=True)
    os.rename(source, destination)
    reply({"entry": entry(destination)})


def remove(head, _body, reply):
    path = resolve(head["path"])
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)
    reply()


def _existing(path):
    path = resolve(path)
    if not os.path.lexists(path):
        raise Refusal("not_found", "path not found: %s" % path)
    return path


OPERATIONS = {
    "read-file": read,
    "write-file": write,
    "stat": stat_path,
    "list": list_folder,
    "make-folder": make_folder,
    "move": move,
    "remove": remove,
}
