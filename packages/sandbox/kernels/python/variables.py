"""The variables of a session, described without running code of theirs."""

import sys
import types

_HIDDEN = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
_MOST = 500

# As it is, whatever the class's own class says.
_name_of = type.__dict__["__name__"].__get__


def names(defined, given):
    """All that the code has defined or imported; `given` is what was there at the start."""
    found = [name for name in list(defined) if type(name) is str and not name.startswith("_")]
    return [name for name in found if name not in given or given[name] is not defined.get(name)][:_MOST]


def describe(names, given):
    """Name, type, shape and size of what the user's code has defined; `given` are the names that were there at the start."""
    found = []
    for name, value in list(names.items()):
        # Asked of its type: the value's own __class__ may be anything, also a property that raises.
        if type(name) is not str or name.startswith("_") or issubclass(type(value), _HIDDEN):
            continue
        if name not in given or given[name] is not value:
            found.append(_describe(name, value))
        if len(found) == _MOST:
            break
    return found


def _describe(name, value):
    variable = {"name": name, "type": _name_of(type(value))}
    for key, ask in (("shape", _shape), ("size", _size)):
        try:
            answer = ask(value)
        except BaseException:
            continue  # A class that only claims to be of a well-known library.
        if answer is not None:
            variable[key] = answer
    return variable


def _shape(value):
    shape = getattr(value, "shape", None) if _is_array(value) else None
    if isinstance(shape, tuple):
        return str(shape)
    return "(%d,)" % len(value) if type(value) in (list, tuple, set, frozenset, dict, str, bytes) else None


def _size(value):
    kind = type(value)
    if _is_array(value) and hasattr(kind, "memory_usage"):
        usage = value.memory_usage(deep=False)  # The deep one asks each object in it, which may be of a class of the user's.
        return int(usage if isinstance(usage, int) else usage.sum())
    if _is_array(value) and hasattr(kind, "nbytes"):
        return int(value.nbytes)
    # One that is written in Python is the code's own, and could do anything.
    return None if isinstance(kind.__sizeof__, types.FunctionType) else sys.getsizeof(value)


def _is_array(value):
    """Arrays and tables of the well-known libraries; other classes could do anything when asked."""
    return type(value).__module__.split(".")[0] in ("numpy", "pandas", "polars", "torch", "jax", "xarray")
