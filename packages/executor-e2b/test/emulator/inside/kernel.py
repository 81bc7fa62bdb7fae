"""A notebook's kernel: cells come as lines of JSON on stdin, what they do goes out as E2B's events, one line each."""

import ast
import base64
import codecs
import json
import linecache
import os
import signal
import sys
import threading
import time
import traceback

MARK = b"\0end of cell\0"
SHAPES = {"_repr_html_": "html", "_repr_markdown_": "markdown", "_repr_svg_": "svg", "_repr_png_": "png"}

cells = os.fdopen(os.dup(0), "rb")
events = os.dup(1)
lock = threading.Lock()
variables = {"__name__": "__main__", "__builtins__": __builtins__}
is_running = False


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


def show(value, is_main):
    shapes = {"text": repr(value)}
    for method, name in SHAPES.items():
        if hasattr(value, method):
            shape = getattr(value, method)()
            shapes[name] = base64.b64encode(shape).decode() if isinstance(shape, bytes) else shape
    if isinstance(value, (dict, list)):
        shapes["json"] = value
    try:
        emit("result", **shapes, is_main_result=is_main)
    except (TypeError, ValueError):  # not JSON after all
        del shapes["json"]
        emit("result", **shapes, is_main_result=is_main)


def display(*values):
    for value in values:
        sys.stdout.flush()
        show(value, False)


def run(code, name):
    tree = ast.parse(code, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), variables)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), name, "eval"), variables)
        if value is not None:
            sys.stdout.flush()
            show(value, True)


def run_cell(code, count):
    global is_running
    name = "Cell In[%d]" % count
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    emit("number_of_executions", execution_count=count)
    try:
        is_running = True
        run(code, name)
        is_running = False
    except BaseException as error:
        is_running = False
        lines = [line for line in traceback.format_exception(type(error), error, error.__traceback__)]
        text = "".join(line for line in lines if __file__ not in line)
        emit("error", name=type(error).__name__, value=str(error), traceback=text)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    for capture in captures:
        capture.drain()
    emit("end_of_execution")


def interrupt(*_):
    if is_running:
        raise KeyboardInterrupt


captures = [Capture("stdout", 1), Capture("stderr", 2)]
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
sys.stdout.reconfigure(line_buffering=True)
signal.signal(signal.SIGINT, interrupt)
variables["display"] = display
for number, line in enumerate(cells, 1):
    run_cell(json.loads(line), number)
