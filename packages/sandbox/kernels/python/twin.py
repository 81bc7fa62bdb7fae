"""What a twin of the kernel begins with: a process that the kernel has forked becomes a supervisor, which starts from nothing.

Below it a copy of the kernel sleeps, which it wakes when the host asks for a kernel. The host talks to it by a socket at which it
listens, or through the supervisor that it talks to already.
"""

from _signal import SIG_DFL, SIG_SETMASK, pthread_sigmask, signal, valid_signals
from _socket import AF_UNIX, socket, socketpair
from os import O_RDWR, chdir, devnull, dup2, environ, execve, open, set_inheritable, setsid
from sys import executable

import descriptors

_ENVIRONMENT = dict(environ)


def call(door):
    """The supervisor's end of its stream; and the other one, to be handed over, where there is no door."""
    if door is not None:
        stream = socket(AF_UNIX)
        stream.setblocking(True)  # Whatever the code has made the default.
        stream.connect(door)
        return stream, []
    stream, handed = socketpair()
    stream.setblocking(True)
    return stream, [handed]


def supervise(arguments, stream, copy, waker, folders):
    """Never returns. `folders`: the kernel's working directory, and what is to be that of its twin."""
    setsid()
    null = open(devnull, O_RDWR)
    for source, number in ((stream, 0), (stream, 1), (null, 2)):
        dup2(source, number)
    set_inheritable(waker, True)
    descriptors.close_strays({waker})
    for number in valid_signals():
        try:
            signal(number, SIG_DFL)
        except (OSError, ValueError):
            pass  # There are some that stay as they are.
    pthread_sigmask(SIG_SETMASK, ())
    chdir("/")
    execve(executable, [executable, *arguments, str(copy), str(waker), *folders], _ENVIRONMENT)
