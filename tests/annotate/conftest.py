"""A store with a few pages, and a browser that got in."""

import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from markup_soup import own_pages, plain, soup  # noqa: F401  (fixtures)

TOKENS = {"Origin": "http://127.0.0.1:8000", "X-Victor-Token": "post"}
"""What the front end sends with a POST."""
PAGE = "<title>{0}</title><h1>{0}</h1><p>First paragraph.</p><p>Second one.</p><p>Contact</p>"


@contextmanager
def running(arguments, folder):
    """A server in another process, which is ended afterwards.

    Yields:
        Its start address, and the process.
    """
    call = ["annotate", "serve", "--no-open", *arguments]
    command = [sys.executable, "-P", "-c", "from victor.cli import main; main()", *call]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
    try:
        lines = []
        for line in process.stderr:
            lines.append(line)
            if address := re.search(r"http://\S+\?token=\S+", line):
                yield address[0], process
                break
        else:
            pytest.fail(f"the server did not start: {''.join(lines)}")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)


def incoming(page_id, html=None, **fields):
    from victor.annotate.store import NewPage

    return NewPage(page_id, PAGE.format(page_id).encode() if html is None else html, **fields)


@pytest.fixture(scope="session")
def page():
    """Makes a page to add."""
    return incoming


@pytest.fixture
def store(tmp_path):
    """Three pages of four blocks."""
    from victor.annotate.store import Store

    with Store(tmp_path / "annotations.sqlite") as opened:
        opened.add([incoming("bees"), incoming("kettles"), incoming("knots")])
        yield opened


@pytest.fixture
def worker(store):
    """Nobody suggests; a module may say otherwise."""
    from victor.annotate.suggestions import SuggestionWorker

    made = SuggestionWorker(store)
    yield made
    made.close()


@pytest.fixture
def adapting(store, worker, processes):
    from victor.annotate.adapting import Adapting, Plan

    plan = Plan(store.path.with_suffix(".victor"))
    made = Adapting(store, worker, plan, processes=processes)
    yield made
    made.close()


@pytest.fixture
def tokens():
    from victor.annotate.server import Secrets

    return Secrets(start="start", post="post")


@pytest.fixture(scope="session")
def processes():
    """Processes that prepare pages."""
    from victor.base.processes import Calls

    made = Calls(2)
    yield made
    made.close()


@pytest.fixture
def client(store, worker, adapting, processes, tokens):
    """A browser without anything."""
    from starlette.testclient import TestClient

    from victor.annotate.api import Api
    from victor.annotate.server import Address, build

    api = Api(store, worker, adapting, processes)
    app = build(api, Address("127.0.0.1", 8000), tokens)
    with TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=False,
                    raise_server_exceptions=False) as opened:  # fmt: skip
        yield opened


@pytest.fixture
def browser_in(client):
    """A browser that came by the start address."""
    client.get("/?token=start")
    return client


@pytest.fixture
def post(browser_in):
    """Sends a POST as the front end does."""

    def send(path, body=None, **more):
        if "content" not in more:
            more["json"] = body
        return browser_in.post(path, headers=TOKENS, **more)

    return send
