"""Running cells: one namespace, the last expression's value, errors as data. Each cell's code runs exactly once."""

import ast
import builtins
import sys
import types

import bundles
import tracebacks
import variables

_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class Session:
    """The variables of a session, which live in a module named `__main__` as they would in a script."""

    def __init__(self, names):
        self._given = names
        self.module = types.ModuleType("__main__")
        self.module.__dict__.update(names)
        self.module.__dict__["__builtins__"] = builtins
        sys.modules["__main__"] = self.module
        self._number = 0

    def variables(self):
        """What the code has defined so far."""
        return variables.describe(self.module.__dict__, self._given)

    def run(self, source, await_result):
        """Runs a cell and gives the `done` body. `await_result` drives a coroutine to its end."""
        steps = self.steps(source)
        try:
            awaitable = next(steps)
            while True:
                awaitable = self._resume(steps, awaitable, await_result)
        except StopIteration as stop:
            return stop.value

    async def run_async(self, source):
        """The same where an event loop is already running."""
        steps = self.steps(source)
        try:
            awaitable = next(steps)
            while True:
                try:
                    sent = await awaitable
                except BaseException as error:
                    awaitable = steps.throw(error)
                else:
                    awaitable = steps.send(sent)
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
            if body is not None:
                yield from self._evaluate(body, exec)
            if last is not None:
                value = yield from self._evaluate(last, eval)
            return {"ok": True, "value": None if value is None else bundles.bundle(value)}
        except BaseException as error:
            return {"ok": False, "error": tracebacks.describe(error, is_cell)}

    def _evaluate(self, code, run):
        names = self.module.__dict__
        # Flagged only when the code really awaits; then running it gives a coroutine, whose result is the value.
        if code.co_flags & 0x80:
            return (yield eval(code, names))
        return run(code, names)


def is_cell(filename):
    return isinstance(filename, str) and filename.startswith("Cell ")


def split(source, filename):
    """The code of a cell, and apart from it that of the expression it ends in; None for what is not there."""
    tree = compile(source, filename, "exec", ast.PyCF_ONLY_AST, True)
    last = tree.body[-1] if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    if last is not None:
        tree.body.pop()
    body = compile(tree, filename, "exec", _AWAIT, True) if tree.body else None
    if last is None:
        return body, None
    return body, compile(ast.Expression(last.value), filename, "eval", _AWAIT, True)
