"""A session's start, from the snapshot or not: what must be made anew in each, then the kernel's plot."""

import json
import os
import platform
import random
import sys
import time

import clock
import files
import kernel
import loop


class Kernel(kernel.Kernel):
    def __init__(self):
        super().__init__()
        self._wire.on[b"file"] = lambda ident, body: self._wire.send(b"file", ident, files.answer(body))
        loop.install(self._wire.wait)
        self._wire.send(b"up", b"-", {"version": platform.python_version()})


def serve(settings):
    """Never returns. `settings` is JSON: {"env": {…}}."""
    del sys.modules["_codeact_session"]
    os.environ.clear()
    os.environ.update(json.loads(settings)["env"])
    os.makedirs(files.ROOT, exist_ok=True)
    os.chdir(files.ROOT)
    sys.path[:] = [folder for folder in sys.path if folder]  # A file of the user's is not to stand in for a module.
    random.seed()  # Or every session would draw the snapshot's numbers.
    time.sleep = clock.sleep
    Kernel().serve()
