"""A store with a few pages, and a browser that got in."""

import random
from pathlib import Path

import pytest

PAGE = "<title>{0}</title><h1>{0}</h1><p>First paragraph.</p><p>Second one.</p><p>Contact</p>"


def incoming(page_id, html=None, **fields):
    from victor.annotate.store.pages import NewPage

    return NewPage(page_id, PAGE.format(page_id).encode() if html is None else html, **fields)


@pytest.fixture(scope="session")
def page():
    """Makes a page to add."""
    return incoming


@pytest.fixture
def store(tmp_path):
    """Three pages of four blocks."""
    from victor.annotate.store.store import Store

    with Store(tmp_path / "annotations.sqlite") as opened:
        opened.add([incoming("bees"), incoming("kettles"), incoming("knots")])
        yield opened


@pytest.fixture
def suggesters():
    """Nobody suggests; a module may say otherwise."""
    return []


@pytest.fixture
def worker(store, suggesters):
    from victor.annotate.assist.suggestion_worker import SuggestionWorker

    made = SuggestionWorker(store, suggesters)
    yield made
    made.close()


@pytest.fixture
def adapt(store):
    from victor.annotate.assist.adapt_process import AdaptProcess, Plan

    return AdaptProcess(Plan(store.path.with_suffix(".victor")))


@pytest.fixture
def auto_adapt(store, worker, adapt, processes):
    from victor.annotate.assist.auto_adapt import AutoAdapt

    made = AutoAdapt(store, worker, adapt, processes=processes)
    yield made
    made.close()


@pytest.fixture
def tokens():
    from victor.annotate.server.security import Secrets

    return Secrets(start="start", cookie="cookie", post="post")


@pytest.fixture(scope="session")
def processes():
    """Processes that prepare pages."""
    from victor.annotate.page_processes import PageProcesses

    made = PageProcesses(2)
    yield made
    made.close()


@pytest.fixture
def client(store, worker, auto_adapt, processes, tokens):
    """A browser without anything."""
    from starlette.testclient import TestClient

    from victor.annotate.server.api import Api
    from victor.annotate.server.security import Address
    from victor.annotate.server.server import build

    api = Api(store, worker, auto_adapt, processes)
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
    """Sends a POST as the front end does; headers may be replaced or, by None, left out."""

    def send(path, body=None, headers=None, **more):
        tokens = {"Origin": "http://127.0.0.1:8000", "X-Victor-Token": "post"}
        chosen = {k: v for k, v in (tokens | (headers or {})).items() if v is not None}
        if "content" not in more:
            more["json"] = body
        return browser_in.post(path, headers=chosen, **more)

    return send


ROOT = Path(__file__).parents[2]
ELEMENTS = (
    "p div b i span a br hr img ul li ol pre listing table tr td th tbody thead tfoot colgroup col "
    "h1 script style title textarea svg math mi noscript object embed param wbr source html head "
    "body select option optgroup x-y foo iframe dl dd dt button form nobr font fieldset legend "
    "details summary dialog ruby rt rp image isindex keygen plaintext frameset frame noframes xmp "
    "template input meta link base caption a b v-b main center marquee applet"
).split()
ATTRIBUTES = (
    "", "", " class='a&amp;b'", ' alt="q r"', " x=\"<>&quot;'\"", " hidden", " data-v=1",
    " style='color:red'", " type=hidden", " href=x", " name=body id=body", " onclick=alert(1)",
    " src=//evil.example/x", " style='background:url(//evil.example/x)'", " href=javascript:x()",
)  # fmt: skip
TEXTS = (
    "a", "b c", " ", "\n", "x &amp; y", "&lt;b&gt;", "&nbsp;", "\u200b", "é", "<", ">", "&", "'\"",
    "\u2028", "\r", "&#13;", "]]>", "--", "\x00", "&#x80;", "<!-- c -->", "<!--", "-->", "<!",
    "<!doctype html>", "</", "<![CDATA[x]]>", "</v-b>", "<v-b data-v=0>", "&lt;/v-b>&lt;script>",
)  # fmt: skip


def make_soup(seed):
    """A page of tags and texts in no order."""
    pick = random.Random(seed)
    parts = []
    for _ in range(pick.randint(1, 30)):
        kind = pick.random()
        if kind < 0.45:
            end = pick.choice((">", ">", ">", "/>"))
            parts.append(f"<{pick.choice(ELEMENTS)}{pick.choice(ATTRIBUTES)}{end}")
        else:
            parts.append(f"</{pick.choice(ELEMENTS)}>" if kind < 0.65 else pick.choice(TEXTS))
    return "".join(parts).encode()


@pytest.fixture(scope="session")
def soup():
    return make_soup


@pytest.fixture(scope="session")
def own_pages():
    """Our own annotated pages, by file."""
    return sorted(ROOT.glob("annotations/pages/*.html"))


@pytest.fixture(scope="session")
def plain():
    """Text without white space and joiners."""
    from victor.page.parsing.characters import JOINER, SPACE, class_table

    classes = class_table()
    return lambda text: "".join(c for c in text if classes[ord(c)] not in (SPACE, JOINER))
