"""Starts the kernel from what comes over its channel, so that it needs no file where it runs.

`python -I -S -c BOOT 3 LENGTH` is a kernel, whose channel is descriptor 3; with LIMIT and KEEPER after that, one of which
checkpoints are taken (see `checkpoint`), and its keeper, whose KEEPER bytes come before the kernel's. `python -I -S -c BOOT 0 LENGTH`
is a supervisor, which starts kernels, and talks over 0 and 1; with COPY, WAKER and two folders after that, the one of a kernel's twin
(see `twin`); `python -I -S -c BOOT link FOLDER` the same behind a link, in a place that it shares with others; `python -I -S -c BOOT bridge FOLDER` a bridge to a notebook's kernels, behind a link as well. The first
LENGTH bytes on the channel, or the file `modules` in the folder, are the modules, in the order in which they import each other: JSON,
as `{"modules": [[name, source], ...]}`, or marshal, as `[(name, code), ...]`, compiled by an interpreter of the same version.
Standard library only, Python >= 3.9.
"""

import builtins
import gc
import os
import site
import sys
import types

# The kernel's own: user code may do to the others what it likes.
_BUILTINS = dict(builtins.__dict__)
_NEVER = 10**9


def receive(channel, length):
    parts = []
    while length > 0:
        parts.append(os.read(channel, length))
        if not parts[-1]:
            os._exit(0)  # The host is gone.
        length -= len(parts[-1])
    return b"".join(parts)


def modules(data):
    if data[:1] != b"{":
        import marshal

        return marshal.loads(data)
    import json

    sources = json.loads(data)["modules"]
    return [(name, compile(source, "codeact/%s.py" % name, "exec", dont_inherit=True)) for name, source in sources]


def for_good(work):
    """What is loaded here is there to stay: to look in it, again and again, for what could go takes time."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_NEVER)
    done = work()
    gc.freeze()
    gc.unfreeze()  # With both, it is among what is old, and was not looked at.
    if gc.get_threshold()[0] == _NEVER:  # Not where a package has set its own.
        gc.set_threshold(*thresholds)
    return done


def load(names):
    """Runs modules without leaving them where user code imports from: its `import cells` is not to find the kernel's."""
    return for_good(lambda: run_modules(names))


def run_modules(names):
    loaded = {}
    for name, code in names:
        loaded[name] = sys.modules[name] = types.ModuleType(name)
        loaded[name].__dict__["__builtins__"] = _BUILTINS
        exec(code, loaded[name].__dict__)
    for name in loaded:
        del sys.modules[name]
    return loaded


def run_kernel(checkpoints=None):
    # Packages may run code of their own here: it finds the kernel with all that it needs in hand.
    for_good(site.main)
    try:
        loaded["kernel"].Kernel(checkpoints).serve()
    except BaseException:
        os._exit(70)  # The code has damaged what the kernel stands on. The host sees the end, and tells it.


def supervise(sweep, arrival=None):
    loaded["supervisor"].Supervisor(run_kernel, sweep, arrival).serve()


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def keep_kernel(channel, limit, keeper_length):
    """Gives the checkpoints to be, in the kernel; the keeper does not return. The fork comes first: what is there by then is copied."""
    from _socket import AF_UNIX, SOCK_SEQPACKET, socketpair

    keeper = receive(channel, keeper_length)
    ours, theirs = (end.detach() for end in socketpair(AF_UNIX, SOCK_SEQPACKET))
    kernel = os.fork()
    if kernel:
        os.close(theirs)
        load(modules(keeper))["keeper"].Keeper(kernel, ours, limit).serve()
    os.setpgid(0, 0)  # A group of its own, which can be killed at once.
    os.close(ours)
    os.close(channel + 2)
    return theirs, limit


role, detail, *more = sys.argv[1:]
sys.argv[:] = [""]
copies = keep_kernel(int(role), *map(int, more)) if role == "3" and more else None
loaded = load(modules(contents(detail + "/modules") if role in ("link", "bridge") else receive(int(role), int(detail))))
if role == "link":
    loaded["link"].serve(detail, lambda: supervise(loaded["processes"].sweep))
elif role == "bridge":
    loaded["link"].serve(detail, lambda: loaded["bridge"].serve(detail))
elif role == "0" and more:
    supervise(loaded["processes"].sweep, loaded["arrival"].Arrival(*more))
elif role == "0":
    supervise(loaded["processes"].everything)
elif copies:
    run_kernel(loaded["checkpoint"].Checkpoints(*copies))
else:
    run_kernel()
