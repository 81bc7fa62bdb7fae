"""Folders that are watched, by inotify."""

import ctypes
import os
import struct
import threading

import files
import wire

CREATE, WRITE, DELETE, MOVED_FROM, MOVED_TO, ATTRIB = 0x100, 0x2, 0x200, 0x40, 0x80, 0x4
IS_FOLDER = 0x40000000
KINDS = {
    CREATE: "EVENT_TYPE_CREATE",
    WRITE: "EVENT_TYPE_WRITE",
    DELETE: "EVENT_TYPE_REMOVE",
    MOVED_FROM: "EVENT_TYPE_RENAME",
    MOVED_TO: "EVENT_TYPE_CREATE",
    ATTRIB: "EVENT_TYPE_CHMOD",
}
HEAD = struct.Struct("iIII")

_libc = ctypes.CDLL(None, use_errno=True)
_descriptors = {}


def watch(head, _body, reply):
    top = files.resolve(head["path"])
    if not os.path.exists(top):
        raise files.Refusal("not_found", "path %s not found" % top)
    if not os.path.isdir(top):
        raise files.Refusal("invalid_argument", "path %s not a directory" % top)
    fd = _libc.inotify_init1(os.O_CLOEXEC)
    folders = {}
    _add(fd, folders, top, head.get("recursive"))
    _descriptors[head["watch"]] = fd
    reply()
    threading.Thread(target=_relay, args=(head, fd, top, folders), daemon=True).start()


def _add(fd, folders, folder, recursive):
    number = _libc.inotify_add_watch(fd, folder.encode(), sum(KINDS))
    if number >= 0:
        folders[number] = folder
    if recursive:
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                _add(fd, folders, entry.path, True)


def _relay(head, fd, top, folders):
    while True:
        try:
            data = os.read(fd, 65536)
        except OSError:
            return
        while data:
            number, mask, _cookie, size = HEAD.unpack_from(data)
            name = data[HEAD.size : HEAD.size + size].rstrip(b"\0").decode()
            data = data[HEAD.size + size :]
            kind = next((kind for bit, kind in KINDS.items() if mask & bit), None)
            if kind is None or number not in folders:
                continue
            path = os.path.join(folders[number], name) if name else folders[number]
            if head.get("recursive") and mask & IS_FOLDER and mask & (CREATE | MOVED_TO):
                _add(fd, folders, path, True)
            event = {"name": os.path.relpath(path, top), "type": kind}
            if head.get("includeEntry") and os.path.lexists(path):
                event["entry"] = files.entry(path)
            wire.send({"event": "file", "watch": head["watch"], "change": event})


def unwatch(head, _body, reply):
    fd = _descriptors.pop(head["watch"], None)
    if fd is not None:
        os.close(fd)
    reply()


OPERATIONS = {"watch": watch, "unwatch": unwatch}
