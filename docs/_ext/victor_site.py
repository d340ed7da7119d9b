"""What Victor's site needs beside Sphinx: generated reference pages, and links out of `docs`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import reference_columns
import reference_commands
import reference_keys
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

ROOT: Final = Path(__file__).resolve().parents[2]
INCLUDED: Final = {
    "CHANGELOG": "develop/changelog",
    "README": "index",
    "SECURITY": "develop/reporting",
    "annotations/GUIDELINES": "concepts/guidelines",
    "annotations/README": "reports/annotated-pages",
}
"""Markdown outside of `docs`, without its suffix, to the page that shows it."""


def _keys(named: str) -> list[str]:
    """The keys of a schema, named as `module:class`."""
    module, _, name = named.partition(":")
    return reference_keys.markdown(getattr(import_module(module), name), "###")


GENERATED: Final[Mapping[str, Callable[..., list[str]]]] = {
    "commands": reference_commands.markdown,
    "columns": reference_columns.markdown,
    "keys": _keys,
}
"""What a comment `<!-- generated: NAME ARGUMENT -->` stands for."""
_MARK: Final = re.compile(r"^<!-- generated: (\w+) ?(\S*) -->$", re.MULTILINE)


def _generate(_: Sphinx, __: str, source: list[str]) -> None:
    """Put Markdown in the place of the comments that stand for it."""

    def made(mark: re.Match[str]) -> str:
        name, argument = mark.groups()
        return "\n".join(GENERATED[name](argument) if argument else GENERATED[name]())

    source[0] = _MARK.sub(made, source[0])


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


def setup(app: Sphinx) -> dict[str, bool]:
    """Register all of it."""
    app.connect("source-read", _generate)
    app.connect("doctree-read", _links_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
