"""Loads the kernel: the part that all sandboxes share, and in place of its POSIX parts those for a Pyodide in a child process.

Run once, when a snapshot is made; a session that starts from the snapshot finds everything loaded.
"""

import builtins
import importlib.util
import sys

SHARED, OWN = "/codeact/shared/", "/codeact/own/"

# In the order in which they import each other. What is replaced is loaded under another name, to be built upon.
KERNEL = (
    *[(name, SHARED, name) for name in ("values", "tools", "figures", "bundles", "tracebacks", "variables", "cells")],
    *[(name, SHARED, name) for name in ("upkeep", "event_loop", "transport", "frames", "files")],
    ("shared_descriptors", SHARED, "descriptors"),
    *[(name, OWN, name) for name in ("clock", "loop", "wire", "descriptors", "interrupts")],
    *[(name, SHARED, name) for name in ("waiting", "kernel")],
    ("session", OWN, "session"),
)


# The kernel's own: user code may do to the others what it likes.
BUILTINS = dict(builtins.__dict__)


def load(name, folder, file):
    """Imports a module of the kernel by its file; it does not stay where user code imports from."""
    spec = importlib.util.spec_from_file_location(name, folder + file + ".py")
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__builtins__"] = BUILTINS
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


modules = {name: load(name, folder, file) for name, folder, file in KERNEL}
for name in modules:
    del sys.modules[name]
sys.modules["_codeact_session"] = modules["session"]
