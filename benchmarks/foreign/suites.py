"""Pages of the test suites of other projects, and what these projects expect of them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from structure.rendered import document_of
from structure.systems import EXTENSIONS, Page
from structure.walk import Document, parsed

from victor.page.decoding.decode import decode

_ADDRESS: Final = re.compile(r'<!--\s*\{"url":\s*"([^"]+)"')
_FRONT: Final = re.compile(r"\A```json\n(.*?)\n```\n", re.DOTALL)
_SNAPSHOT: Final = re.compile(r"^    \{\n(.*?)^    \}", re.DOTALL | re.MULTILINE)
_VALUE: Final = re.compile(
    r"^      (\w+): ('(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"),", re.MULTILINE
)
_OF_READABILITY: Final = "http://fakehost/test/page.html"
"""Address that the suite gives to all its pages."""


@dataclass(frozen=True, eq=False)
class Case:
    """A page of a suite.

    Attributes:
        page: as systems get it.
        document: the expected content; None if the suite expects none.
        metadata: the expected title, author and date, "" for what is not given.
        lines: expected lines of the text by name, such as ingredients.
    """

    page: Page
    document: Document | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, list[str]] = field(default_factory=dict)


def _page(name: str, path: Path, url: str | None = None) -> Page:
    html = path.read_bytes()
    markup = decode(html).text
    if url is None:
        match = _ADDRESS.search(markup[:1000])
        url = match[1] if match else "https://" + name.partition("--")[2]
    return Page(name, url, html, markup, "")


def _metadata(values: Mapping[str, object], title: str, author: str, date: str) -> dict[str, str]:
    """The three values that are compared, given how a suite calls them."""
    names = {"title": title, "author": author, "date": date}
    return {name: str(values.get(key) or "") for name, key in names.items()}


def _defuddle(folder: Path) -> Iterator[Case]:
    """``tests/fixtures/NAME.html``, and ``tests/expected/NAME.md`` with metadata at its head."""
    for path in sorted(folder.glob("tests/expected/*.md")):
        page = folder / "tests" / "fixtures" / f"{path.stem}.html"
        if page.exists():
            text = path.read_text(encoding="utf-8")
            front = _FRONT.match(text)
            values = json.loads(front[1]) if front else {}
            body = text[front.end() :] if front else text
            yield Case(
                _page(path.stem, page),
                document_of(body, EXTENSIONS["defuddle"]),
                _metadata(values, "title", "author", "published"),
            )


def _readability(folder: Path) -> Iterator[Case]:
    """``test/test-pages/NAME`` with source.html, expected.html and expected-metadata.json."""
    for path in sorted(folder.glob("test/test-pages/*/expected.html")):
        values = json.loads((path.parent / "expected-metadata.json").read_text(encoding="utf-8"))
        yield Case(
            _page(path.parent.name, path.parent / "source.html", _OF_READABILITY),
            Document(parsed(path.read_text(encoding="utf-8")), is_page=False),
            _metadata(values, "title", "byline", "publishedTime"),
        )


def _metascraper(folder: Path) -> Iterator[Case]:
    """``.../NAME/input.html`` beside a snapshot of AVA with the values, ``snapshots/*.md``."""
    for path in sorted(folder.rglob("input.html")):
        snapshot = next(iter(sorted((path.parent / "snapshots").glob("*.md"))), None)
        found = _SNAPSHOT.search(snapshot.read_text(encoding="utf-8")) if snapshot else None
        if found:
            values = {name: ast.literal_eval(value) for name, value in _VALUE.findall(found[1])}
            page = _page(path.parent.name, path, values.get("url", ""))
            yield Case(page, metadata=_metadata(values, "title", "author", "date"))


def _recipe_scrapers(folder: Path) -> Iterator[Case]:
    """``tests/test_data/HOST/NAME.testhtml`` and ``NAME.json``; the first page of every host."""
    for host in sorted(folder.glob("tests/test_data/*/")):
        for path in sorted(host.glob("*.testhtml"))[:1]:
            values = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
            yield Case(
                _page(path.stem, path, values.get("canonical_url") or f"https://{host.name}/"),
                metadata=_metadata(values, "title", "author", ""),
                lines={
                    "ingredients": values.get("ingredients") or [],
                    "steps": values.get("instructions_list") or [],
                },
            )


SUITES: Final[Mapping[str, Callable[[Path], Iterator[Case]]]] = {
    "defuddle": _defuddle,
    "readability": _readability,
    "metascraper": _metascraper,
    "recipe-scrapers": _recipe_scrapers,
}
"""Reader of each suite, given the folder of its repository."""


def cases(suite: str, folder: Path) -> list[Case]:
    """The pages of a suite.

    Raises:
        SystemExit: the folder has none.
    """
    found = [*SUITES[suite](folder)]
    if not found:
        raise SystemExit(f"{folder} has no pages of {suite}: name the folder of its repository")
    return found
