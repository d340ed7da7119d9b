"""A web server whose answers a test chooses."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def serving(routes):
    """A server with answers by path, (status, headers, body) or a function of the handler.

    Yields:
        Its address without a slash, and the paths that it was asked for.
    """
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            answer = routes.get(self.path, (404, {}, b""))
            if callable(answer):
                return answer(self)
            status, headers, body = answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            return self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_):
            """The tests stay quiet."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_):
            """A client may go when it likes."""

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()
