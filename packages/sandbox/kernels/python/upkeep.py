"""What a cell may leave behind in the interpreter, put right before the next one."""

import builtins
import sys
from sys import getrecursionlimit, setprofile, setrecursionlimit, settrace


class Upkeep:
    """Made when a session starts, and remembers how everything was then."""

    def __init__(self, input_function):
        self._input = input_function
        self._recursion_limit = getrecursionlimit()
        self._builtins = dict(builtins.__dict__)

    def ask_with(self, input_function):
        self._input = input_function

    def put_right(self):
        """Undoes tracing, recursion limits and lost modules of the last cell; `input` asks the host's user."""
        settrace(None)
        setprofile(None)
        setrecursionlimit(self._recursion_limit)
        sys.modules["sys"] = sys
        sys.modules["builtins"] = builtins
        if len(builtins.__dict__) < len(self._builtins):
            builtins.__dict__.update(self._builtins)
        builtins.input = self._input


def input_from(tools):
    """`input()` for code without a terminal: a question to the host tool `ask_user`, where there is one."""
    ask = tools.get("ask_user")

    def input(prompt="", /):
        if ask is None:
            raise EOFError("input() has nobody to ask here: take the value from the task, or ask in your reply")
        return str(ask(str(prompt)))

    return input
