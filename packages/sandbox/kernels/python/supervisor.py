"""The supervisor's plot: for a place that has one stream in and one out and no more, such as a container.

The host's frames come in over descriptor 0. A kernel is forked, and again when one has died; its frames, and what its code
prints, go out over descriptor 1, in the order in which they were written. Files are read and written for the host while
code runs. To kill a cell is to sweep: to end every process that the code has started, and whatever they have, but for the copy of
the kernel that goes on in its place where checkpoints are taken.
"""

from _signal import SIG_IGN, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2
from _signal import set_wakeup_fd, signal
from os import WIFSIGNALED, WTERMSIG, WEXITSTATUS, _exit, pipe, read, set_blocking, sysconf, write
from select import POLLIN, POLLOUT, poll
from sys import version
from time import sleep

import confine
import files
import frames
import kernel_process
import processes
import twins
import values

_IGNORED = (SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2)
_HOST_IN, _HOST_OUT = 0, 1
_CHUNK = 65536
_MANY, _GATHER_SECONDS = 100, 0.0002
_LAST_WORDS_MS = 100  # A kernel that has closed its channel is most likely about to end.


class Supervisor:
    def __init__(self, run_kernel, sweep, arrival=None):
        """`arrival`: what this one begins with, where it is that of another kernel's twin."""
        self._run_kernel = run_kernel
        self._arrival = arrival
        self._twins = twins.Twins()
        self._sweep_place = sweep
        self._codec = frames.Codec()
        self._confinement = confine.Confinement()
        self._kernel = None
        self._successions = 0
        self._watched = self
        self._waiter = None
        self._bell, bell = pipe()
        for descriptor in (self._bell, bell):
            set_blocking(descriptor, False)
        set_wakeup_fd(bell, warn_on_full_buffer=False)
        signal(SIGCHLD, lambda *_: None)  # A child's end rings the bell.
        for number in _IGNORED:
            signal(number, SIG_IGN)

    def serve(self):
        confine.hide()
        confine.adopt()
        if self._arrival is not None:
            self._arrival.move_in()
            files.ROOT = self._arrival.folder
        self._say_up()
        while True:
            ready = self._wait()
            if _HOST_IN in ready:
                self._hear_host()
            if self._kernel is not None:
                self._hear_kernel(ready)
            for name, data in self._twins.heard(ready):
                self._send(b"twin", name, data)
            if self._bell in ready:
                read(self._bell, 4096)
                processes.reap_all(self._has_ended)
            if self._kernel is not None and self._kernel.status is not None:
                self._end_kernel()

    def _say_up(self):
        up = {"version": version.split()[0], "confined": self._confinement.is_possible}
        up["memory"] = sysconf("SC_PHYS_PAGES") * sysconf("SC_PAGE_SIZE")
        if self._kernel is not None:
            up.update(kernel=self._kernel.ident.decode("ascii"), copied=self._kernel.is_copied)
        if self._arrival is not None:
            up["failure"] = self._arrival.failure
        self._send(b"up", b"-", values.dumps(up))

    def _wait(self):
        kernel = self._kernel
        if kernel is not self._watched or self._twins.has_news or (kernel is not None and kernel.has_news):
            self._watch(kernel)
        is_cut = kernel is not None and kernel.is_cut
        ready = self._waiter.poll(_LAST_WORDS_MS if is_cut else None)
        if not ready:
            kernel.is_given_up = True  # It can be neither asked nor heard.
            self._sweep()
        return [descriptor for descriptor, _ in ready]

    def _watch(self, kernel):
        self._waiter = poll()
        self._waiter.register(_HOST_IN, POLLIN)
        self._waiter.register(self._bell, POLLIN)
        for descriptor, events in (*self._twins.watched(), *(kernel.watched() if kernel is not None else ())):
            self._waiter.register(descriptor, events)
        self._watched = kernel

    def _hear_host(self):
        try:
            data = read(_HOST_IN, _CHUNK)
        except OSError:
            data = b""  # So it ends where the host has left something unread.
        if not data:
            self._leave()
        for kind, ident, body in self._codec.decode(data):
            self._handle(kind, ident, body)

    def _leave(self):
        """The host is gone, and with it every reason to go on."""
        if self._kernel is not None:
            self._kernel.give_copy_up()
        self._sweep()
        if self._arrival is not None:
            self._arrival.move_out()
        _exit(0)

    def _handle(self, kind, ident, body):
        kernel = self._kernel if self._kernel is not None and self._kernel.ident == ident else None
        if kind == b"hello":
            self._say_up()  # Another host goes on with what there is.
        elif kind == b"file":
            self._send(b"file", ident, values.dumps(files.answer(body)))
        elif kind == b"connect":
            if self._kernel is not None:
                self._end_for_good()
                self._kernel.status = 0
                self._end_kernel()
            self._connect(ident, values.loads(body).get("checkpoint") if body else None)
        elif kind == b"twin":
            self._twins.send(ident, body)
        elif kind == b"leave":
            self._twins.hang_up(ident)
        elif kernel is None:
            return  # It has died meanwhile, and the host will hear so.
        elif kind == b"kernel":
            kernel.send(body)
        elif kind == b"interrupt":
            kernel.interrupt(body)
        elif kind == b"kill":
            self._sweep()
        elif kind == b"end":
            self._end_for_good()

    def _connect(self, ident, limit):
        self._kernel = kernel_process.KernelProcess(self._twins)
        arrival = self._arrival
        if arrival is not None and arrival.copy is not None:
            self._kernel.wake(ident, *arrival.take_copy(), limit or 0)
        else:
            limit = limit if self._confinement.is_possible else None
            self._kernel.start(ident, self._run_kernel, _IGNORED, self._confinement, limit)

    def _hear_kernel(self, ready):
        """What was printed goes first: a kernel speaks only after it was read."""
        kernel = self._kernel
        if kernel.trickles > _MANY:
            sleep(_GATHER_SECONDS)  # Code that prints a character at a time would have the host read as many frames.
        for name, descriptor in kernel.streams:
            if descriptor in ready:
                self._forward(kernel, name, descriptor)
        if kernel.line in ready and kernel.hear():
            self._sweep()
        kernel.flush()

    def _forward(self, kernel, name, descriptor):
        data = kernel.take(descriptor)
        if data:
            self._send(name, kernel.ident, data)
        return bool(data)

    def _has_ended(self, pid, status):
        self._twins.has_ended(pid)
        if self._kernel is not None:
            self._kernel.has_ended(pid, status)

    def _end_kernel(self):
        """A kernel takes with it everything that it started, but for the copy, which goes on."""
        kernel, status = self._kernel, self._kernel.status
        how = {"signal": WTERMSIG(status)} if WIFSIGNALED(status) else {"code": WEXITSTATUS(status)}
        how.update(memory=kernel.died_of_memory, cut=kernel.is_given_up)
        self._sweep()
        for name, descriptor in kernel.streams:
            while self._forward(kernel, name, descriptor):
                pass
        ident = kernel.ident
        if kernel.has_copy:
            self._successions += 1
            how["copy"] = "%s-%d" % (ident.decode("ascii").partition("-")[0], self._successions)
            kernel.succeed(how["copy"].encode("ascii"))
        else:
            kernel.close()
            self._kernel = None
        self._send(b"exit", ident, values.dumps(how))

    def _end_for_good(self):
        self._kernel.give_copy_up()
        self._sweep()

    def _sweep(self):
        """Every process that there is, but for this one, the first, the copies of the kernel, and its twins."""
        if self._kernel is not None and self._kernel.sweep():
            return
        if self._twins.pids:
            processes.sweep(apart=self._twins.pids)
        else:
            self._sweep_place()

    def _send(self, kind, ident, body):
        if isinstance(body, str):
            body = body.encode("ascii")
        view = memoryview(self._codec.encode(kind, ident, body))
        try:
            while view:
                view = view[write(_HOST_OUT, view) :]
        except OSError:
            self._leave()
