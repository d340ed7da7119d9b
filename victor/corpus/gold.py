"""Gold standards, and the annotated pages that they make.

``gold.jsonl``, which scripts and people write, and CleanEval are read here. Segments of a page take
their labels from its aligned gold standard. Pages are read during iteration, so a corpus may be
larger than memory.
"""

from __future__ import annotations

import html as entities
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Labels
from victor.base.errors import CorpusError
from victor.base.files import add, created
from victor.base.labels import UNLABELLED, Label
from victor.corpus.alignment import (
    align,
    align_kinds,
    align_labelled,
    align_segments,
    labels,
    oracle,
    without_blocks,
)
from victor.corpus.pages import AnnotatedPage, annotate
from victor.corpus.pages import site as site_of
from victor.corpus.policy import judge
from victor.corpus.rows import page_file, read_rows
from victor.measures.words import Score
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts, segment_texts

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

_ROWS: Final = msgspec.json.Encoder()
_MARKERS: Final[Mapping[str, str]] = {"header": "h", "list": "l"}
_MARKER = re.compile(r"<([hpl])>", re.IGNORECASE)
_END_MARKER = re.compile(r"</[hpl]>", re.IGNORECASE)
_BARE_SIGN = re.compile(r"[<>]|&(?!(?:amp|lt|gt);)")
_URL_LINE = re.compile(r"\s*URL(?:[ \t]*:|(?=[ \t]+(?:http|www)))[ \t]*(\S*)[^\n]*", re.IGNORECASE)
_TEXT_ID = re.compile(rb"""\s*<text\s[^>]*?\bid\s*=\s*["']?([^"'>\s]+)""", re.IGNORECASE)


class BlockRow(Struct, omit_defaults=True):
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
    """Gold pages that are read one by one, each of which may raise `CorpusError`.

    `missing` are the ids with a gold standard but without a page; they are not among the pages.
    """

    loaders: tuple[Callable[[], GoldPage], ...]
    missing: tuple[str, ...] = ()

    @classmethod
    def of(cls, entries: Mapping[str, tuple[Path, Callable[[], GoldPage]]]) -> GoldCorpus:
        """The entries, each the file of a page and its loader, whose page exists."""
        loaders = {key: load for key, (page, load) in entries.items() if page.is_file()}
        return cls(tuple(loaders.values()), tuple(key for key in entries if key not in loaders))

    def __len__(self) -> int:
        return len(self.loaders)

    def __iter__(self) -> Iterator[GoldPage]:
        return (load() for load in self.loaders)


# --- gold.jsonl -----------------------------------------------------------------------------------


def read_jsonl(folder: Path) -> GoldCorpus:
    """Rows of ``gold.jsonl`` beside ``html/<id>.html``.

    A row has ``id`` and ``text``, and optionally ``url``, ``lang``, ``type``, ``site``,
    ``licence``, ``undecided`` (don't-care text) and ``blocks``, a list of {label, text} segments of
    the main content. A folder ``blocks``, if there is one, holds ``<id>.blocks.jsonl`` for every
    page: all its text blocks as {label, text}, with the names of `BLOCK_LABELS`, and optionally
    the ``kind`` of each.

    Raises:
        CorpusError: a file is missing or damaged, pages excepted (see `GoldCorpus.missing`).
    """
    entries = {}
    for _, row, whole in read_rows(folder / GOLD, GoldRow):
        page = folder / "html" / f"{row.id}.html"
        entries[str(row.id)] = (page, partial(_load_row, folder, row, whole))
    return GoldCorpus.of(entries)


