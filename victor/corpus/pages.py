"""Annotated pages: the bytes of a page, a label for every segment of its text, and metadata.

On disk a corpus is a folder with ``pages.jsonl`` and ``html/<id>.html``. Labels belong to the
canonical segments, the runs of text between any two tags: one letter each (h header, t text, o
other, ? nobody can tell) and a short hash of the segment's letters. Both ways of splitting read
the same labels, and a change of the segmenter is noticed instead of shifting every label by one.

In a folder with ``pages/`` labels are marks in the pages: attributes,
``data-victor="header|text|other|unlabelled"``. The nearest marked element around a piece of text
decides; unmarked text is *other*. Text that shares its element with text of another label may have
an element ``<victor-mark>`` of its own. Reading such a page gives the page without the marks.

Splits are made by web site: pages of one site look alike and stay on one side.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Ints, Labels
from victor.base.errors import ConfigError, CorpusError
from victor.base.files import add, created, new_folder
from victor.base.labels import UNLABELLED, Label
from victor.corpus.rows import Hashes, PageRow, page_file, read_page, read_rows
from victor.page.decoding.decode import utf8
from victor.page.parsing.characters import JOINER, SPACE, class_table
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import parse_pages, read_pages
from victor.page.table.texts import segment_texts

INDEX: Final = "pages.jsonl"
ENCODER: Final = msgspec.json.Encoder()
FORMAT: Final = 1
_HASH_DIGITS: Final = 4
LETTERS: Final = "hto?"
"""Letters of `victor.base.labels.Label` in its order, then that of ``UNLABELLED``."""
UNMARKED: Final = "o"

ATTRIBUTE: Final = "data-victor"
WRAPPER: Final = "victor-mark"
_MARK: Final = re.compile(rb"""\sdata-victor\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)
_WRAPPERS: Final = re.compile(rb"</?victor-mark>")
_VALUES: Final = {label.lower_name: int(label) for label in Label} | {"unlabelled": UNLABELLED}
_CODES: Final = np.frombuffer(LETTERS.encode(), np.uint8)
_LAST: Final = len(LETTERS) - 1


class _LabelledRow(PageRow, kw_only=True):
    format: int
    labels: str
    hashes: Hashes
    gold: str | None = None
    metadata: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedPage:
    """One annotated page.

    Attributes:
        id: unique in its corpus; the name of its file.
        html: the bytes of the page.
        labels: (S,) uint8 `Label` or UNLABELLED per segment of the page split at every tag.
        hashes: (S,) short hash of each segment's letters when it was labelled.
        gold: main content as plain text where the source gives it, else None.
        url, site, language, kind, licence: as the source says; pages of one `site` stay together
            in cross-validation, `kind` is the page type.
        metadata: anything else.
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
    """How far the stored labels fit the segments found in a page now; true if they do not.

    Labels whose text has moved were carried over; segments that lost theirs stay unlabelled.
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
    """The page split at every tag: the segments that labels belong to."""
    return parse_pages([html], "tag")


def annotate(
    page_id: str,
    html: bytes,
    segment_labels: Labels,
    *,
    texts: Sequence[str] | None = None,
    **fields: Any,  # noqa: ANN401
) -> AnnotatedPage:
    """An annotated page from the (S,) labels of its canonical segments, and further attributes.

    `texts` are those of the segments, where the caller has parsed the page already.

    Raises:
        CorpusError: there are more or fewer labels than segments.
    """
    if texts is None:
        texts = segment_texts(canonical_table(html))
    if len(texts) != len(segment_labels):
        raise CorpusError(
            f"page {page_id}: {len(segment_labels)} labels for {len(texts)} segments; "
            "label the page again with `victor align`"
        )
    hashes = tuple(segment_hash(text) for text in texts)
    return AnnotatedPage(page_id, html, np.asarray(segment_labels, np.uint8), hashes, **fields)


def current_labels(page: AnnotatedPage, texts: Sequence[str]) -> tuple[Labels, Drift]:
    """(S,) labels of the segments of `canonical_table` of a page, and what had to be carried over.

    A segment whose text is not among the stored ones, in order, is UNLABELLED.
    """
    hashes = tuple(segment_hash(text) for text in texts)
    if hashes == page.hashes:
        return page.labels, Drift(page.id, len(hashes), len(hashes), 0, 0)
    carried = Carried.of(page.hashes, hashes)
    labels = np.full(len(hashes), UNLABELLED, dtype=np.uint8)
    is_found = carried.origin >= 0
    labels[is_found] = page.labels[carried.origin[is_found]]
    return labels, Drift(page.id, len(page.hashes), len(hashes), carried.moved, carried.lost)


