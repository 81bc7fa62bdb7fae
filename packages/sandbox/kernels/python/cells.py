"""Running cells: one namespace, the last expression's value, errors as data. Each cell's code runs exactly once."""

import builtins
import sys
import types
from _ast import PyCF_ALLOW_TOP_LEVEL_AWAIT, PyCF_ONLY_AST, Expr, Expression  # `ast` itself takes its time to load.
from sys import setprofile, settrace

import bundles
import tracebacks
import variables


class Session:
    """The variables of a session, which live in a module named `__main__` as they would in a script."""

    def __init__(self, own, tools):
        self._own = own
        self._tools = {}
        self.module = types.ModuleType("__main__")
        self.module.__dict__.update(own)
        self.declare(tools)
        self.module.__dict__["__builtins__"] = builtins
        sys.modules["__main__"] = self.module
        sys.path.append("")  # The working directory; last, so that no file in it stands in for another module.
        self._number = 0

    def declare(self, tools):
        """Tools of the host. Where another host goes on with the session, they take the place of the last one's."""
        names = self.module.__dict__
        for name, tool in self._tools.items():
            if names.get(name) is tool:
                del names[name]
        names.update(tools)
        self._tools = tools

    def names(self):
        """What the code has defined so far, by name alone."""
        return variables.names(self.module.__dict__, self._given())

    def variables(self):
        """What the code has defined so far."""
        return variables.describe(self.module.__dict__, self._given())

    def _given(self):
        return {**self._own, **self._tools}

    def run(self, source, await_result):
        """Runs a cell and gives the `done` body. `await_result` drives a coroutine to its end."""
        steps = self.steps(source)
        try:
            awaitable = next(steps)
            while True:
                awaitable = self._resume(steps, awaitable, await_result)
        except StopIteration as stop:
            return stop.value

    @staticmethod
    def _resume(steps, awaitable, await_result):
        try:
            sent = await_result(awaitable)
        except BaseException as error:
            return steps.throw(error)
        return steps.send(sent)

    def steps(self, source):
        """The plot of a cell: yields what must be awaited, returns the `done` body."""
        self._number += 1
        filename = "Cell %d" % self._number
        tracebacks.remember(filename, source)
        try:
            body, last = split(source, filename)
            value = None
            # Run in this generator's own frame: from a generator below it, a StopIteration would come as RuntimeError.
            if body is not None:
                result = self._evaluate(body, exec)
                if awaits(body):
                    yield result
            if last is not None:
                value = self._evaluate(last, eval)
                if awaits(last):
                    value = yield value
            return {"ok": True, "value": None if value is None else bundles.bundle(value)}
        except BaseException as error:
            return {"ok": False, "error": tracebacks.describe(error, is_cell)}

    def _evaluate(self, code, run):
        try:
            return (eval if awaits(code) else run)(code, self.module.__dict__)
        finally:
            # At once: the code's tracer must not see, nor stop, what the kernel does next.
            settrace(None)
            setprofile(None)


def awaits(code):
    """Flagged only when the code really awaits; then running it gives a coroutine, whose result is the value."""
    return code.co_flags & 0x80


def is_cell(filename):
    return isinstance(filename, str) and filename.startswith("Cell ")


def split(source, filename):
    """The code of a cell, and apart from it that of the expression it ends in; None for what is not there."""
    tree = compile(source, filename, "exec", PyCF_ONLY_AST, True)
    last = tree.body[-1] if tree.body and isinstance(tree.body[-1], Expr) else None
    if last is not None:
        tree.body.pop()
    body = compile(tree, filename, "exec", PyCF_ALLOW_TOP_LEVEL_AWAIT, True) if tree.body else None
    if last is None:
        return body, None
    return body, compile(Expression(last.value), filename, "eval", PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
