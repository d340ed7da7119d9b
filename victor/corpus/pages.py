"""Annotated pages: bytes of a page, a label for every piece of its text, and metadata.

On disk a corpus is a folder with ``pages.jsonl`` and ``html/<id>.html``. Labels belong to the
segments that splitting at every tag gives, one letter each (h header, t text, o other, ? nobody
can tell), beside a short hash of the segment's letters. Both ways of splitting read the same
labels, and a segmenter that changed is noticed instead of shifting every label by one.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.blocks import BlockTable
from victor.decode import decode
from victor.errors import CorpusError
from victor.events import record
from victor.labels import UNLABELLED, Label
from victor.segment import segment

INDEX: Final = "pages.jsonl"
FORMAT: Final = 1
_LETTERS: Final = {Label.HEADER: "h", Label.TEXT: "t", Label.OTHER: "o", UNLABELLED: "?"}
_LABELS: Final = {letter: int(label) for label, letter in _LETTERS.items()}
_HASH_DIGITS: Final = 4

Labels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedPage:
    """One annotated page.

    Attributes:
        id: unique in its corpus; the name of its file.
        html: the bytes of the page.
        labels: (S,) uint8 `Label` or UNLABELLED per segment of the page split at every tag.
        hashes: (S,) short hash of each segment's letters when it was labelled.
        gold: main content as plain text where the source gives it, else None.
        url, site, language, kind, licence: as the source says; `site` groups pages that may
            not be torn apart in cross-validation, `kind` is the page type.
        metadata: anything else, e.g. ``with`` and ``without`` snippets.
    """

    id: str
    html: bytes
    labels: Labels
    hashes: tuple[str, ...]
    gold: str | None = None
    url: str | None = None
    site: str = ""
    language: str | None = None
    kind: str | None = None
    licence: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Drift:
    """How far stored labels fit the segments that the page has now; true if not all do.

    Attributes:
        page: id of the page.
        stored: labels stored.
        found: segments that the segmenter finds now.
        moved: stored labels whose text stands elsewhere now; they were carried over.
        lost: segments without a stored label; they stay unlabelled.
    """

    page: str
    stored: int
    found: int
    moved: int
    lost: int

    def __bool__(self) -> bool:
        return bool(self.moved or self.lost or self.stored != self.found)


def segment_hash(text: str) -> str:
    """Short hash of the letters and digits of a text, case folded."""
    letters = "".join(c for c in text.casefold() if c.isalnum())
    return f"{zlib.crc32(letters.encode('utf-8', 'surrogatepass')) & 0xFFFF:0{_HASH_DIGITS}x}"


def canonical_table(html: bytes) -> BlockTable:
    """The page cut at every tag: the segments that labels belong to."""
    return segment(record([decode(html).text.encode()]), "tag")


def annotate(page_id: str, html: bytes, segment_labels: Labels, **fields: Any) -> AnnotatedPage:  # noqa: ANN401
    """An annotated page from labels of its segments; `fields` are further attributes."""
    texts = canonical_table(html).segment_texts()
    if len(texts) != len(segment_labels):
        raise CorpusError(
            f"page {page_id}: {len(segment_labels)} labels for {len(texts)} segments; "
            "label the page again with `victor align`"
        )
    hashes = tuple(segment_hash(text) for text in texts)
    return AnnotatedPage(page_id, html, np.asarray(segment_labels, np.uint8), hashes, **fields)


def current_labels(page: AnnotatedPage, texts: Sequence[str]) -> tuple[Labels, Drift]:
    """Labels for the segments of a page as it is cut now.

    Args:
        page: the page with stored labels.
        texts: the segments of `canonical_table` of the same page.

    Returns:
        (S,) labels and how much had to be carried over. Where the text of a segment is not found
        among the stored ones, in order, it is UNLABELLED.
    """
    hashes = tuple(segment_hash(text) for text in texts)
    if hashes == page.hashes:
        return page.labels, Drift(page.id, len(hashes), len(hashes), 0, 0)
    labels = np.full(len(hashes), UNLABELLED, dtype=np.uint8)
    matches = SequenceMatcher(None, page.hashes, hashes, autojunk=False).get_matching_blocks()
    for old, new, size in matches:
        labels[new : new + size] = page.labels[old : old + size]
    moved = sum(match.size for match in matches if match.a != match.b)
    lost = len(hashes) - sum(match.size for match in matches)
    return labels, Drift(page.id, len(page.hashes), len(hashes), moved, lost)


def block_labels(segment_labels: Labels, table: BlockTable) -> Labels:
    """Labels of blocks from labels of their segments: the label with most words, first if equal.

    Segments without words vote only where no segment of the block has one. UNLABELLED
    segments do not vote while another does.
    """
    weight = np.where(segment_labels == UNLABELLED, 1e-3, 1.0) * (table.segment_words + 1e-3)
    votes = np.stack(
        [
            np.bincount(
                table.block_of_segment, np.where(segment_labels == label, weight, 0.0), len(table)
            )
            for label in (*Label, UNLABELLED)
        ]
    )
    values = np.array([*Label, UNLABELLED], dtype=np.uint8)
    return np.asarray(values[votes.argmax(axis=0)])


def segment_places(table: BlockTable) -> NDArray[np.int64]:
    """(2, S) visible characters of each segment; 1 where it is the alternative text of an image."""
    tag = table.segments.tag
    visible = table.tags.text_length[tag] - table.tags.text_space[tag]
    return np.stack([visible, table.inside(frozenset({"img"}))[table.segment_element]])


def carry(labels: Labels, canonical: NDArray[np.int64], places: NDArray[np.int64]) -> Labels:
    """Labels of canonical segments for the segments of the same page cut with other options.

    Alternative texts of images and lines of ``<pre>`` make more segments. Every visible character
    that is not alternative text stands in both in the same order, and a segment takes the
    label of its first. Alternative texts take the label before them.

    Args:
        labels: (S,) labels of the canonical segments.
        canonical: (2, S) `segment_places` of the canonical segments.
        places: (2, S') `segment_places` of the other segments.
    """
    if not len(labels):
        return np.full(places.shape[1], Label.OTHER, dtype=np.uint8)
    visible, added = places[0], places[1] > 0
    own = np.where(added, 0, visible)
    source = np.searchsorted(np.cumsum(canonical[0]), np.cumsum(own) - own, side="right")
    return np.asarray(labels[np.clip(source - added, 0, len(labels) - 1)])


def write_corpus(directory: Path, pages: Iterable[AnnotatedPage]) -> int:
    """Write annotated pages to a new or empty folder; returns how many.

    Raises:
        CorpusError: the folder holds a corpus already.
    """
    if (directory / INDEX).exists():
        raise CorpusError(f"{directory} holds a corpus already; choose another folder")
    (directory / "html").mkdir(parents=True, exist_ok=True)
    count = 0
    with (directory / INDEX).open("w", encoding="utf-8") as index:
        for page in pages:
            (directory / "html" / f"{page.id}.html").write_bytes(page.html)
            index.write(json.dumps(_to_row(page), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_corpus(directory: Path) -> Iterator[AnnotatedPage]:
    """Pages of an annotated corpus, in order.

    Raises:
        CorpusError: no corpus there, or a row or page is missing or damaged.
    """
    index = directory / INDEX
    if not index.is_file():
        raise CorpusError(
            f"{directory} holds no annotated corpus ({INDEX} is missing); "
            "make one with `victor align`"
        )
    with index.open(encoding="utf-8") as rows:
        for number, line in enumerate(rows, 1):
            yield _from_row(directory, _parse_row(index, number, line))


def _parse_row(index: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise CorpusError(f"{index}, line {number}: not JSON ({error.msg}); restore it") from None
    if not isinstance(row, dict) or row.get("format") != FORMAT:
        raise CorpusError(f"{index}, line {number}: not an annotated page of format {FORMAT}")
    missing = sorted({"id", "labels", "hashes"} - row.keys())
    if missing:
        raise CorpusError(f"{index}, line {number}: the row lacks {', '.join(missing)}")
    return row


def _to_row(page: AnnotatedPage) -> dict[str, Any]:
    row = {
        "format": FORMAT,
        "id": page.id,
        "url": page.url,
        "site": page.site,
        "language": page.language,
        "type": page.kind,
        "licence": page.licence,
        "labels": "".join(_LETTERS[label] for label in page.labels.tolist()),
        "hashes": "".join(page.hashes),
        "gold": page.gold,
        "metadata": dict(page.metadata),
    }
    return {key: value for key, value in row.items() if value not in (None, {})}


def _from_row(directory: Path, row: Mapping[str, Any]) -> AnnotatedPage:
    path = directory / "html" / f"{row['id']}.html"
    try:
        html = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"page {path} cannot be read: {error.strerror}") from None
    return AnnotatedPage(
        id=row["id"],
        html=html,
        labels=_parse_labels(row),
        hashes=_parse_hashes(row),
        gold=row.get("gold"),
        url=row.get("url"),
        site=row.get("site", ""),
        language=row.get("language"),
        kind=row.get("type"),
        licence=row.get("licence"),
        metadata=row.get("metadata", {}),
    )


def _parse_labels(row: Mapping[str, Any]) -> Labels:
    try:
        return np.array([_LABELS[letter] for letter in row["labels"]], dtype=np.uint8)
    except KeyError as error:
        known = " ".join(_LABELS)
        raise CorpusError(f"page {row['id']}: label {error} is not one of {known}") from None


def _parse_hashes(row: Mapping[str, Any]) -> tuple[str, ...]:
    text: Sequence[str] = row["hashes"]
    hashes = tuple("".join(text[i : i + _HASH_DIGITS]) for i in range(0, len(text), _HASH_DIGITS))
    if len(hashes) != len(row["labels"]):
        raise CorpusError(f"page {row['id']}: {len(row['labels'])} labels, {len(hashes)} hashes")
    return hashes
