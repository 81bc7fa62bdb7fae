"""The bridge's plot: for code that runs in a notebook, which somebody else has started, and whose output goes another way.

To the host it is what a supervisor is: its frames come in over descriptor 0 and go out over descriptor 1, kernels come and go, files
are read and written. A kernel is the notebook's own, and dials in over a socket in the folder. The bridge interrupts it at Jupyter's
address, and kills it with all that it has started.
"""

import os
import socket
from http.client import HTTPConnection
from select import POLLIN, POLLOUT, poll
from struct import unpack
from sys import version

import files
import frames
import processes
import values

_HOST_IN, _HOST_OUT = 0, 1
_CHUNK = 65536
_JUPYTER = ("localhost", 8888)
_INTERRUPT_SECONDS = 2
_HAVE_ENDED = {"code": -1}  # Nobody but Jupyter knows how.


class Bridge:
    def __init__(self, folder):
        self._codec = frames.Codec()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(folder + "/socket")
        self._listener.listen()
        self._ident = None
        self._kernel = None

    def serve(self):
        self._send(b"up", b"-", values.dumps({"version": version.split()[0], "confined": False}))
        while True:
            ready = self._wait()
            if _HOST_IN in ready:
                self._hear_host()
            if self._kernel is not None and self._kernel.is_among(ready):
                self._hear_kernel()
            if self._listener.fileno() in ready:
                self._accept()
            if self._kernel is not None:
                self._kernel.flush()

    def _wait(self):
        waiter = poll()
        waiter.register(_HOST_IN, POLLIN)
        if self._ident is not None and self._kernel is None:
            waiter.register(self._listener, POLLIN)
        if self._kernel is not None:
            self._kernel.watch(waiter)
        return [descriptor for descriptor, _ in waiter.poll()]

    def _hear_host(self):
        data = os.read(_HOST_IN, _CHUNK)
        if not data:
            self._kill()
            os._exit(0)  # The host is gone, and with it every reason to go on.
        for kind, ident, body in self._codec.decode(data):
            self._handle(kind, ident, body)

    def _handle(self, kind, ident, body):
        if kind == b"file":
            self._send(b"file", ident, values.dumps(files.answer(body)))
        elif kind == b"connect":
            self._kill()
            self._ident, self._early = ident, bytearray()
        elif ident != self._ident:
            return  # It has ended meanwhile, and the host will hear so.
        elif kind == b"kernel":
            self._early += body
            self._pass_on()
        elif kind == b"interrupt":
            _interrupt(body.decode("ascii"))
        elif kind == b"kill":
            self._kill()

    def _accept(self):
        connection, _ = self._listener.accept()
        self._kernel = Kernel(connection)
        self._pass_on()

    def _pass_on(self):
        if self._kernel is not None:
            self._kernel.outbox += self._early
            self._early.clear()

    def _hear_kernel(self):
        data = self._kernel.read()
        while data:
            self._send(b"kernel", self._ident, data)
            data = self._kernel.read()
        if self._kernel.has_ended:
            self._kill()

    def _kill(self):
        if self._kernel is not None:
            self._kernel.kill()
        if self._ident is not None:
            self._send(b"exit", self._ident, values.dumps(_HAVE_ENDED))
        self._ident = self._kernel = None

    def _send(self, kind, ident, body):
        if isinstance(body, str):
            body = body.encode("ascii")
        view = memoryview(self._codec.encode(kind, ident, body))
        while view:
            view = view[os.write(_HOST_OUT, view) :]


class Kernel:
    """A notebook's kernel that has dialled in."""

    def __init__(self, connection):
        self.outbox = bytearray()
        self.has_ended = False
        self._connection = connection
        self._connection.setblocking(False)
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        self._pid = unpack("3i", credentials)[0]
        self._life = _life_of(self._pid)

    def watch(self, waiter):
        waiter.register(self._connection, POLLIN | POLLOUT if self.outbox else POLLIN)
        if self._life is not None:
            waiter.register(self._life, POLLIN)

    def is_among(self, ready):
        self.has_ended = self.has_ended or self._life in ready  # A child that it forked may still hold the connection.
        return self.has_ended or self._connection.fileno() in ready

    def read(self):
        try:
            data = self._connection.recv(_CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        self.has_ended = self.has_ended or not data
        return data

    def flush(self):
        try:
            while self.outbox:
                del self.outbox[: self._connection.send(self.outbox)]
        except BlockingIOError:
            pass
        except OSError:
            self.outbox.clear()  # It has ended, which is told where it is read.

    def kill(self):
        for pid in processes.family(self._pid) - {os.getpid()}:
            processes.end(pid)
        self._connection.close()
        if self._life is not None:
            os.close(self._life)


def _life_of(pid):
    """A descriptor that can be read when a process has ended; None where the system has no such thing."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _interrupt(kernel):
    connection = HTTPConnection(*_JUPYTER, timeout=_INTERRUPT_SECONDS)
    try:
        connection.request("POST", "/api/kernels/%s/interrupt" % kernel)
        connection.getresponse().read()
    except OSError:
        pass  # What is not interrupted is killed.
    finally:
        connection.close()


def serve(folder):
    Bridge(folder).serve()
