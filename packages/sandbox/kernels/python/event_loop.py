"""Top-level `await`: an event loop that lives as long as the session, whatever interrupts it."""

from types import TracebackType

_CANCEL_SECONDS = 0.1


class Loop:
    """Made when a cell first awaits; background tasks stay in it from cell to cell."""

    def __init__(self):
        self._loop = None

    def run(self, coroutine):
        """Gives a coroutine's result."""
        import asyncio

        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        _stand_still(self._loop)
        task = self._loop.create_task(coroutine)
        try:
            return self._loop.run_until_complete(task)
        except KeyboardInterrupt as interrupt:
            where = _traceback(coroutine) or interrupt.__traceback__
            _cancel(self._loop, task, coroutine)
            raise interrupt.with_traceback(where) from None


def _stand_still(loop):
    """Nothing runs between two cells, but an interrupt may have kept the loop from noting so."""
    from asyncio import events

    events._set_running_loop(None)
    loop._thread_id = None
    loop._stopping = False


def _traceback(coroutine):
    """Where a coroutine waits, if it does; a cancellation tells that by itself from Python 3.11 on only."""
    frames = []
    while getattr(coroutine, "cr_frame", None) is not None:
        frames.append(coroutine.cr_frame)
        coroutine = coroutine.cr_await
    traceback = None
    for frame in reversed(frames):
        traceback = TracebackType(traceback, frame, frame.f_lasti, frame.f_lineno)
    return traceback


def _cancel(loop, task, coroutine):
    """Ends a task that was interrupted."""
    import asyncio

    if task.done():
        return
    _stand_still(loop)
    task.cancel()
    try:
        loop.run_until_complete(asyncio.wait({task}, timeout=_CANCEL_SECONDS))
        if not task.done():
            # The interrupt came between the loop's taking up a step and running it: no further step will come.
            task._log_destroy_pending = False
            coroutine.close()
        elif not task.cancelled():
            task.exception()  # Looked at, or the loop would complain that nobody did.
    except BaseException:
        pass  # The code broke the loop, or was interrupted again: the first interrupt is what is told.
