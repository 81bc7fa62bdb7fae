"""Whether all that a cell runs waits for tools whose time is not the cell's: a person's, or another agent's.

The host asks, again and again, for as long as such a tool is under way, and lets the cell's clock stand still while the answer
is yes. A thread waits when it is in such a call, when it waits without a limit for another thread, or when its event loop has
nothing to do and nothing to wait for but such calls. Wherever that cannot be told, the answer is no.
"""

import threading
from _thread import _count, get_ident
from sys import _current_frames, modules

import transport
import wire

# By identity: dictionaries are compared by what is in them.
_WHERE_CALLS_WAIT = frozenset(id(module.__dict__) for module in (transport, wire, threading))
_FOREVER = (None, -1)


def threads_beside():
    """The threads there are beside this one: those that a new cell does not answer for."""
    return frozenset(_current_frames()) - {get_ident()} if _count() else frozenset()


def all_wait(calls, tools, earlier):
    """Asked in the thread that reads the frames. `calls` are those that the host named, `tools` is what makes calls."""
    try:
        if not tools.pending <= calls:
            return False
        frames = _current_frames()
        return all(thread in earlier or _waits(thread, frames[thread], tools) for thread in frames)
    except Exception:
        return False


def _waits(thread, frame, tools):
    reads = thread == get_ident()
    if thread in tools.blocked:
        # A signal's handler may run on top of the wait.
        return reads or id(frame.f_globals) in _WHERE_CALLS_WAIT
    return _loop_waits(frame, reads, tools) or (not reads and _waits_for_thread(frame))


def _waits_for_thread(frame):
    if frame.f_code in [function.__code__ for function in _threading_waits()]:
        return frame.f_locals.get("timeout") in _FOREVER
    pool = modules.get("concurrent.futures.thread")
    return pool is not None and frame.f_code is pool._worker.__code__


def _threading_waits():
    thread = threading.Thread
    inner = [thread._wait_for_tstate_lock] if hasattr(thread, "_wait_for_tstate_lock") else []  # Until Python 3.12.
    return [threading.Condition.wait, thread.join, *inner]


def _loop_waits(frame, reads, tools):
    """Whether an event loop stands in its selector, or, in the thread that reads, was woken for nothing but this question."""
    asyncio = modules.get("asyncio.base_events")
    if asyncio is None:
        return False
    turn = _turn_of(frame, asyncio.BaseEventLoop._run_once.__code__, reads)
    if turn is None:
        return False
    loop = turn.f_locals["self"]
    selector = loop._selector
    if not reads and frame.f_code is not type(selector).select.__code__:
        return False
    return not loop._ready and all(timer._cancelled for timer in loop._scheduled) and not _watches_more(loop, tools)


def _turn_of(frame, run_once, reads):
    """The frame of the loop's turn: right below a selector, some way below what reads frames for a loop."""
    frame = frame.f_back
    while reads and frame is not None and frame.f_code is not run_once:
        frame = frame.f_back
    return frame if frame is not None and frame.f_code is run_once else None


def _watches_more(loop, tools):
    """Whether it waits for descriptors that are not its own, nor the host's."""
    if not hasattr(loop._selector, "get_map"):
        return False  # It has none.
    return bool(set(loop._selector.get_map()) - {loop._ssock.fileno(), tools.wire.fileno()})
