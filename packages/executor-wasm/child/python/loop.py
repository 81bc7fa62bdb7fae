"""asyncio on one thread that waits for the host: timers and host tools, but no sockets, processes or threads."""

import asyncio
import asyncio.base_events
import asyncio.events
import asyncio.runners


class Loop(asyncio.base_events.BaseEventLoop):
    def __init__(self, wait):
        super().__init__()
        self._selector = _Selector(wait)

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        pass

    def add_reader(self, descriptor, callback, *args):
        """The one thing to read from is the host, and waiting reads from it."""

    def remove_reader(self, descriptor):
        return False

    def run_in_executor(self, executor, function, *args):
        """Without threads, at once."""
        future = self.create_future()
        try:
            future.set_result(function(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class _Selector:
    def __init__(self, wait):
        self._wait = wait

    def select(self, timeout=None):
        self._wait(timeout)
        return []

    def close(self):
        pass


def install(wait):
    """Makes this the loop of every `asyncio.run`, in place of the one that lives on JavaScript's."""
    asyncio.events._set_running_loop(None)
    asyncio.run = asyncio.runners.run
    policy = asyncio.events._BaseDefaultEventLoopPolicy
    policy_of_this = type("LoopPolicy", (policy,), {"_loop_factory": lambda self: Loop(wait)})
    asyncio.events._set_event_loop_policy(policy_of_this())
