"""The Python kernel: keeps state, runs cells that the host sends, tells what happened. Standard library only, Python >= 3.9.

Descriptors as the host gives them: 1 and 2 the user's output, 3 the frames, 4 the interrupts.
"""

import builtins
import os
import sys

sys.path.pop(0)  # This folder: the user's `import cells` is not to find the kernel's.
_HERE = os.path.dirname(os.path.abspath(__file__))


# The kernel's own: user code may do to the others what it likes.
_BUILTINS = dict(builtins.__dict__)


def load(name):
    """Imports a module of the kernel without leaving it where user code imports from."""
    import importlib.util

    spec = importlib.util.spec_from_file_location(name, os.path.join(_HERE, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__builtins__"] = _BUILTINS
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


NAMES = (
    *("values", "tools", "figures", "bundles", "tracebacks", "variables", "cells", "upkeep", "event_loop"),
    *("frames", "wire", "transport", "waiting", "descriptors", "interrupts", "kernel"),
)
modules = {name: load(name) for name in NAMES}
for name in NAMES:
    del sys.modules[name]
try:
    modules["kernel"].Kernel().serve()
except BaseException:
    os._exit(70)  # The code has damaged what the kernel stands on. The host sees the end, and tells it.
