"""Frames to and from the emulator: two lengths, a JSON head, raw bytes."""

import json
import os
import struct
import threading

_LENGTHS = struct.Struct(">II")
_lock = threading.Lock()


def receive(fd=0):
    """The next (head, body), or None when the emulator is gone."""
    lengths = _read(fd, _LENGTHS.size)
    if lengths is None:
        return None
    head_size, body_size = _LENGTHS.unpack(lengths)
    head = _read(fd, head_size)
    body = _read(fd, body_size)
    return None if head is None or body is None else (json.loads(head), body)


def send(head, body=b""):
    text = json.dumps(head).encode()
    frame = memoryview(_LENGTHS.pack(len(text), len(body)) + text + body)
    with _lock:
        while frame:
            frame = frame[os.write(1, frame) :]


def _read(fd, size):
    parts = bytearray()
    while len(parts) < size:
        part = os.read(fd, min(size - len(parts), 1 << 20))
        if not part:
            return None
        parts += part
    return bytes(parts)
