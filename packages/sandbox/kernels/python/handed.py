"""Descriptors that come with a message, from one process to another."""

from _socket import CMSG_SPACE, MSG_CMSG_CLOEXEC
from array import array

_MOST_DESCRIPTORS = 5


def receive(channel, flags=0):
    """A message, and the descriptors that were handed over with it."""
    size = array("i").itemsize * _MOST_DESCRIPTORS
    message, parts, _, _ = channel.recvmsg(65536, CMSG_SPACE(size), flags | MSG_CMSG_CLOEXEC)
    found = array("i")
    for _, _, data in parts:
        found.frombytes(data[: len(data) - len(data) % found.itemsize])
    return message, list(found)
