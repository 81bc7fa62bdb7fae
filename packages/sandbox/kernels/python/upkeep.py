"""What a cell may leave behind in the interpreter, put right before the next one."""

import builtins
import sys
from sys import getrecursionlimit, setprofile, setrecursionlimit, settrace

_RECURSION_LIMIT = getrecursionlimit()
_BUILTINS = dict(builtins.__dict__)


def put_right(input_function):
    """Undoes tracing, recursion limits and lost modules of the last cell; `input` asks the host's user."""
    settrace(None)
    setprofile(None)
    setrecursionlimit(_RECURSION_LIMIT)
    sys.modules["sys"] = sys
    sys.modules["builtins"] = builtins
    if len(builtins.__dict__) < len(_BUILTINS):
        builtins.__dict__.update(_BUILTINS)
    builtins.input = input_function


def input_from(tools):
    """`input()` for code without a terminal: a question to the host tool `ask_user`, where there is one."""
    ask = tools.get("ask_user")

    def input(prompt="", /):
        if ask is None:
            raise EOFError("input() has nobody to ask here: take the value from the task, or ask in your reply")
        return str(ask(str(prompt)))

    return input
