"""Annotated pages between a store and folders: whose labels count, and how labels go in and out.

A page with marks keeps every byte. Text that is not *other* stands between ``<victor-mark>`` tags,
and removing these gives the original bytes. Where text stands in the bytes is not guessed: every
offset that may be one is given a number, the page is parsed with the numbers in it, and those that
come out in a segment are its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, AnyStr, Final, NamedTuple

import numpy as np

from victor.annotate.blocks import Cut, block_table, cut_of
from victor.annotate.database import Unwritable
from victor.annotate.revisions import FINISHED, IMPORTED, STATES, Head, Save, State
from victor.annotate.store import NewPage, Store, StoredPage, Tell, batches, too_large
from victor.base.arrays import Labels
from victor.base.errors import CorpusError
from victor.base.files import add, created, new_folder
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
from victor.corpus.pages import (
    ATTRIBUTE,
    ENCODER,
    INDEX,
    UNMARKED,
    WRAPPER,
    AnnotatedPage,
    annotate,
    block_labels,
    canonical_table,
    current_labels,
    described,
    from_letters,
    read_folder,
    read_marked,
    to_letters,
    unmarked,
    write_pages,
)
from victor.corpus.rows import PageRow, page_file
from victor.page.decoding.decode import decode
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import parse_pages
from victor.page.table.texts import segment_texts
from victor.page.verdict.verdict import Verdict
from victor.render.text import plain_text
from victor.sources.inputs import PAGES, kind_of

_FIELDS: Final = {"language": "language", "type": "kind", "kind": "kind", "licence": "licence"}
"""Attributes of `AnnotatedPage` by the keys that metadata have for them."""


def annotated_pages(
    store: Store, annotator: str | None = None, *, complain: Tell = lambda _: None
) -> Iterator[AnnotatedPage]:
    """The finished pages of a store, in the order in which they were added.

    Args:
        store: the pages and what was saved about them.
        annotator: whose labels; None takes those saved last, else what was imported.
        complain: called with a message for every finished page that is left out because its
            labels do not fit it any more.
    """
    heads = heads_by_page(store)
    for page in store.pages.all():
        head = chosen(heads[page.id], annotator)
        if head is not None:
            html = store.pages.html(page.id)
            table = block_table(html)
            if cut_of(table) != page.cut:
                complain(f"page {page.id}: its labels do not fit its blocks any more; left out")
            else:
                is_empty = head.state == "no-content"
                letters = "" if is_empty else store.revisions.labels_at(head.revision)
                labels = from_letters(letters or unmarked(page.n_blocks))
                metadata = store.pages.metadata(page.id)
                yield _annotated(page, html, labels[table.block_of_segment], head, metadata)


def read_annotated(path: Path) -> list[AnnotatedPage]:
    """The finished pages of the store in a file, but for those that have other blocks now."""
    with Store(path) as store:
        return [*annotated_pages(store)]


def heads_by_page(store: Store) -> dict[str, list[Head]]:
    """The newest revisions of every page, also of pages without any, by id."""
    heads: dict[str, list[Head]] = {page.id: [] for page in store.pages.all()}
    for head in store.revisions.heads():
        heads[head.page].append(head)
    return heads


def chosen(heads: Sequence[Head], annotator: str | None = None) -> Head | None:
    """Of the newest revisions of one page, the one whose labels count; None if none is finished."""
    finished = [head for head in heads if head.state in FINISHED]
    if annotator is not None:
        finished = [head for head in finished if head.annotator == annotator]
    return max(finished, key=lambda head: (head.annotator != IMPORTED, head.revision), default=None)


def _annotated(
    page: StoredPage, html: bytes, labels: Labels, head: Head, metadata: dict[str, Any]
) -> AnnotatedPage:
    fields = {
        name: str(metadata.pop(key))
        for key, name in _FIELDS.items()
        if metadata.get(key) is not None
    }
    metadata |= {"annotator": head.annotator, "state": head.state}
    return annotate(
        page.id, html, labels, url=page.url, site=page.site, metadata=metadata, **fields
    )


def write(form: str, pages: Iterable[AnnotatedPage], folder: Path, tell: Tell) -> int:
    """Write pages to a new or empty folder, and return how many were written.

    Args:
        form: ``corpus`` (`victor.corpus.pages`) or ``html`` (`victor.annotate.exchange`).
        pages: what is written, in this order.
        folder: made if it does not exist.
        tell: takes a message about every page that the format cannot hold.
    """
    with new_folder(folder) as unfinished:
        if form == "html":
            return write_marked(unfinished, pages, tell)
        return write_pages(unfinished, map(_with_gold, pages))


def _with_gold(page: AnnotatedPage) -> AnnotatedPage:
    """The page with the text of its kept blocks as gold text, if it has none and keeps any.

    An empty gold text would exclude the page from training (`victor.training.training.trainable`),
    but an annotator has seen that it has no content.
    """
    if page.gold is not None:
        return page
    table = block_table(page.html)
    labels = block_labels(page.labels, table)
    kept = np.where(labels == UNLABELLED, np.uint8(Label.OTHER), labels)
    text = plain_text(Verdict(table, kept, np.eye(len(Label))[kept], "annotated"), 0)
    return replace(page, gold=text) if text else page


class Imported(NamedTuple):
    """A page as one annotator labelled it, and what could not be read, a line each."""

    page: AnnotatedPage
    problems: tuple[str, ...] = ()


def read(source: Path) -> Iterator[Imported]:
    """Annotations of a corpus or of marked pages, a folder of them or one file."""
    if (source / INDEX).is_file():
        yield from map(_current, read_folder(source))
        return
    for file in [source] if source.is_file() else sorted(source.iterdir()):
        if kind_of(file.name) in PAGES:
            yield Imported(read_marked(file.stem, file.read_bytes()))


def _current(page: AnnotatedPage) -> Imported:
    texts = segment_texts(canonical_table(page.html))
    labels, drift = current_labels(page, texts)
    if not drift:
        return Imported(page)
    problem = f"{drift.lost} of {drift.found} pieces of text have no label any more"
    hashes = annotate(page.id, page.html, labels, texts=texts).hashes
    return Imported(replace(page, labels=labels, hashes=hashes, gold=None), (problem,))


class Result(NamedTuple):
    """What became of the annotation of a page: lines of what was lost, or why it was not taken."""

    page: str
    problems: tuple[str, ...] = ()
    error: CorpusError | None = None


class _Ready(NamedTuple):
    """An annotation that only has to be written."""

    page: AnnotatedPage
    title: str | None
    cut: Cut
    labels: str
    problems: tuple[str, ...]


def import_pages(
    store: Store, pages: Iterable[Imported], annotator: str | None = None
) -> Iterator[Result]:
    """Store annotations of pages, and the pages that are new; tells what became of each, in order.

    Labels of segments become those of blocks. Importing the same again changes nothing.

    Args:
        store: where they go.
        pages: the annotations; if they end with an error, those before it are stored first.
        annotator: whose they become; None takes what the source says, else `IMPORTED`. If it is no
            name, or the store holds another page of an id, that page is not taken.
    """
    for batch in batches(map(_ready, pages), lambda ready: len(ready.page.html)):
        yield from _written(store, batch, annotator)


def _ready(imported: Imported) -> _Ready:
    page, problems = imported
    table = block_table(page.html)
    labels = block_labels(page.labels, table)
    mixed = np.unique(table.block_of_segment[page.labels != labels[table.block_of_segment]])
    if len(mixed):
        count = f"{len(mixed)} blocks had several labels"
        problems = (*problems, f"{count}; each took that of most words")
    title = table.heads[0].title or None
    return _Ready(page, title, cut_of(table), to_letters(labels), problems)


def _written(store: Store, batch: Sequence[_Ready], annotator: str | None) -> list[Result]:
    """What became of annotations that were written in one transaction."""
    results = list[Result]()
    with store.transaction():
        for ready in batch:
            try:
                _write(store, ready, annotator)
            except Unwritable:  # nothing can be
                raise
            except CorpusError as error:
                results.append(Result(ready.page.id, error=error))
            else:
                results.append(Result(ready.page.id, ready.problems))
    return results


def _write(store: Store, ready: _Ready, annotator: str | None) -> None:
    page, labels, new = ready.page, ready.labels, NewPage.of(ready.page)
    if problem := too_large(len(page.html), ready.cut.n_blocks):
        raise CorpusError(f"page {page.id} has {problem}; leave it out")
    if store.pages.is_new(new):
        store.pages.insert(new, ready.title, ready.cut)
    stated = page.metadata.get("annotator")
    name = annotator or (stated if isinstance(stated, str) else IMPORTED)
    head, state = store.revisions.head(page.id, name), _state(page, labels)
    is_new = head is None or head.state != state
    if is_new or store.revisions.labels(page.id, name) != labels:
        store.revisions.save(page.id, Save(name, labels=labels, state=state))


def _state(page: AnnotatedPage, labels: str) -> State:
    stated = page.metadata.get("state")
    guess: State = "done" if labels.strip(UNMARKED) else "no-content"
    return next((state for state in STATES if state == stated), guess)


_VALUES: Final = (*LABEL_NAMES, "unlabelled")
_EDGES: Final = re.compile("[<>]")
_TEXT: Final = re.compile(r"(?:\A|(?<=>))(?=[^<>]*[^<>\s]|<[^a-zA-Z/!?])")
_MARKUP: Final = re.compile(r"<[a-zA-Z/!?]")
_BOM: Final = b"\xef\xbb\xbf"


def write_marked(folder: Path, pages: Iterable[AnnotatedPage], tell: Callable[[str], None]) -> int:
    """Fill an empty folder with an index and marked pages; returns how many were written.

    `tell` takes a message about every page that cannot be marked.
    """
    count = 0
    (folder / "pages").mkdir()
    with created(folder / INDEX) as index:
        for page in pages:
            try:
                marked = mark(page)
            except CorpusError as error:
                tell(str(error))
                continue
            add(page_file(folder / "pages", page.id, str(folder)), marked)
            index.write(ENCODER.encode_lines([PageRow(**described(page))]))
            count += 1
    return count


def mark(page: AnnotatedPage) -> bytes:
    """The bytes of a page with its labels in them.

    Raises:
        CorpusError: the page has such marks already, its labels do not fit it, or reading it would
            not give the same page and labels.
    """
    if any(word.encode() in page.html.lower() for word in (ATTRIBUTE, WRAPPER)):
        raise CorpusError(f"page {page.id} holds marks of its own; export it as a corpus")
    table = canonical_table(page.html)
    if len(table.segments) != len(page.labels):
        raise CorpusError(f"page {page.id}: its labels do not fit it; label it again")
    extents, inserts = _extents(page.html, table), []
    for segment in np.flatnonzero(page.labels != Label.OTHER).tolist():
        start, end = extents.get(segment, (0, 0))
        value = _VALUES[min(int(page.labels[segment]), len(Label))]
        inserts.append((start, f'<{WRAPPER} {ATTRIBUTE}="{value}">'.encode()))
        inserts.append((end, f"</{WRAPPER}>".encode()))
    marked = _inserted(page.html, inserts)
    if not _reads_back(page, marked):
        raise CorpusError(
            f"page {page.id}: its markup or encoding leaves no place for marks; export it as a "
            "corpus"
        )
    return marked


def _reads_back(page: AnnotatedPage, marked: bytes) -> bool:
    try:
        read = read_marked(page.id, marked)
    except CorpusError:
        return False
    return read.html == page.html and np.array_equal(read.labels, page.labels)


def _extents(html: bytes, table: BlockTable) -> dict[int, tuple[int, int]]:
    """Where segments of the page begin and end in its bytes, by number, if that can be known."""
    text = decode(html).text
    edges = [match.start() for match in _EDGES.finditer(text)]
    in_bytes = [match.start() for match in re.finditer(rb"[<>]", html)]
    if len(edges) != len(in_bytes):  # the encoding hides where tags begin and end
        return {}
    byte_offset = dict(zip(edges, in_bytes, strict=True))
    byte_offset |= {-1: (len(_BOM) if html.startswith(_BOM) else 0) - 1, len(text): len(html)}
    texts = [match.start() for match in _TEXT.finditer(text)]
    tags = np.array([*(match.start() for match in _MARKUP.finditer(text)), len(text)])
    ends = tags[np.searchsorted(tags, texts)].tolist()
    sign = "q"
    while sign in text:
        sign += "xq"
    numbered = _inserted(text, [(start, f"{sign}{n}{sign}") for n, start in enumerate(texts)])
    probe = parse_pages([numbered], "tag")
    if not np.array_equal(probe.tags.id, table.tags.id):
        return {}
    # White space may have become text by its number, so segments are matched by their tags.
    segment_of_tag = {tag: row for row, tag in enumerate(table.segments.tag.tolist())}
    extents = {}
    for tag, shown in zip(probe.segments.tag.tolist(), segment_texts(probe), strict=True):
        read = [int(n) for n in re.findall(f"{sign}([0-9]+){sign}", shown)]
        if read and tag in segment_of_tag:
            start, end = byte_offset[texts[read[0]] - 1] + 1, byte_offset[ends[read[-1]]]
            extents[segment_of_tag[tag]] = start, end
    return extents


def _inserted(content: AnyStr, inserts: Sequence[tuple[int, AnyStr]]) -> AnyStr:
    """A text, or bytes, with more of it inserted at some offsets, given in order."""
    parts: list[AnyStr] = []
    begin = 0
    for offset, insert in inserts:
        parts += [content[begin:offset], insert]
        begin = offset
    parts.append(content[begin:])
    return content[:0].join(parts)
