"""The documentation site: it builds without a warning, is complete, and asks no other host."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import click
import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PUBLIC = ("victor", "victor.crawl")


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
    command += [str(DOCS), str(out / "html")]
    built = subprocess.run(command, cwd=ROOT, stderr=-1, stdout=-1, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return out / "html"


FETCHED = re.compile(
    r"""<(?:script|img|iframe)\b[^>]*\s(?:src|srcset)=["']([^"']+)"""
    r"""|<link\b(?![^>]*rel=["'](?:canonical|next|prev|search|index))[^>]*\shref=["']([^"']+)"""
    r"""|(?:url\(\s*|@import\s+)["']?([^"')\s]+)"""
)
"""What a browser fetches by itself, in pages and in styles."""


def foreign(text: str) -> list[str]:
    addresses = ("".join(found) for found in FETCHED.findall(text))
    return [each for each in addresses if urlsplit(each).netloc]


def test_foreign_addresses_are_found():
    page = '<script src="//cdn.example/a.js"></script><a href="https://b.example">b</a>'
    own = '<img src="own.png"><link rel="next" href="https://d.example">'
    style = "@import 'https://c.example/x.css'; p { background: url(own.png) }"
    assert foreign(page + own + style) == ["//cdn.example/a.js", "https://c.example/x.css"]


@pytest.mark.slow
def test_the_site_is_built_and_asks_no_other_host(site):
    pages = sorted(site.rglob("*.html"))
    assert {"start.html", "reference/python.html", "reports/model-card.html"} <= {
        page.relative_to(site).as_posix() for page in pages
    }
    for file in (*pages, *site.rglob("*.css")):
        assert foreign(file.read_text(encoding="utf-8")) == [], file


@pytest.mark.slow
def test_every_page_stands_in_the_navigation(site):
    shown = (site / "index.html").read_text(encoding="utf-8")
    for page in [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]:
        if page.relative_to(DOCS).parts[0] != "examples" and page.name != "index.md":
            address = page.relative_to(DOCS).with_suffix(".html").as_posix()
            assert f'href="{address}"' in shown, page


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


def test_what_pages_have_generated_can_be_made(extension):
    site = extension("victor_site")
    made = [
        site.GENERATED[name](*filter(None, [argument]))
        for page in DOCS.rglob("*.md")
        for name, argument in site._GENERATED.findall(page.read_text(encoding="utf-8"))
    ]
    assert len(made) > 5
    assert all(made)
