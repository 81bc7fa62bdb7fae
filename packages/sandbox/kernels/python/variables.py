"""The variables of a session, described without running code of theirs."""

import sys
import types

_HIDDEN = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
_MOST = 500


def describe(names, given):
    """Name, type, shape and size of what the user's code has defined; `given` are the names that were there at the start."""
    found = []
    for name, value in list(names.items()):
        if name.startswith("_") or given.get(name) is value and name in given or isinstance(value, _HIDDEN):
            continue
        found.append(_describe(name, value))
        if len(found) == _MOST:
            break
    return found


def _describe(name, value):
    variable = {"name": str(name), "type": type(value).__name__}
    shape = _shape(value)
    if shape is not None:
        variable["shape"] = shape
    size = _size(value)
    if size is not None:
        variable["size"] = size
    return variable


def _shape(value):
    shape = getattr(value, "shape", None) if _is_array(value) else None
    if isinstance(shape, tuple):
        return str(shape)
    return "(%d,)" % len(value) if type(value) in (list, tuple, set, frozenset, dict, str, bytes) else None


def _size(value):
    try:
        size = value.nbytes if _is_array(value) and hasattr(value, "nbytes") else sys.getsizeof(value)
        return int(size)
    except Exception:
        return None


def _is_array(value):
    """Arrays and tables of the well-known libraries; other classes could do anything when asked."""
    return type(value).__module__.split(".")[0] in ("numpy", "pandas", "polars", "torch", "jax", "xarray")