def _load_row(folder: Path, row: GoldRow, whole: Mapping[str, Any]) -> GoldPage:
    key = str(row.id)
    labelled, kinds = _labelled(folder, key)
    segments = tuple((_MARKERS.get(block.label, "p"), block.text) for block in row.blocks or ())
    return GoldPage(
        id=key,
        html=_read(folder / "html" / f"{key}.html"),
        url=row.url,
        site=site_of(row.site or row.url or ""),
        gold=row.text,
        segments=segments or None,
        undecided=row.undecided or "",
        labelled=labelled,
        kinds=kinds,
        language=row.lang,
        kind=row.type or row.kind,
        licence=row.licence,
        metadata={k: value for k, value in whole.items() if k not in GoldRow.__struct_fields__},
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


def write_jsonl(
    folder: Path, pages: Iterable[tuple[Mapping[str, Any], bytes, Iterable[BlockRow]]]
) -> int:
    """Fill an empty folder with pages as `read_jsonl` reads them; returns how many.

    Given are rows, pages and their blocks. An id that is not a file name is a `CorpusError`.
    """
    count = 0
    for name in ("html", "blocks"):
        (folder / name).mkdir()
    with created(folder / GOLD) as index:
        for row, markup, blocks in pages:
            add(page_file(folder / "html", row["id"], "the corpus"), markup)
            add(folder / "blocks" / f"{row['id']}{BLOCKS}", _ROWS.encode_lines(blocks))
            index.write(_ROWS.encode_lines([row]))
            count += 1
    return count


# --- CleanEval ------------------------------------------------------------------------------------


def read_cleaneval(folder: Path) -> GoldCorpus:
    """CleanEval: ``<name>.html`` with ``<name>-cleaned.txt`` or ``<name>.txt``.

    CleanEval states no licence. A `CorpusError` says that there are no cleaned texts.

    Source: Baroni et al. (2008), CleanEval.
    """
    entries: dict[str, tuple[Path, Callable[[], GoldPage]]] = {}
    texts = sorted(folder.glob("*.txt"))
    if not texts:
        raise CorpusError(f"{folder}: no .txt files here; check the path")
    for path in texts:
        key = path.stem.removesuffix("-cleaned")
        page = folder / f"{key}.html"
        entries.setdefault(key, (page, partial(_load_cleaneval, key, path, page)))
    return GoldCorpus.of(entries)


def _load_cleaneval(key: str, path: Path, page: Path) -> GoldPage:
    content, markup = _read(path), _read(page)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:  # an old annotation
        text = content.decode("cp1252", "replace")
    url, segments = parse_cleaneval(text)
    url = url or _text_id(markup)
    gold = "\n".join(text for _, text in segments)
    return GoldPage(key, markup, url, site_of(url or ""), gold=gold, segments=segments)


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


def _text_id(markup: bytes) -> str | None:
    """Address in the ``<text id="…">`` line that CleanEval puts before a page."""
    match = _TEXT_ID.match(markup)
    return entities.unescape(match.group(1).decode("utf-8", "replace")) if match else None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CorpusError(
            f"{path}: cannot be read ({error}); unpack the corpus again, or name its layout with "
            "--format"
        ) from None


# --- Labels ---------------------------------------------------------------------------------------


class Labelled(NamedTuple):
    """A page, the word score of its labels (None without gold text), and what the policy changed.

    Changes are counts of blocks by the name of the rule.
    """

    page: AnnotatedPage
    oracle: Score | None
    changes: Counter[str]


def label_page(
    gold: GoldPage, *, by_policy: bool = False, believed: Collection[str] = ()
) -> Labelled:
    """Label the segments of a page by its gold standard.

    The labels come from the block labels of the source where it has them, else from its marked
    segments, else from its plain text; content inside h1 to h6 is always a header, and text on
    which the source was undecided is don't-care. The page is split at block-level tags, and all
    segments of a block share its label, unless the source labels pieces of text.

    Args:
        gold: the page with its gold standard.
        by_policy: labels and gold text follow `victor.corpus.policy`.
        believed: with `by_policy`, names of its rules on which gold decides all the same.

    Raises:
        CorpusError: the source has no gold standard for this page.
    """
    table = parse_pages([gold.html], "block")
    texts = block_texts(table)
    segment_labels = _segment_labels(gold, table, texts)
    kinds = _kinds(gold, table)
    changes: Counter[str] = Counter()
    if by_policy:
        before = segment_labels
        segment_labels, changes = judge(
            table, before, page_type=gold.kind, kinds=kinds, believed=believed
        )
        gold = replace(gold, gold=_agreeing(gold, table, before, segment_labels))
    page = annotate(
        gold.id,
        gold.html,
        segment_labels,
        texts=segment_texts(table),
        gold=gold.gold,
        url=gold.url,
        site=gold.site,
        language=gold.language,
        kind=gold.kind,
        licence=gold.licence,
        metadata={**gold.metadata, **({"kinds": kinds} if kinds else {})},
    )
    if not gold.gold:
        return Labelled(page, None, changes)
    return Labelled(page, oracle(texts, _has_kept(table, segment_labels), gold.gold), changes)


def _kinds(gold: GoldPage, table: BlockTable) -> list[str]:
    """(S,) what each segment is, where the source says it of its blocks, else nothing."""
    if not gold.labelled or not gold.kinds:
        return []
    texts = (text for _, text in gold.labelled)
    return align_kinds(segment_texts(table), [*zip(gold.kinds, texts, strict=True)])


def _is_kept(labels: Labels) -> Bools:
    return np.isin(labels, (Label.HEADER, Label.TEXT))


def _has_kept(table: BlockTable, labels: Labels) -> Bools:
    """(n,) is a segment of a block content."""
    kept = np.zeros(len(table), dtype=bool)
    kept[table.block_of_segment[_is_kept(labels)]] = True
    return kept


def _agreeing(gold: GoldPage, table: BlockTable, before: Labels, after: Labels) -> str | None:
    """Gold text that has what the labels after the policy keep.

    Where the source labels all blocks, it is their text, elsewhere what it was without the rest.
    """
    if gold.gold is None or (before == after).all():
        return gold.gold
    if gold.labelled is not None:
        texts, kept = block_texts(table), _has_kept(table, after)
        return "\n".join(texts[block] for block in np.flatnonzero(kept).tolist())
    is_out = _is_kept(before) & ~_is_kept(after)
    return gold.gold and (without_blocks(segment_texts(table), is_out, gold.gold) or None)


def _segment_labels(gold: GoldPage, table: BlockTable, texts: list[str]) -> Labels:
    if gold.labelled is not None:
        return align_labelled(segment_texts(table), gold.labelled)
    heading = table.heading_level > 0
    if gold.segments:
        block_labels = align_segments(texts, gold.segments)
        # Sources mark few headlines: what the markup calls a heading is one as well.
        block_labels[(block_labels == Label.TEXT) & heading] = Label.HEADER
    elif gold.gold is not None:
        block_labels = labels(align(texts, gold.gold), heading)
    else:
        raise CorpusError(f"page {gold.id} has no gold standard; leave it out of the corpus")
    if gold.undecided:
        block_labels[_undecided(texts, block_labels, gold.undecided)] = UNLABELLED
    return block_labels[table.block_of_segment]


def _undecided(texts: list[str], block_labels: Labels, undecided: str) -> Bools:
    """Which of the blocks that are not content hold text on which the source was undecided."""
    is_other = block_labels == Label.OTHER
    others = [text if free else "" for text, free in zip(texts, is_other.tolist(), strict=True)]
    return np.asarray(is_other & align(others, undecided).content)
