"""The documentation site: it builds without a warning, is complete, and asks no other host."""

import re
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import click
import pytest
from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PUBLIC = ("victor", "victor.crawl")
SCHEMAS = re.findall(
    r"<!-- generated: keys (\S+) -->",
    (DOCS / "reference/configuration.md").read_text(encoding="utf-8"),
)
ATTRIBUTES = {"script": ("src",), "img": ("src", "srcset"), "link": ("href",), "iframe": ("src",)}
"""What a browser fetches by itself; addresses that a reader clicks are of another kind."""


@pytest.fixture(scope="module")
def extension():
    """A module of `docs/_ext`."""
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    sys.path.insert(0, str(DOCS / "_ext"))
    yield import_module
    sys.path.remove(str(DOCS / "_ext"))


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The built site; notebooks are shown as they are stored."""
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n"]
    command += ["-D", "nb_execution_mode=off", "-d", str(out / "trees")]
    built = subprocess.run(
        [*command, str(DOCS), str(out / "html")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return out / "html"


class _Fetched(HTMLParser):
    """Addresses that a page makes a browser fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag == "link" and named.get("rel") in ("canonical", "next", "prev", "search", "index"):
            return
        self.addresses += [named[name] for name in ATTRIBUTES.get(tag, ()) if named.get(name)]


def fetched(page: str) -> list[str]:
    parser = _Fetched()
    parser.feed(page)
    return parser.addresses


def fetched_by_style(style: str) -> list[str]:
    return re.findall(r"""(?:url\(\s*|@import\s+)["']?([^"')\s]+)""", style)


def foreign(addresses: list[str]) -> list[str]:
    return [each for each in addresses if urlsplit(each).netloc]


def test_foreign_addresses_are_found():
    page = '<script src="//cdn.example/a.js"></script><a href="https://b.example">b</a>'
    assert foreign(fetched(page + '<img src="own.png">')) == ["//cdn.example/a.js"]
    style = "@import 'https://c.example/x.css'; p { background: url(own.png) }"
    assert foreign(fetched_by_style(style)) == ["https://c.example/x.css"]


@pytest.mark.slow
def test_the_site_is_built_and_asks_no_other_host(site):
    pages = sorted(site.rglob("*.html"))
    assert {"start.html", "reference/python.html", "reports/model-card.html"} <= {
        page.relative_to(site).as_posix() for page in pages
    }
    for page in pages:
        assert foreign(fetched(page.read_text(encoding="utf-8"))) == [], page
    for style in site.rglob("*.css"):
        assert foreign(fetched_by_style(style.read_text(encoding="utf-8"))) == [], style


def test_every_page_stands_in_the_navigation(site):
    shown = (site / "index.html").read_text(encoding="utf-8")
    for page in [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]:
        if page.relative_to(DOCS).parts[0] != "examples" and page.name != "index.md":
            address = page.relative_to(DOCS).with_suffix(".html").as_posix()
            assert f'href="{address}"' in shown, page


@pytest.mark.slow
@pytest.mark.parametrize("width", [1366, 390])
def test_the_first_page_shows_a_demo_that_works(site, browser, width):
    page = browser.new_page(viewport={"width": width, "height": 800})
    problems = []
    page.on("console", lambda message: problems.append(message.text))
    with _served(site) as address:
        page.goto(f"{address}/index.html")
        _use_demo(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator('a[href="demo.html"]').count() == 1
        page.close()
    assert problems == []


def _use_demo(page):
    """Move its slider, and look for a block of the page."""
    frame = page.frame_locator("iframe.demo")
    words = frame.locator("#counts")
    before = words.inner_text()
    slider = frame.locator("#threshold")
    slider.focus()
    slider.press("Home")
    assert words.inner_text() != before
    assert page.evaluate("document.activeElement.className") == "demo"
    frame.locator("#blocks").get_by_text("For thirty-one years").first.wait_for()


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """The tests stay quiet."""


@contextmanager
def _served(folder):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=folder)) as server:
        Thread(target=server.serve_forever, args=(0.05,)).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
