"""Errors as the user sees them: their own lines, and nothing of the kernel's."""

import linecache
import traceback

_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"
_LONGEST_CHAIN = 8
_MOST_FRAMES = 40
_LONGEST_TEXT = 100_000


def remember(filename, source):
    """Makes the lines of a cell known, to tracebacks and to `inspect.getsource`."""
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)


def describe(error, is_user_file):
    """An exception as {name, message, traceback}, whatever its own methods do."""
    name = type(error).__name__
    message = _message(error)
    try:
        text = _chain(error, is_user_file)
    except BaseException:
        text = _last_line(error)
    return {"name": name, "message": message[:_LONGEST_TEXT], "traceback": text[:_LONGEST_TEXT]}


def _message(error):
    if isinstance(error, SyntaxError) and error.msg:
        return str(error.msg)
    try:
        return str(error)
    except BaseException as failure:
        return "<str() of the exception raised %s>" % type(failure).__name__


def _chain(error, is_user_file):
    parts = []
    for _ in range(_LONGEST_CHAIN):
        parts.append(_one(error, is_user_file))
        if error.__cause__ is not None:
            error = error.__cause__
            parts.append(_CAUSE)
        elif error.__context__ is not None and not error.__suppress_context__:
            error = error.__context__
            parts.append(_CONTEXT)
        else:
            break
    return "".join(reversed(parts)).strip("\n")


def _one(error, is_user_file):
    lines = []
    if isinstance(error, SyntaxError) and is_user_file(error.filename):
        lines.append(_place(error.filename, error.lineno, None, error.text))
    else:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_user_file(frame.filename)]
        lines += [_place(f.filename, f.lineno, f.name, f.line) for f in frames[:_MOST_FRAMES]]
        if len(frames) > _MOST_FRAMES:
            lines.append("  [… %d more frames …]\n" % (len(frames) - _MOST_FRAMES))
    header = "Traceback (most recent call last):\n" if lines else ""
    return "%s%s%s\n%s" % (header, "".join(lines), _last_line(error), _group(error, is_user_file))


def _last_line(error):
    name, message = type(error).__name__, _message(error)
    return "%s: %s" % (name, message) if message else name


def _group(error, is_user_file):
    """The members of an exception group, each with its own place."""
    members = getattr(error, "exceptions", None)
    if not isinstance(members, tuple):
        return ""
    shown = ["  | " + _one(member, is_user_file).strip("\n").replace("\n", "\n  | ") + "\n" for member in members[:5]]
    more = "  | [… %d more …]\n" % (len(members) - 5) if len(members) > 5 else ""
    return "".join(shown) + more


def _place(filename, line_number, function, line):
    where = "  %s, line %s" % (filename, line_number)
    if function not in (None, "<module>"):
        where += ", in %s" % function
    return "%s\n%s" % (where, "    %s\n" % line.strip() if line and line.strip() else "")
