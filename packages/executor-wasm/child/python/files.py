"""The working directory, as the host asks for it. Paths are relative and clean already; links are not followed."""

import base64
import json
import os
import shutil
import stat

ROOT = "/workspace"


class Refused(Exception):
    """Args: a code, as the host's errors have it, and a message."""


def answer(body):
    """The reply to one request, as data whatever happens."""
    request = json.loads(body)
    try:
        return {"ok": True, **_OPERATIONS[request["op"]](**request["args"])}
    except Refused as refusal:
        return {"ok": False, "code": refusal.args[0], "message": refusal.args[1]}
    except FileNotFoundError:
        return {"ok": False, "code": "FILES_NOT_FOUND", "message": "There is no file %s." % request["args"]["path"]}
    except OSError as error:
        message = "%s: %s" % (request["args"]["path"], error.strerror or error)
        return {"ok": False, "code": "FILES_FAILED", "message": message}


def _write(path, offset, data):
    target = _within(path, makes_parents=True)
    _regular(target, path)
    with open(target, "r+b" if offset else "wb") as file:
        file.seek(offset)
        file.write(base64.b64decode(data))
    return {}


def _read(path, offset, length):
    target = _within(path)
    os.lstat(target)
    _regular(target, path)
    with open(target, "rb") as file:
        file.seek(offset)
        return {"data": base64.b64encode(file.read(length)).decode("ascii")}


def _list(path):
    folder = _within(path)
    return {"entries": [_entry(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]}


def _remove(path):
    target = _within(path)
    if stat.S_ISDIR(os.lstat(target).st_mode):
        shutil.rmtree(target)
    else:
        os.unlink(target)
    return {}


_OPERATIONS = {"write": _write, "read": _read, "list": _list, "remove": _remove}


def _within(path, makes_parents=False):
    """The path inside, once its folder is known to be a real one of the working directory."""
    parent, name = os.path.split(os.path.normpath(os.path.join(ROOT, path)))
    if path == ".":
        return ROOT
    if makes_parents and os.path.realpath(parent) == parent:
        os.makedirs(parent, exist_ok=True)
    if os.path.realpath(parent) != parent:
        raise _outside(path)
    return os.path.join(parent, name)


def _regular(target, path):
    try:
        mode = os.lstat(target).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise _outside(path)
    if not stat.S_ISREG(mode):
        raise Refused("FILES_NOT_REGULAR", "%s is not a regular file." % path)


def _outside(path):
    return Refused("FILES_OUTSIDE", "%s goes through a link, which files do not follow." % path)


def _entry(target):
    found = os.lstat(target)
    kinds = ((stat.S_ISREG, "file"), (stat.S_ISDIR, "directory"), (stat.S_ISLNK, "link"))
    kind = next((name for test, name in kinds if test(found.st_mode)), "other")
    size = found.st_size if kind == "file" else 0
    return {"path": os.path.relpath(target, ROOT), "type": kind, "size": size}
