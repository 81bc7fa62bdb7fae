"""Jupyter's address for interrupts, as a command in the sandbox reaches it: POST localhost:8888/api/kernels/<id>/interrupt."""

import http.server
import json
import os
import re
import signal
import threading

PORT = 8888

_pids = {}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self._answer(200, [{"id": name, "name": "python3"} for name in _pids])

    def do_POST(self):
        match = re.fullmatch(r"/api/kernels/([^/]+)/interrupt", self.path)
        pid = _pids.get(match.group(1)) if match else None
        if pid is None:
            return self._answer(404, {"message": "Kernel does not exist: %s" % self.path})
        os.kill(pid, signal.SIGINT)
        self._answer(204)

    def _answer(self, status, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def add(name, pid):
    if not _pids:
        _listen()
    _pids[name] = pid


def _listen():
    """A loopback of its own has the port free; of sandboxes that share the host's, the first one gets it."""
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    except OSError:
        return
    threading.Thread(target=server.serve_forever, daemon=True).start()