class Carried(NamedTuple):
    """Where n current texts stood among the stored ones: (n,) numbers in order, -1 for none.

    `moved` texts have another number now, and `lost` ones no origin.
    """

    origin: Ints
    moved: int
    lost: int

    @classmethod
    def of(cls, stored: Sequence[str], current: Sequence[str]) -> Carried:
        """Compare two sequences of texts, or of their hashes."""
        origin = np.full(len(current), -1, dtype=np.int64)
        for old, new, size in _matches(stored, current):
            origin[new : new + size] = np.arange(old, old + size)
        lost = int((origin < 0).sum())
        moved = int((origin != np.arange(len(current))).sum()) - lost
        return cls(origin, moved, lost)


def _matches(stored: Sequence[str], current: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Runs common to two sequences, in order: where they begin in each, and their length."""
    shorter = min(len(stored), len(current))
    # A new segmenter changes few segments of a page, and comparing the rest takes quadratic time.
    head = _n_equal(stored, current)
    tail = min(_n_equal(stored[::-1], current[::-1]), shorter - head)
    middle = stored[head : len(stored) - tail], current[head : len(current) - tail]
    yield 0, 0, head
    for old, new, size in SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks():
        yield head + old, head + new, size
    yield len(stored) - tail, len(current) - tail, tail


def _n_equal(left: Sequence[str], right: Sequence[str]) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(left), len(right)))


def block_labels(segment_labels: Labels, table: BlockTable) -> Labels:
    """Labels of blocks from the labels of their segments: the label of most words.

    A tie goes to the first label in the order of `Label`. Segments without words vote only where no
    labelled segment of the block has words. UNLABELLED segments do not vote; a block with no other
    segments is UNLABELLED.
    """
    owner, n = table.block_of_segment, len(table)
    voters = [np.flatnonzero(segment_labels == label) for label in Label]
    segments = np.stack([np.bincount(owner[rows], minlength=n) for rows in voters])
    words = np.stack([np.bincount(owner[rows], table.segment_words[rows], n) for rows in voters])
    votes = np.where(words.any(axis=0), words, segments)
    winner = votes.argmax(axis=0).astype(np.uint8)
    return np.where(votes.any(axis=0), winner, np.uint8(UNLABELLED))


def segment_places(table: BlockTable) -> NDArray[np.int64]:
    """(2, S) visible characters of each segment, and 1 for alternative texts of images."""
    classes, bounds = class_table()[table.chars], table.segments
    total = np.concatenate(([0], np.cumsum((classes != SPACE) & (classes != JOINER))))
    visible = total[bounds.end] - total[bounds.start]
    return np.stack([visible, table.segments_inside(frozenset({"img"}))])


def carry(labels: Labels, canonical: NDArray[np.int64], places: NDArray[np.int64]) -> Labels:
    """Labels of the segments of a page split with other options, from its canonical segments.

    Alternative texts of images and lines of ``<pre>`` are further segments. All other visible
    characters occur in both in the same order, and a segment takes the label of its first one.
    Alternative texts take the label before them. Given are the `segment_places` of both.
    """
    if not len(labels):
        return np.full(places.shape[1], Label.OTHER, dtype=np.uint8)
    is_alternative = places[1] > 0
    shared = np.where(is_alternative, 0, places[0])
    source = np.searchsorted(np.cumsum(canonical[0]), np.cumsum(shared) - shared, side="right")
    return np.asarray(labels[np.clip(source - is_alternative, 0, len(labels) - 1)])


def split_hashes(digits: str) -> list[str]:
    """The hashes of texts that are written without space."""
    return [digits[start : start + _HASH_DIGITS] for start in range(0, len(digits), _HASH_DIGITS)]


def unmarked(n_blocks: int) -> str:
    """Labels of a page that nobody has looked at."""
    return UNMARKED * n_blocks


def to_letters(labels: Labels) -> str:
    """(n,) labels as one letter each."""
    return _CODES[np.minimum(labels, _LAST)].tobytes().decode("ascii")


def from_letters(letters: str) -> Labels:
    """(n,) uint8 label of every letter: a `victor.base.labels.Label`, or UNLABELLED.

    Raises:
        ValueError: a letter is not one of `LETTERS`.
    """
    unknown = set(letters) - set(LETTERS)
    if unknown:
        raise ValueError(f"label {min(unknown)!r} is not one of {' '.join(LETTERS)}")
    codes = np.frombuffer(letters.encode(), np.uint8)
    indexes = (codes[:, None] == _CODES).argmax(axis=1).astype(np.uint8)
    return np.where(indexes == _LAST, np.uint8(UNLABELLED), indexes)


# --- Corpora on disk ------------------------------------------------------------------------------


def write_corpus(directory: Path, pages: Iterable[AnnotatedPage]) -> int:
    """Write annotated pages to a new folder, which appears with all of them; returns how many.

    Raises:
        CorpusError: the id of a page is not a file name or occurs twice.
        OutputError: the folder is not empty, or cannot be written.
    """
    with new_folder(directory) as folder:
        return write_pages(folder, pages)


def write_pages(folder: Path, pages: Iterable[AnnotatedPage]) -> int:
    """Fill a folder that `victor.base.files.new_folder` gave; see `write_corpus`."""
    written: set[str] = set()
    (folder / "html").mkdir()
    with created(folder / INDEX) as index:
        for page in pages:
            path = page_file(folder / "html", page.id, "the corpus")
            if page.id in written:
                raise CorpusError(f"two pages have the id {page.id}; rename one")
            add(path, page.html)
            index.write(_line(page))
            written.add(page.id)
    return len(written)


def _line(page: AnnotatedPage) -> bytes:
    labels = {"labels": to_letters(page.labels), "hashes": "".join(page.hashes)}
    metadata = dict(page.metadata) or None
    row = _LabelledRow(
        **described(page), format=FORMAT, **labels, gold=page.gold, metadata=metadata
    )
    return ENCODER.encode_lines([row])


def described(page: AnnotatedPage) -> dict[str, Any]:
    """What an index says of any page, as `PageRow` has it."""
    facts = {name: getattr(page, name) for name in ("id", "url", "language", "licence")}
    return {**facts, "site": page.site or None, "type": page.kind}


Corpus = str | Path | Iterable[str | Path | AnnotatedPage]  # a folder, several, or annotated pages


def read(corpus: Corpus) -> Iterator[AnnotatedPage]:
    """Annotated pages, one folder after the other; their metadata name the folder as ``corpus``.

    All that reads corpora raises `CorpusError` if there is none, or a row or page of it is missing
    or damaged.
    """
    for item in [corpus] if isinstance(corpus, str | Path) else corpus:
        if isinstance(item, AnnotatedPage):
            yield item
        else:
            directory = Path(item)
            if not directory.is_dir():
                raise CorpusError(f"there is no folder {directory}")
            for page in read_folder(directory):
                yield replace(page, metadata={**page.metadata, "corpus": directory.resolve().name})


def read_folder(directory: Path) -> Iterator[AnnotatedPage]:
    """Pages of a corpus, in order; a folder with ``pages/`` holds marked pages."""
    is_marked = (directory / "pages").is_dir()
    return read_marked_corpus(directory) if is_marked else read_corpus(directory)


def read_corpus(directory: Path) -> Iterator[AnnotatedPage]:
    """Pages of a folder that `write_corpus` wrote, in order."""
    index = directory / INDEX
    if not index.is_file():
        raise CorpusError(
            f"{directory} holds no annotated corpus ({INDEX} is missing); "
            "label pages with `victor annotate` and export them, or make one with `victor align`"
        )
    for where, row, _ in read_rows(index, _LabelledRow):
        if row.format != FORMAT:
            raise CorpusError(f"{where}: not an annotated page of format {FORMAT}")
        yield _from_row(directory, row, where)


def _from_row(directory: Path, row: _LabelledRow, where: str) -> AnnotatedPage:
    try:
        labels = from_letters(row.labels)
    except ValueError as error:
        raise CorpusError(f"{where}: {error}") from None
    n_digits = len(labels) * _HASH_DIGITS
    if len(row.hashes) != n_digits:
        raise CorpusError(
            f"{where}: {len(labels)} labels need {n_digits} digits of hashes, "
            f"not {len(row.hashes)}; restore the row"
        )
    return AnnotatedPage(
        id=row.id,
        html=read_page(directory / "html", row.id, where),
        labels=labels,
        hashes=tuple(split_hashes(row.hashes)),
        gold=row.gold,
        metadata=row.metadata or {},
        **row.source,
    )


# --- Marked pages ---------------------------------------------------------------------------------


def read_marked_corpus(directory: Path) -> Iterator[AnnotatedPage]:
    """Pages of a folder ``pages.jsonl`` + ``pages/<id>.html`` with marks, in the order of rows."""
    index = directory / INDEX
    if not index.is_file():
        raise CorpusError(f"{directory} holds no marked pages: {INDEX} is missing")
    for where, row, _ in read_rows(index, PageRow):
        marked = read_page(directory / "pages", row.id, where)
        yield read_marked(row.id, marked, **row.source)


def read_marked(page_id: str, marked: bytes, **fields: object) -> AnnotatedPage:
    """An annotated page from marked markup; `fields` are further attributes of the page.

    Raises:
        CorpusError: a mark has an unknown value, or cannot be taken out again.
    """
    html = _WRAPPERS.sub(b"", _MARK.sub(b"", marked))
    labels, plain = _segment_labels(page_id, _table(marked)), _table(html)
    if plain.bundles:
        raise CorpusError(
            f'page {page_id}: a mark cannot be taken out; write all as {ATTRIBUTE}="..." and the '
            "page in an encoding that contains ASCII"
        )
    return annotate(page_id, html, labels, texts=segment_texts(plain), **fields)


def _table(html: bytes) -> BlockTable:
    """The canonical segments of a page, and the marks of its elements."""
    return read_pages([utf8(html)], "tag", attributes=(ATTRIBUTE,))


def _segment_labels(page_id: str, table: BlockTable) -> Labels:
    label_of_bundle = [_value(page_id, bundle[0]) for bundle in table.bundles]
    labels: list[int] = []
    elements = table.elements
    for parent, bundle in zip(elements.parent.tolist(), elements.bundle.tolist(), strict=True):
        inherited = labels[parent] if parent < len(labels) else int(Label.OTHER)
        labels.append(inherited if bundle < 0 else label_of_bundle[bundle])
    innermost = table.tags.element[table.segments.tag]
    return np.array(labels or [Label.OTHER], dtype=np.uint8)[innermost]


def _value(page_id: str, mark: str | None) -> int:
    try:
        return _VALUES[mark or ""]
    except KeyError:
        values = ", ".join(_VALUES)
        raise CorpusError(f"page {page_id}: mark {mark!r} is not one of {values}") from None


_SECOND_LEVEL: Final = frozenset(
    "ac ad asn asso co com ed edu gen go gob gouv gov govt gr gub gv idv jus k12 kiev kyiv lg ltd "
    "muni ne net nhs nic nom or org plc police res sch".split()
)
"""Labels under which countries, whose top-level domains have two letters, register names."""
_HOST = re.compile(
    r"""\s* (?: (?: [a-z][a-z0-9+.-]* : )? // )?     # scheme
        (?: [^/?\#\\@]* @ )?                         # user
        ( \[ [^\]]* \] | [^/?\#\\:]* )               # host""",
    re.IGNORECASE | re.VERBOSE,
)
_IPV4 = re.compile(r"\d+(?:\.\d+){3}")


def site(url: str) -> str:
    """Registrable domain of a URL or host name, e.g. ``bbc.co.uk`` for ``https://www.bbc.co.uk/a``.

    Works offline from a few labels of registries instead of the Public Suffix List: rare suffixes
    count as sites, and so do hosting services (``blogspot.com``), whose pages share their design.
    IP addresses and names without a dot stay as they are; a URL without a host gives "".
    """
    match = _HOST.match(url)
    host = match.group(1).strip().strip(".").lower() if match else ""
    if host.startswith("[") or _IPV4.fullmatch(host):
        return host
    parts = host.split(".")
    is_registry = len(parts[-1]) == 2 and parts[-2:-1] and parts[-2] in _SECOND_LEVEL
    return ".".join(parts[-3 if is_registry else -2 :])


def folds(sites: Sequence[str], k: int, *, seed: int = 0) -> NDArray[np.int64]:
    """(n,) int64 fold 0 to k - 1 of each page, of about equal sizes, no site in two of them.

    The largest sites are dealt first, each to the smallest fold; the seed only orders sites of
    equal size. Pages without a site ("") stay together as if they had one.

    Args:
        sites: (n,) site of each page.
        k: number of folds.
        seed: of the order of equal sites.

    Raises:
        ConfigError: k is below 2 or above the number of sites.
    """
    counts = Counter(sites)
    if not 2 <= k <= len(counts):
        raise ConfigError(
            f"cannot make {k} folds from {len(counts)} sites: choose k from 2 to that number"
        )
    sizes = [0] * k
    fold_of: dict[str, int] = {}
    for name in sorted(_shuffled(counts, seed), key=counts.__getitem__, reverse=True):
        fold_of[name] = sizes.index(min(sizes))
        sizes[fold_of[name]] += counts[name]
    return np.array([fold_of[name] for name in sites], dtype=np.int64)


def _shuffled(counts: Counter[str], seed: int) -> list[str]:
    """Sites in an order that depends on the seed only, not on the order of the pages."""
    names = sorted(counts)
    order = np.random.default_rng(seed).permutation(len(names))
    return [names[position] for position in order.tolist()]
