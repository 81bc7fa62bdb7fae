"""`time.sleep`: that of this platform cannot be interrupted, where it works at all."""

import signal
import time


def sleep(seconds):
    import _codeact_host

    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    until = time.monotonic() + seconds
    left = seconds
    while left > 0:
        _codeact_host.sleep(left * 1000)
        if _codeact_host.isInterrupted():
            signal.raise_signal(signal.SIGINT)
        left = until - time.monotonic()
