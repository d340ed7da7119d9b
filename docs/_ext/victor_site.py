"""What the site needs beside Sphinx: generated reference pages, files outside of `docs`."""

from __future__ import annotations

import inspect
import os
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import reference_columns
import reference_commands
import reference_keys
import results
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

import victor

ROOT: Final = Path(__file__).resolve().parents[2]
INCLUDED: Final = {
    "CHANGELOG": "develop/changelog",
    "CONTRIBUTING": "develop/contributing",
    "README": "index",
    "SECURITY": "develop/reporting",
    "annotations/GUIDELINES": "concepts/guidelines",
    "annotations/README": "reports/annotated-pages",
    "annotations/labels/README": "reports/labels",
    "benchmarks/board": "reports/board",
    "victor/language/profiles/README": "reports/language-profiles",
}
"""Markdown outside of `docs`, without its suffix, to the page that shows it."""


_SHOWN_PAGE: Final = ROOT / "annotations/pages/slowmile-lamplighter.html"
"""The page of the demo: one of our own, under CC0."""


def _keys(named: str) -> list[str]:
    """The keys of a schema, named as `module:class`."""
    module, _, name = named.partition(":")
    return reference_keys.markdown(getattr(import_module(module), name), "###")


def _source(named: str) -> list[str]:
    """The source of a function, named as `module:qualified name`."""
    module, _, path = named.partition(":")
    function = import_module(module)
    for name in path.split("."):
        function = getattr(function, name)
    source = textwrap.dedent(inspect.getsource(function))
    return [f"`{module.replace('.', '/')}.py`:", "", "```python", *source.splitlines(), "```"]


def _row(named: str) -> list[str]:
    """Names and types of the fields of a part of the rows of crawls."""
    fields = reference_keys.fields(getattr(import_module("victor.documents.row"), named))
    return ["| field | type |", "|---|---|", *(f"| `{name}` | {kind} |" for name, kind in fields)]


def _figures(named: str) -> list[str]:
    """A table of the figures in `docs/reports/results.yaml`."""
    return results.markdown(results.tables()[named]).splitlines()


def _demo() -> list[str]:
    """The frame of the demo that is written beside the first page."""
    title = "A page with its blocks coloured, the clean text beside it, and a threshold slider"
    return [
        f'<iframe class="demo" src="demo.html" title="{title}"></iframe>',
        '<p><a href="demo.html">Open the demo in full width</a>.',
        '<noscript>It needs JavaScript: <a href="how-to/demo.html">a picture</a></noscript></p>',
    ]


GENERATED: Final[Mapping[str, Callable[..., list[str]]]] = {
    "commands": reference_commands.markdown,
    "columns": reference_columns.markdown,
    "keys": _keys,
    "row": _row,
    "source": _source,
    "demo": _demo,
    "figures": _figures,
}
"""What a comment `<!-- generated: NAME ARGUMENT -->` stands for."""
_GENERATED: Final = re.compile(r"^<!-- generated: (\w+) ?(\S*) -->$", re.MULTILINE)
_SHOWN: Final = re.compile(r"^<!-- shows: (\S+) -->$", re.MULTILINE)
_RELATIVE: Final = re.compile(r"\]\((?![a-z]+:|#)([^()\s]+)\)")


def _expand(app: Sphinx, page: str, source: list[str]) -> None:
    """Put Markdown in the place of the comments that stand for it."""

    def made(mark: re.Match[str]) -> str:
        name, argument = mark.groups()
        return "\n".join(GENERATED[name](argument) if argument else GENERATED[name]())

    def shown(mark: re.Match[str]) -> str:
        app.env.note_dependency(ROOT / mark[1])
        return _shown_from(ROOT / mark[1], Path(app.env.doc2path(page)).parent)

    source[0] = _SHOWN.sub(shown, _GENERATED.sub(made, source[0]))


def _shown_from(file: Path, folder: Path) -> str:
    """Markdown as it would stand in another folder: relative links lead to the same places."""

    def moved(link: re.Match[str]) -> str:
        path, mark, anchor = link[1].partition("#")
        return f"]({os.path.relpath(file.parent / path, folder)}{mark}{anchor})"

    return _RELATIVE.sub(moved, file.read_text(encoding="utf-8"))


def _links_out(_: Sphinx, document: nodes.document) -> None:
    """Lead links to Markdown outside of `docs` to the page that shows it; others stay and warn."""
    for link in _links_to_documents(document):
        target = Path(link["reftarget"])
        if target.is_absolute() and target.is_relative_to(ROOT):
            name = target.relative_to(ROOT).as_posix()
            link["reftarget"] = INCLUDED.get(name, link["reftarget"])


def _links_to_documents(document: nodes.document) -> Iterator[Any]:
    for link in document.findall(addnodes.pending_xref):
        if link.get("refdomain") == "doc":
            yield link


def _write_demo(app: Sphinx, error: Exception | None) -> None:
    """Write the demo that the first page shows beside that page."""
    if error is None and app.builder.format == "html":
        result = victor.clean(_SHOWN_PAGE.read_bytes(), scope="article")
        (Path(app.outdir) / "demo.html").write_text(result.demo(), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register all of it."""
    app.connect("source-read", _expand)
    app.connect("doctree-read", _links_out)
    app.connect("build-finished", _write_demo)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
