"""What a process can give up by itself: being looked into, and the system calls by which others are.

An engine's own filter stays; not every one forbids these. Tables and numbers are those of the kernel's headers (prctl.h,
seccomp.h, audit.h, unistd.h); without ctypes, or on another machine than these two, there is no filter.
"""

from os import RTLD_NOW, uname

try:
    from _ctypes import call_function, dlopen, dlsym  # The rest takes its time to load, and is for the filter.

    _PRCTL = dlsym(dlopen(None, RTLD_NOW), "prctl")
except (ImportError, OSError):
    _PRCTL = None

_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _PR_SET_CHILD_SUBREAPER = 4, 38, 22, 36
_SECCOMP_MODE_FILTER = 2
_LOAD, _EQUAL, _NOT_BELOW, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _EPERM = 0x7FFF0000, 0x00050001
_X32 = 0x40000000  # From here on the calls of another table.

# ptrace, process_vm_readv, process_vm_writev, kcmp; then, alike everywhere, io_uring's three and pidfd_getfd.
_EVERYWHERE = (425, 426, 427, 438)
_MACHINES = {
    "x86_64": (0xC000003E, (101, 310, 311, 312, *_EVERYWHERE)),
    "aarch64": (0xC00000B7, (117, 270, 271, 272, *_EVERYWHERE)),
}


def hide():
    """Nobody of the same user may look into this process, nor take its descriptors."""
    _set(_PR_SET_DUMPABLE, 0)


def adopt():
    """Orphans among its descendants come to this process, not to the first one."""
    _set(_PR_SET_CHILD_SUBREAPER, 1)


def _set(option, value):
    if _PRCTL is not None and call_function(_PRCTL, (option, value, 0, 0, 0)) != 0:
        raise OSError("prctl(%d)" % option)


class Confinement:
    """Holds the system's library, so that what is given up later needs nothing that code could have changed."""

    def __init__(self):
        self._machine = _MACHINES.get(uname().machine)
        try:
            import ctypes

            self._ctypes = ctypes
            self._c = ctypes.CDLL(None, use_errno=True)
        except (ImportError, OSError):
            self._c = None

    @property
    def is_possible(self):
        return _PRCTL is not None and self._c is not None and self._machine is not None

    def confine(self):
        """For the code's own process and all that it starts. It may be looked into again: by itself, that is."""
        _set(_PR_SET_DUMPABLE, 1)
        if self.is_possible:
            self._prctl(_PR_SET_NO_NEW_PRIVS, 1)
            self._filter(*self._machine)

    def _prctl(self, option, *arguments):
        numbers = [*arguments, 0, 0, 0, 0][:4]
        if self._c.prctl(option, *map(self._ctypes.c_ulong, numbers)) != 0:
            raise OSError(self._ctypes.get_errno(), "prctl(%d)" % option)

    def _filter(self, machine, denied):
        program = _program(machine, denied)
        data = self._ctypes.create_string_buffer(b"".join(_instruction(*one) for one in program))
        pointer = self._ctypes.addressof(data)
        # struct sock_fprog: the count, padding to a pointer's place, the pointer.
        header = len(program).to_bytes(8, "little") + pointer.to_bytes(8, "little")
        described = self._ctypes.create_string_buffer(header)
        self._prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, self._ctypes.addressof(described))


def _program(machine, denied):
    """Jumps count instructions: how many are left out where it is so, and where it is not."""
    count = len(denied)
    return [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 0, count + 3, machine),
        (_LOAD, 0, 0, 0),
        (_NOT_BELOW, count + 1, 0, _X32),
        *[(_EQUAL, count - index, 0, number) for index, number in enumerate(denied)],
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _EPERM),
    ]


def _instruction(code, if_so, if_not, operand):
    return code.to_bytes(2, "little") + bytes((if_so, if_not)) + operand.to_bytes(4, "little")