def test_search_works_without_other_hosts(site, browser):
    page = browser.new_page()
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    with _served(site) as address:
        page.goto(f"{address}/search.html?q=threshold")
        page.wait_for_selector("ul.search li p.context")
        assert page.locator("ul.search li a").count() >= 3
        page.goto(f"{address}/reference/commands.html")
        assert page.locator("section#victor-clean").count() == 1
        page.wait_for_load_state("networkidle")
        page.close()
    assert errors == []
    assert {urlsplit(each).netloc for each in asked} <= {urlsplit(address).netloc, ""}


def test_every_public_name_is_in_the_reference():
    reference = (DOCS / "reference/python.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:\.\. auto\w+:: |`)([\w.]+)", reference))
    for package in PUBLIC:
        for name in import_module(package).__all__:
            assert f"{package}.{name}" in named or name == "__version__", f"{package}.{name}"
    for name in vars(import_module("victor.errors")):
        if name.endswith("Error"):
            assert {f"victor.{name}", f"victor.errors.{name}"} & named, name


def test_every_command_and_option_is_in_the_reference(extension):
    from victor.cli.program import COMMANDS, group

    commands = extension("reference_commands")
    assert {path.split()[1] for path in commands.paths()[1:]} == {*COMMANDS}
    written = "\n".join(commands.markdown())
    for path in commands.paths()[1:]:
        command = group
        for name in path.split()[1:]:
            command = command.get_command(click.Context(command), name)
        assert f"# {path}\n" in written
        assert all(f"\n{line}\n" in written for line in getattr(command, "examples", ()))
        for param in command.params:
            hidden = getattr(param, "hidden", False)
            assert hidden or isinstance(param, click.Argument) or param.opts[-1] in written


@pytest.mark.parametrize("named", SCHEMAS)
def test_every_key_is_in_the_reference(extension, named):
    module, _, name = named.partition(":")
    schema = getattr(import_module(module), name)
    rows = [line for line in extension("reference_keys").markdown(schema) if line.startswith("| `")]
    keys = [*_leaves(schema)]
    assert [row.split("`")[1] for row in rows] == keys
    assert all(len(re.split(r"(?<!\\)\|", row)) == 6 for row in rows)
    assert all(re.split(r"(?<!\\)\|", row)[4].strip() for row in rows), "a key without meaning"


def _leaves(schema, prefix=""):
    """Paths of keys, those with a value before those of sections, as the tables have them."""
    values = {name: getattr(schema(), name) for name in schema.__struct_fields__}
    yield from (prefix + name for name, value in values.items() if not isinstance(value, Struct))
    for name, value in values.items():
        if isinstance(value, Struct):
            yield from _leaves(type(value), f"{prefix}{name}.")


def test_every_labeler_has_its_keys():
    from victor.labelers.labeler import LABELERS

    reference = (DOCS / "reference/configuration.md").read_text(encoding="utf-8")
    assert all(f"configs/{name}.yaml" in reference for name in (*LABELERS, "kitten"))
    assert "victor.config.schema:Config" in SCHEMAS


def test_files_outside_of_the_docs_are_shown_with_links_that_lead_on(extension, tmp_path):
    shown = extension("victor_site")._shown_from
    page = tmp_path / "annotations/page.md"
    page.parent.mkdir()
    page.write_text("[a](b.md#c) [d](../docs/e.md) [f](https://g.example/h) [i](#j)", "utf-8")
    assert shown(page, tmp_path / "docs/how-to") == (
        "[a](../../annotations/b.md#c) [d](../e.md) [f](https://g.example/h) [i](#j)"
    )


def test_every_column_is_in_the_reference(extension):
    from victor.features import NAMES, load

    written = "\n".join(extension("reference_columns").markdown())
    for module in NAMES:
        assert f"## {module}\n" in written
        assert all(f"| `{column.name}` | " in written for column in load(module).columns)
