"""Rows of WebMainBench: JSON Lines with pages whose content annotators selected.

A row needs ``track_id`` (or ``id``) and ``html``, the page with ``cc-select="true"`` on the
elements selected. ``url``, ``meta`` with ``language``, ``style`` and ``level``, and a ``licence``
are read where they are there. ``main_html``, ``convert_main_content`` and ``groundtruth_content``
only tell whether a page without a mark is one without content.

Source: https://github.com/opendatalab/WebMainBench, Apache-2.0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

from victor.corpus.pages import AnnotatedPage, page_file
from victor.corpus.selected_html import has_selection, read_selected
from victor.corpus.splits import site
from victor.errors import CorpusError, PageError
from victor.sources.decompress import chunks
from victor.sources.inputs import local_inputs
from victor.sources.jsonl import lines
from victor.sources.streams import Peeked

NO_ROW: Final = frozenset({"no-id", "no-html"})
"""Reasons why a line that can be read is no row of this layout."""
UNMARKED: Final = frozenset({"no-mark", "no-marked-text"})
"""Reasons why a sound row gives no annotated page."""
_LONGEST: Final = 1 << 27
"""Bytes of a line; a longer one is skipped without being held in memory."""
_LONGEST_ID: Final = 200
"""Bytes of an id in UTF-8: names of files may have 255."""
_GOLD_KEYS: Final = ("main_html", "convert_main_content", "groundtruth_content")
_FACTS: Final = ("language", "style", "level", "table", "code", "equation")
_TAG: Final = re.compile(r"<[^>]*(?:>|\Z)")


class Line(NamedTuple):
    """A line of a file.

    Attributes:
        where: file and number, for messages.
        content: its bytes; text says why they cannot be read.
    """

    where: str
    content: bytes | str


class Skipped(NamedTuple):
    """A line that gives no page.

    Attributes:
        reason: short machine-readable name, e.g. ``"damaged-line"``.
        message: where it is, and what is wrong.
    """

    reason: str
    message: str


def read_lines(source: Path) -> Iterator[Line]:
    """The lines of a file, or of the files ``*.jsonl`` and ``*.ndjson`` below a folder, in order.

    Files may be packed with gzip or Zstandard. One line is in memory at a time.

    Raises:
        ConfigError: there is no such file.
        CorpusError: a file cannot be opened.
    """
    for file in local_inputs(str(source), ("jsonl",)):
        try:
            with Path(file.name).open("rb") as stream:
                yield from _numbered(file.name, Peeked(stream))
        except OSError as error:
            raise CorpusError(f"{file.name} cannot be read: {error.strerror}") from None


def _numbered(name: str, stream: Peeked) -> Iterator[Line]:
    """Lines that are not empty; of a damaged stream, the damages are lines, too."""
    content = chunks(cast("IO[bytes]", stream), stream.head)
    for number, line in enumerate(lines(content, _LONGEST), 1):
        if line.strip():
            yield Line(f"{name}, line {number}", line)


def read_line(line: Line) -> AnnotatedPage | Skipped:
    """The page of a line; any bytes give one or a reason why there is none."""
    if isinstance(line.content, str):
        return Skipped("damaged-line", f"{line.where}: {line.content}")
    if len(line.content) > _LONGEST:
        return Skipped("too-many-bytes", f"{line.where}: longer than {_LONGEST} bytes")
    try:
        row = json.loads(line.content)
    except (ValueError, RecursionError) as error:
        return Skipped("damaged-line", f"{line.where}: not JSON in UTF-8 ({error})")
    try:
        return _page(row, line.where)
    except PageError as error:
        return Skipped(error.reason, f"{line.where}: {error}")


def _page(row: object, where: str) -> AnnotatedPage:
    """The page of a row.

    Raises:
        PageError: the row lacks what is needed, or its marks label nothing.
    """
    if not isinstance(row, dict):
        raise PageError("damaged-line", "not a JSON object; is this the right file?")
    page_id, html = _page_id(row, where), row.get("html")
    if not isinstance(html, str):
        raise PageError("no-html", f"the row of {page_id} lacks html, the page with its marks")
    facts, url = _facts(row), _text(row.get("url"))
    page = read_selected(
        page_id,
        html,
        url=url,
        site=site(url or ""),
        language=facts.get("language"),
        kind=facts.get("style"),
        licence=_text(row.get("licence")) or _text(row.get("license")),
        metadata=facts,
    )
    if not page.gold:
        _check_empty(row, page_id, html)
    return page


def _check_empty(row: Mapping[str, Any], page_id: str, html: str) -> None:
    """Refuse a page without selected text, unless its row says that it has no content."""
    golds = [row[key] for key in _GOLD_KEYS if isinstance(row.get(key), str)]
    if golds and not any(_TAG.sub("", gold).strip() for gold in golds):
        return
    if has_selection(html):
        raise PageError("no-marked-text", f"nothing that {page_id} selects is visible text")
    raise PageError("no-mark", f"{page_id} selects nothing, and no key says it has no content")


def _page_id(row: Mapping[str, Any], where: str) -> str:
    value = row.get("track_id", row.get("id"))
    if not isinstance(value, str | int) or value == "":
        raise PageError("no-id", "the row lacks track_id, the name of the page")
    page_id = str(value)
    try:
        page_file(Path(), page_id, where)
    except CorpusError:
        raise PageError("bad-id", f"the id {page_id!r} is not a plain file name") from None
    if len(page_id.encode()) > _LONGEST_ID:
        raise PageError("bad-id", f"the id {page_id[:40]!r}… is too long for a file name")
    return page_id


def _facts(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a row says of its page: texts and lists of texts from ``meta``, or beside it."""
    meta = row.get("meta")
    both = {**row, **meta} if isinstance(meta, dict) else row
    facts = {name: _fact(both.get(name)) for name in _FACTS}
    texts = ("language", "style", "level")
    return {
        name: value
        for name, value in facts.items()
        if value and (isinstance(value, str) or name not in texts)
    }


def _fact(value: object) -> str | list[str] | None:
    if isinstance(value, list):
        return [text for text in map(_text, value) if text]
    return _text(value)


def _text(value: object) -> str | None:
    """A text without the lone surrogates that JSON may escape and no file can hold."""
    return value.encode("utf-8", "replace").decode() or None if isinstance(value, str) else None
