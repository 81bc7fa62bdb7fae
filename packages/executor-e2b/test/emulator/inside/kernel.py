"""A notebook's kernel: cells come as lines of JSON on stdin, what they do goes out as E2B's events, one line each."""

import ast
import asyncio
import base64
import codecs
import inspect
import json
import linecache
import os
import signal
import sys
import threading
import time
import traceback
import types

MARK = b"\0end of cell\0"
SHAPES = {"_repr_html_": "html", "_repr_markdown_": "markdown", "_repr_svg_": "svg", "_repr_png_": "png"}

cells = os.fdopen(os.dup(0), "rb")
events = os.dup(1)
lock = threading.Lock()
variables = {"__name__": "__main__", "__builtins__": __builtins__}
is_running = False
awaiting = None


def emit(kind, **fields):
    line = json.dumps({"type": kind, **fields}).encode() + b"\n"
    with lock:
        while line:
            line = line[os.write(events, line) :]


class Capture:
    """All that is written to a descriptor, by whomever: code, its children, C libraries."""

    def __init__(self, name, fd):
        self.name, self.fd = name, fd
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.drained = threading.Event()
        self.source, sink = os.pipe()
        os.dup2(sink, fd)
        os.close(sink)
        threading.Thread(target=self._relay, daemon=True).start()

    def drain(self):
        self.drained.clear()
        os.write(self.fd, MARK)
        self.drained.wait(1)

    def _relay(self):
        while True:
            before, mark, after = os.read(self.source, 65536).partition(MARK)
            text = self.decoder.decode(before + after)
            if text:
                emit(self.name, text=text, timestamp=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
            if mark:
                self.drained.set()


def settle():
    """What was printed is told before what comes next."""
    for stream in streams:
        stream.flush()
    for capture in captures:
        capture.drain()


def show(value, is_main):
    try:
        shapes = {"text": repr(value)}
    except Exception as error:
        shapes = {"text": "<unprintable: %s>" % type(error).__name__}
    for method, name in SHAPES.items():
        if hasattr(value, method):
            shape = getattr(value, method)()
            shapes[name] = base64.b64encode(shape).decode() if isinstance(shape, bytes) else shape
    if isinstance(value, (dict, list)):
        shapes["json"] = value
    settle()
    try:
        emit("result", **shapes, is_main_result=is_main)
    except (TypeError, ValueError):  # not JSON after all
        del shapes["json"]
        emit("result", **shapes, is_main_result=is_main)


def display(*values):
    for value in values:
        show(value, False)


class Shell:
    """The parts of IPython's shell that code which knows it is in a notebook may ask for."""

    def __init__(self):
        self.user_ns = variables
        self.events = self.compile = self
        self._callbacks = {"pre_run_cell": [], "post_run_cell": []}

    def register(self, event, callback):
        self._callbacks[event].append(callback)

    def trigger(self, event, detail):
        for callback in self._callbacks[event]:
            callback(detail)

    def cache(self, code, number):
        name = "Cell In[%d]" % number
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        return name


class Outcome:
    result = error_before_exec = error_in_exec = None


def evaluate(node, name, mode):
    global awaiting
    code = compile(node, name, mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    value = eval(code, variables)
    if not code.co_flags & inspect.CO_COROUTINE:
        return value
    awaiting = loop.create_task(run_code(value))
    value, error = loop.run_until_complete(awaiting)
    awaiting = None
    if error is not None:
        raise error
    return value


async def run_code(coroutine):
    """By this name IPython runs a cell; no error leaves it for the event loop."""
    try:
        return await coroutine, None
    except BaseException as error:
        return None, error


def run(code, name):
    tree = ast.parse(code, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    if tree.body:
        evaluate(tree, name, "exec")
    value = evaluate(ast.Expression(last.value), name, "eval") if last is not None else None
    if value is not None:
        show(value, True)
    return value


def run_cell(code, count):
    global is_running
    emit("number_of_executions", execution_count=count)
    outcome = Outcome()
    shell.trigger("pre_run_cell", types.SimpleNamespace(raw_cell=code))
    name = shell.compile.cache(code, count)
    try:
        is_running = True
        outcome.result = run(code, name)
        is_running = False
    except BaseException as error:
        is_running = False
        outcome.error_in_exec = error
        lines = [line for line in traceback.format_exception(type(error), error, error.__traceback__)]
        text = "".join(line for line in lines if __file__ not in line)
        try:
            value = str(error)
        except Exception:
            value = ""
        emit("error", name=type(error).__name__, value=value, traceback=text)
    shell.trigger("post_run_cell", outcome)
    settle()
    emit("end_of_execution")


def interrupt(*_):
    """As in IPython's kernel: what awaits is told to end, by a callback that does not wake the event loop."""
    if awaiting is not None:
        loop.call_soon(awaiting.cancel)
    elif is_running:
        raise KeyboardInterrupt


captures = [Capture("stdout", 1), Capture("stderr", 2)]
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
streams = sys.stdout, sys.stderr
shell = Shell()
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
signal.signal(signal.SIGINT, interrupt)
variables["display"] = display
variables["get_ipython"] = lambda: shell
for number, line in enumerate(cells, 1):
    run_cell(json.loads(line), number)
