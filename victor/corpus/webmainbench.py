"""Rows of WebMainBench: JSON Lines with pages whose content annotators selected.

A row needs ``track_id`` (or ``id``) and ``html``, the page with ``cc-select="true"`` on the
elements selected. ``url``, ``meta`` with ``language``, ``style`` and ``level``, and a ``licence``
are read where they are there. ``main_html``, ``convert_main_content`` and ``groundtruth_content``
only tell whether a page without a mark is one without content.

All text inside a selected element is content, whatever its descendants say; all other text is not.
The annotation tool ran in a browser and left more behind, which a model must not read: identifiers
on elements, the class ``mark-selected``, empty ``style`` attributes on what the pointer touched,
and wrappers around text that shares its element with other elements. Reading takes all of it out.

Source: https://github.com/opendatalab/WebMainBench, Apache-2.0; the pages of Liu et al. (2025),
Dripper.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

import numpy as np

from victor.base.arrays import Chars, Labels, prefix_sums
from victor.base.errors import CorpusError, PageError
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import AnnotatedPage, annotate, page_file, segment_places
from victor.corpus.splits import site
from victor.page.decoding.decode import utf8
from victor.page.parsing.characters import JOINER, SPACE, class_table
from victor.page.parsing.events import record
from victor.page.table.blocks import BlockTable, Split
from victor.page.table.segment import segment
from victor.page.table.texts import segment_texts, text_of
from victor.sources.decompress import chunks
from victor.sources.inputs import local_inputs
from victor.sources.jsonl import lines
from victor.sources.streams import Peeked

SELECTION: Final = "cc-select"
_IDENTIFIERS: Final = ("_item_id", "data-anno-uid")
_CLASS: Final = "mark-selected"
_MARKS: Final = (SELECTION, *_IDENTIFIERS, "class", "style")
_HIDDEN: Final = UNLABELLED - 1
"""Text that the browser did not show, in the labels of elements only."""

# Possessive, and ended by the end of the page: no part of a page is read twice.
_TAG: Final = re.compile(
    rb"""</?[a-z](?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+(?:>|\Z)""", re.IGNORECASE
)
_TRACE: Final = re.compile(rb"cc-|_item_id|data-anno-uid|mark(?:ed)?-|style", re.IGNORECASE)
_WRAPPER: Final = re.compile(
    rb"</?(?:marked-(?:text|tail|inline)|cc-alg-uc-text)(?=[\s/>])", re.IGNORECASE
)
_NAME: Final = re.compile(rb"</?[^\s/>]+")
_ATTRIBUTE: Final = re.compile(
    rb"""[\s/]?([^\s=>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?""", re.IGNORECASE
)


def read_selected(page_id: str, marked: str | bytes, **fields: object) -> AnnotatedPage:
    """An annotated page from markup with selected elements; its gold text is what they hold.

    Text that only a wrapper parted from text with another label is unlabelled. So is selected text
    inside an element with the style ``display: none``: nobody saw it, and the benchmark's own gold
    text is without it.

    Args:
        page_id: id of the page.
        marked: the page with its marks.
        fields: further attributes of the page.

    Raises:
        PageError: a mark cannot be taken out (``marks-stay``), or the text of the page is another
            one without the marks (``marks-hold-text``).
    """
    # A page stored in UTF-8 with zero bytes would look like UTF-16; browsers show none of them.
    markup = utf8(marked).replace(b"\0", b"")
    html = without_marks(markup)
    selected, plain = _table(markup, "block"), _table(utf8(html), "tag")
    if _has_marks(plain):
        raise PageError(
            "marks-stay", f"a mark cannot be taken out; repair the tag with {SELECTION}"
        )
    marked_labels = _segment_labels(selected)
    labels = _carried(marked_labels, selected, plain)
    labels[(labels == Label.TEXT) & (plain.heading_level > 0)] = Label.HEADER
    gold = _gold_text(marked_labels, selected)
    return annotate(page_id, html, labels, texts=segment_texts(plain), gold=gold, **fields)


def has_selection(markup: str) -> bool:
    """Does any tag of a page select its element."""
    table = _table(utf8(markup), "tag")
    return "true" in table.attribute(SELECTION)


def without_marks(markup: bytes) -> bytes:
    """Markup without all that the annotation tool wrote into its tags; text stays as it is."""
    return _TAG.sub(_clean_tag, markup)


def _clean_tag(match: re.Match[bytes]) -> bytes:
    tag = match.group()
    if not _TRACE.search(tag):
        return tag
    if _WRAPPER.match(tag):
        return b""
    name = _NAME.match(tag)
    end = name.end() if name else 0
    return tag[:end] + _ATTRIBUTE.sub(_clean_attribute, tag[end:])


def _clean_attribute(match: re.Match[bytes]) -> bytes:
    name, value = match.group(1).lower(), match.group(2) or b""
    if name.startswith(b"cc-") or name.decode("latin-1") in _IDENTIFIERS:
        return b""
    if name == b"style" and value in (b'""', b"''"):
        return b""
    if name == b"class" and _CLASS.encode() in _classes(value):
        return _without_class(value)
    return match.group()


def _classes(value: bytes) -> list[bytes]:
    """Names in a class attribute, in lower case."""
    return value.strip(b"\"'").lower().split()


def _without_class(value: bytes) -> bytes:
    """A class attribute without the class of selected elements; nothing if it was the only one."""
    quote = value[:1] if value[:1] in (b'"', b"'") else b'"'
    names = zip(value.strip(b"\"'").split(), _classes(value), strict=True)
    others = b" ".join(name for name, lower in names if lower != _CLASS.encode())
    return b" class=" + quote + others + quote if others else b""


def _table(markup: bytes, split: Split) -> BlockTable:
    """The segments of UTF-8 markup, and the marks of its elements."""
    return segment(record([markup], attributes=_MARKS), split)


def _has_marks(table: BlockTable) -> bool:
    marks = (value for name in (SELECTION, *_IDENTIFIERS) for value in table.attribute(name))
    classes = (value.lower().split() for value in table.attribute("class") if value)
    return any(value is not None for value in marks) or any(_CLASS in names for names in classes)


def _segment_labels(table: BlockTable) -> Labels:
    """(S,) label of every segment of a page with marks: text, other or unlabelled."""
    is_selected = [value == "true" for value in table.attribute(SELECTION)]
    is_hidden = [_hides(value or "") for value in table.attribute("style")]
    labels: list[int] = []
    elements = table.elements
    for parent, bundle in zip(elements.parent.tolist(), elements.bundle.tolist(), strict=True):
        label = labels[parent] if parent < len(labels) else int(Label.OTHER)
        if bundle >= 0:
            label = _element_label(label, is_selected[bundle], is_hidden[bundle])
        labels.append(label)
    innermost = table.tags.element[table.segments.tag]
    of_segment = np.array(labels or [Label.OTHER], dtype=np.uint8)[innermost]
    return np.where(of_segment == _HIDDEN, np.uint8(Label.OTHER), of_segment)


def _element_label(around: int, selected: bool, hidden: bool) -> int:
    """Label of text in an element, given that of text around it."""
    if around in (Label.TEXT, UNLABELLED):
        return around
    if hidden or around == _HIDDEN:
        return UNLABELLED if selected else _HIDDEN
    return Label.TEXT if selected else Label.OTHER


def _hides(style: str) -> bool:
    """Whether an inline style hides the element (WebMainBench counts nothing else)."""
    return "display: none" in style or "display:none" in style


def _carried(labels: Labels, selected: BlockTable, plain: BlockTable) -> Labels:
    """(S',) labels of the segments of the plain page, from those of the page with its marks.

    Args:
        labels: (S,) labels of the segments with marks.
        selected: the page with its marks.
        plain: the same without them, where wrappers do not part texts.
    """
    if not np.array_equal(_visible(selected), _visible(plain)):
        raise PageError("marks-hold-text", "without its marks the page has another text")
    of_character = np.repeat(labels, segment_places(selected)[0])
    n_visible = segment_places(plain)[0]
    ends = np.cumsum(n_visible)
    carried = np.full(len(n_visible), UNLABELLED, dtype=np.uint8)
    for label in (Label.TEXT, Label.OTHER):
        total = prefix_sums(of_character == label)
        carried[total[ends] - total[ends - n_visible] == n_visible] = label
    return carried


def _visible(table: BlockTable) -> Chars:
    """(V,) visible characters of a page in order."""
    classes = class_table()[table.chars]
    is_visible = (classes != SPACE) & (classes != JOINER)
    visible: Chars = table.chars[is_visible]
    return visible


def _gold_text(labels: Labels, table: BlockTable) -> str:
    """Selected text, a line for every run of it inside a block."""
    rows = np.flatnonzero(labels == Label.TEXT)
    block = table.block_of_segment[rows]
    is_first = np.ones(len(rows), dtype=bool)
    is_first[1:] = (np.diff(rows) > 1) | (np.diff(block) > 0)
    run_starts, run_ends = rows[is_first], rows[np.roll(is_first, -1)]
    starts, ends = table.segments.start[run_starts].tolist(), table.segments.end[run_ends].tolist()
    bounds = zip(starts, ends, strict=True)
    return "\n".join(text_of(table.chars[start:end]) for start, end in bounds)


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
_ANY_TAG: Final = re.compile(r"<[^>]*(?:>|\Z)")


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
    for line_number, line in enumerate(lines(content, _LONGEST), 1):
        if line.strip():
            yield Line(f"{name}, line {line_number}", line)


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
    if golds and not any(_ANY_TAG.sub("", gold).strip() for gold in golds):
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
