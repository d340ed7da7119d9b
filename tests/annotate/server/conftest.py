"""A store with a few pages, and a browser that got in."""

from types import SimpleNamespace

import pytest

PAGE = "<title>{0}</title><h1>{0}</h1><p>First paragraph.</p><p>Second one.</p><p>Contact</p>"


def incoming(page_id, html=None, **fields):
    html = PAGE.format(page_id).encode() if html is None else html
    known = {"url": None, "site": "", "file": None, "labels": None, "metadata": {}}
    return SimpleNamespace(**{"id": page_id, "html": html, **known, **fields})


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
def helpers():
    """Nobody suggests; a module may say otherwise."""
    return []


@pytest.fixture
def prelabels(store, helpers):
    from victor.annotate.prelabels import Prelabels

    made = Prelabels(store, helpers)
    yield made
    made.close()


@pytest.fixture
def retrain(store):
    from victor.annotate.retrain import Plan, Retrain

    return Retrain(Plan(store.path.with_suffix(".victor")))


@pytest.fixture
def learning(store, prelabels, retrain):
    from victor.annotate.learning import Learning

    made = Learning(store, prelabels, retrain)
    yield made
    made.close()


@pytest.fixture
def known():
    from victor.annotate.security import Secrets

    return Secrets(start="start", cookie="cookie", post="post")


@pytest.fixture
def client(store, prelabels, learning, known):
    """A browser without anything."""
    from starlette.testclient import TestClient

    from victor.annotate.api import Api
    from victor.annotate.security import Address
    from victor.annotate.server import build

    app = build(Api(store, prelabels, learning), Address("127.0.0.1", 8000), known)
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
    """Sends a POST as the front end does; headers may be replaced or, by None, left out."""

    def send(path, body=None, headers=None, **more):
        own = {"Origin": "http://127.0.0.1:8000", "X-Victor-Token": "post"}
        chosen = {k: v for k, v in (own | (headers or {})).items() if v is not None}
        if "content" not in more:
            more["json"] = body
        return browser_in.post(path, headers=chosen, **more)

    return send
