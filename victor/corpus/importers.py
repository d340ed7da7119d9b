"""Readers of gold standards: ``gold.jsonl``, which scripts and people write, and CleanEval.

Every reader returns a `GoldCorpus`; its pages are read during iteration, so a corpus may be larger
than memory.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.corpus.rows import read_rows
from victor.corpus.splits import site as site_of

GOLD: Final = "gold.jsonl"
BLOCKS: Final = ".blocks.jsonl"
"""Files of a corpus: its rows, and what the name of a file of blocks ends in."""
Segments = tuple[tuple[str, str], ...]
Parts = tuple[tuple[int, str], ...]

BLOCK_LABELS: Final[Mapping[str, int]] = {
    "header": Label.HEADER,
    "text": Label.TEXT,
    "other": Label.OTHER,
    "ambiguous": UNLABELLED,
    "comment": UNLABELLED,
}
"""Labels of annotated block files. Readers' comments are don't-care like ambiguous blocks: the
annotators left them out, but whether they are content is a matter of policy."""

_MARKERS: Final[Mapping[str, str]] = {"header": "h", "list": "l"}
_MARKER = re.compile(r"<([hpl])>", re.IGNORECASE)
_END_MARKER = re.compile(r"</[hpl]>", re.IGNORECASE)
_BARE_SIGN = re.compile(r"[<>]|&(?!(?:amp|lt|gt);)")
_URL_LINE = re.compile(r"\s*URL(?:[ \t]*:|(?=[ \t]+(?:http|www)))[ \t]*(\S*)[^\n]*", re.IGNORECASE)
_TEXT_ID = re.compile(rb"""\s*<text\s[^>]*?\bid\s*=\s*["']?([^"'>\s]+)""", re.IGNORECASE)


class BlockRow(Struct):
    """A block: what it is, by a name of `BLOCK_LABELS` and by its kind, and its text."""

    label: str
    text: str
    kind: str | None = None


class GoldRow(Struct):
    """A row of ``gold.jsonl``, see `read_jsonl`."""

    id: str | int
    url: str | None = None
    lang: str | None = None
    type: str | None = None
    kind: str | None = None
    text: str | None = None
    site: str | None = None
    licence: str | None = None
    blocks: list[BlockRow] | None = None
    undecided: str | None = None


_ROW_KEYS: Final = frozenset(GoldRow.__struct_fields__)


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page with its gold standard, as its corpus gives it.

    Attributes:
        id: unique in its corpus; a valid file name.
        html: the bytes of the page.
        url: address, if known.
        site: registrable domain, or the source's name for the site; "" if unknown.
        gold: main content as plain text; "" means no content, None no annotation.
        segments: (marker, text) with marker ``h``, ``p`` or ``l``, where the source distinguishes
            headlines from text.
        undecided: text that may be main content or not according to the source; text of the page
            that is neither in it nor in `gold` is not content.
        labelled: (label, text) of every text block in page order, where the source labels
            blocks; `UNLABELLED` is don't-care.
        kinds: what each of these blocks is, e.g. ``headline`` or ``comment``, where the source
            says so, else "".
        language: code as the source gives it.
        kind: page type in the words of the source.
        licence: of the page and its annotation.
        metadata: all other facts from the source.
    """

    id: str
    html: bytes
    url: str | None = None
    site: str = ""
    gold: str | None = None
    segments: Segments | None = None
    undecided: str = ""
    labelled: Parts | None = None
    kinds: tuple[str, ...] = ()
    language: str | None = None
    kind: str | None = None
    licence: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GoldCorpus:
    """Gold pages that are read one by one.

    Attributes:
        loaders: return the pages, in order; each may raise `CorpusError`.
        missing: ids with a gold standard but without a page; they are not among the pages.
    """

    loaders: tuple[Callable[[], GoldPage], ...]
    missing: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.loaders)

    def __iter__(self) -> Iterator[GoldPage]:
        return (load() for load in self.loaders)


def read_jsonl(folder: Path, *, licence: str | None = None) -> GoldCorpus:
    """Rows of ``gold.jsonl`` beside ``html/<id>.html``.

    A row has ``id`` and ``text``, and optionally ``url``, ``lang``, ``type``, ``site``,
    ``licence``, ``undecided`` (don't-care text) and ``blocks``, a list of {label, text} segments of
    the main content. A folder ``blocks``, if there is one, holds ``<id>.blocks.jsonl`` for every
    page: all its text blocks as {label, text}, with the names of `BLOCK_LABELS`, and optionally
    the ``kind`` of each.

    Args:
        folder: of the corpus.
        licence: for rows without one.

    Raises:
        CorpusError: a file is missing or damaged, pages excepted (see `GoldCorpus.missing`).
    """
    entries = {}
    for _, row, whole in read_rows(folder / GOLD, GoldRow):
        page = folder / "html" / f"{row.id}.html"
        entries[str(row.id)] = (page, partial(_load_row, folder, row, whole, licence))
    return _corpus(entries)


def read_cleaneval(folder: Path, *, licence: str | None = None) -> GoldCorpus:
    """CleanEval: ``<name>.html`` with ``<name>-cleaned.txt`` or ``<name>.txt``.

    Args:
        folder: of the pages and their texts.
        licence: CleanEval states none.

    Raises:
        CorpusError: there are no cleaned texts.

    Source: Baroni et al. (2008), CleanEval.
    """
    entries: dict[str, tuple[Path, Callable[[], GoldPage]]] = {}
    texts = sorted(folder.glob("*.txt"))
    if not texts:
        raise CorpusError(f"{folder}: no .txt files here; check the path")
    for path in texts:
        key = path.stem.removesuffix("-cleaned")
        page = folder / f"{key}.html"
        entries.setdefault(key, (page, partial(_load_cleaneval, key, path, page, licence)))
    return _corpus(entries)


def parse_cleaneval(text: str) -> tuple[str | None, Segments]:
    """Address and segments of a CleanEval gold file.

    An optional first line ``URL: …`` holds the address. Text before the first ``<h>``, ``<p>`` or
    ``<l>`` counts as a paragraph; closing markers are ignored. The entities that Victor writes for
    ``&``, ``<`` and ``>`` are read in a file that has these signs nowhere else, as Victor writes
    it; in any other file, and so in all published ones that we know, text is as it stands.
    """
    url_line = _URL_LINE.match(text)
    body = _END_MARKER.sub(" ", text[url_line.end() :] if url_line else text)
    pieces = _MARKER.split(body)
    if not any(map(_BARE_SIGN.search, pieces[::2])):
        pieces[::2] = [entities.unescape(piece) for piece in pieces[::2]]
    markers = ["p", *(marker.lower() for marker in pieces[1::2])]
    texts = [" ".join(piece.split()) for piece in pieces[::2]]
    segments = tuple((m, text) for m, text in zip(markers, texts, strict=True) if text)
    return (url_line.group(1) or None if url_line else None), segments


def _load_row(
    folder: Path, row: GoldRow, whole: Mapping[str, Any], licence: str | None
) -> GoldPage:
    key = str(row.id)
    labelled, kinds = _labelled(folder, key)
    return GoldPage(
        id=key,
        html=_read(folder / "html" / f"{key}.html"),
        url=row.url,
        site=site_of(row.site or row.url or ""),
        gold=row.text,
        segments=tuple((_MARKERS.get(block.label, "p"), block.text) for block in row.blocks or ())
        or None,
        undecided=row.undecided or "",
        labelled=labelled,
        kinds=kinds,
        language=row.lang,
        kind=row.type or row.kind,
        licence=row.licence or licence,
        metadata={name: value for name, value in whole.items() if name not in _ROW_KEYS},
    )


def _labelled(folder: Path, key: str) -> tuple[Parts | None, tuple[str, ...]]:
    """Labels of all blocks of a page, if the corpus has them, and their kinds, if it says them."""
    if not (folder / "blocks").is_dir():
        return None, ()
    path = folder / "blocks" / f"{key}{BLOCKS}"
    rows = [row for _, row, _ in read_rows(path, BlockRow)]
    if unknown := {row.label for row in rows} - BLOCK_LABELS.keys():
        names = ", ".join(BLOCK_LABELS)
        raise CorpusError(f"{path}: unknown label {min(unknown)!r}; known are {names}")
    kinds = tuple(row.kind or "" for row in rows)
    parts = tuple((BLOCK_LABELS[row.label], row.text) for row in rows)
    return parts, kinds if any(kinds) else ()


def _load_cleaneval(key: str, path: Path, page: Path, licence: str | None) -> GoldPage:
    url, segments = parse_cleaneval(_old_text(path))
    markup = _read(page)
    url = url or _text_id(markup)
    return GoldPage(
        id=key,
        html=markup,
        url=url,
        site=site_of(url or ""),
        gold="\n".join(text for _, text in segments),
        segments=segments,
        licence=licence,
    )


def _corpus(entries: Mapping[str, tuple[Path, Callable[[], GoldPage]]]) -> GoldCorpus:
    """Corpus of the entries whose page exists."""
    loaders = {key: load for key, (page, load) in entries.items() if page.is_file()}
    missing = tuple(key for key in entries if key not in loaders)
    return GoldCorpus(tuple(loaders.values()), missing)


def _old_text(path: Path) -> str:
    """Text of an old annotation, in UTF-8 or windows-1252."""
    content = _read(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CorpusError(
            f"{path}: cannot be read ({error}); unpack the corpus again, or name its layout with "
            "--format"
        ) from None


def _text_id(markup: bytes) -> str | None:
    """Address in the ``<text id="…">`` line that CleanEval puts before a page."""
    match = _TEXT_ID.match(markup)
    return entities.unescape(match.group(1).decode("utf-8", "replace")) if match else None
