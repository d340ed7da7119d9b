"""Annotated pages from the formats of other commands and tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from victor.annotate.exchange import label_studio
from victor.annotate.exchange.received import Find, Received
from victor.annotate.store.page_blocks import block_table
from victor.arrays import Labels
from victor.corpus.importers import GoldCorpus, GoldPage, Parts, read_cleaneval, read_jsonl
from victor.corpus.label_gold import label_page
from victor.corpus.marked_html import read_marked, read_marked_corpus
from victor.corpus.pages import (
    INDEX,
    AnnotatedPage,
    annotate,
    canonical_table,
    current_labels,
    read_corpus,
)
from victor.errors import CorpusError
from victor.page.blocks import BlockTable
from victor.page.texts import block_texts, segment_texts
from victor.sources.inputs import PAGE_SUFFIXES, PAGES, kind_of

_ENOUGH: Final = 0.9
"""Share of the words of a gold text from which on nothing is said of those that are missing."""

Names = Mapping[str, int]
Read = Callable[[Path, Find, Names], Iterator[Received]]


def read(form: str, source: Path, find: Find, names: Names) -> Iterator[Received]:
    """Annotations of a file or folder.

    Args:
        form: one of `READERS`.
        source: where they are.
        find: pages of the store, for formats that name pages without holding them.
        names: labels by their name in lower case, for Label Studio.

    Raises:
        CorpusError: there is no such form, or the source is missing or damaged.
    """
    if form not in READERS:
        raise CorpusError(f"no format {form!r}; choose of {', '.join(READERS)}")
    yield from READERS[form](source, find, names)


def _corpus(folder: Path, _find: Find, _names: Names) -> Iterator[Received]:
    for page in read_corpus(folder):
        labels, drift = current_labels(page, segment_texts(canonical_table(page.html)))
        if not drift:
            yield _from(page)
            continue
        said = f"{drift.lost} of {drift.found} pieces of text have no label any more"
        fields = {"url": page.url, "site": page.site, "language": page.language}
        fields |= {"kind": page.kind, "licence": page.licence}
        found = annotate(page.id, page.html, labels, metadata=page.metadata, **fields)
        yield replace(_from(found), problems=(said,))


def _html(source: Path, _find: Find, _names: Names) -> Iterator[Received]:
    """A folder with an index, a folder of marked files, or one such file."""
    if (source / INDEX).is_file():
        yield from map(_from, read_marked_corpus(source))
        return
    files = [source] if source.is_file() else sorted(source.iterdir())
    for file in files:
        if kind_of(file.name) in PAGES:
            yield _from(read_marked(file.stem, file.read_bytes()))


def _jsonl(folder: Path, _find: Find, _names: Names) -> Iterator[Received]:
    for gold in read_jsonl(folder):
        table = block_table(gold.html)
        labels = None if gold.labelled is None else exact(gold.labelled, table)
        if labels is None:
            yield _aligned(gold)
        else:
            yield _from(_annotated(gold, labels))


def exact(parts: Parts, table: BlockTable) -> Labels | None:
    """Labels of segments where the parts are the very blocks of a page; None if they are not.

    A block may also be given by its segments, one part each.
    """
    starts, segments = table.segment_starts.tolist(), segment_texts(table)
    labels: list[int] = []
    rest = list(parts)[::-1]
    for block, text in enumerate(block_texts(table)):
        own = segments[starts[block] : starts[block + 1]]
        if rest and rest[-1][1] == text:
            labels += [rest.pop()[0]] * len(own)
            continue
        for segment in own:
            if not rest or rest[-1][1] != segment:
                return None
            labels.append(rest.pop()[0])
    return None if rest else np.array(labels, dtype=np.uint8)


def _cleaneval(folder: Path, _find: Find, _names: Names) -> Iterator[Received]:
    yield from map(_aligned, _present(read_cleaneval(folder)))


def _present(corpus: GoldCorpus) -> Iterator[GoldPage]:
    if not len(corpus):
        raise CorpusError(f"no text here has its page beside it: {', '.join(corpus.missing[:5])}")
    yield from corpus


def _gold(folder: Path, find: Find, _names: Names) -> Iterator[Received]:
    """Plain texts ``<id>.txt``, each of a page of the store or beside it."""
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise CorpusError(f"{folder} holds no gold text: name them <id of the page>.txt")
    for file in files:
        try:
            text = file.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise CorpusError(f"{file}: not UTF-8 ({error.reason}); write it in UTF-8") from None
        beside = [path for path in map(file.with_suffix, PAGE_SUFFIXES) if path.is_file()]
        known = find(file.stem, None)
        if known is None and not beside:
            raise CorpusError(f"{file}: neither the store nor the folder has the page {file.stem}")
        html = known.html if known is not None else beside[0].read_bytes()
        yield _aligned(GoldPage(file.stem, html, gold=text))


def _aligned(gold: GoldPage) -> Received:
    """A page labelled by its gold text."""
    page, oracle = label_page(gold)
    problems = ["labels are those of an alignment; look at them"]
    if oracle is not None and oracle.recall < _ENOUGH:
        problems.append(f"{oracle.recall:.0%} of the words of its gold text were found")
    return replace(_from(page), problems=tuple(problems))


def _annotated(gold: GoldPage, labels: Labels) -> AnnotatedPage:
    fields = {"url": gold.url, "site": gold.site, "language": gold.language}
    fields |= {"kind": gold.kind, "licence": gold.licence}
    return annotate(gold.id, gold.html, labels, gold=gold.gold, metadata=gold.metadata, **fields)


def _from(page: AnnotatedPage) -> Received:
    annotator = page.metadata.get("annotator")
    return Received(page, annotator if isinstance(annotator, str) else None)


READERS: Final[Mapping[str, Read]] = {
    "corpus": _corpus,
    "html": _html,
    "jsonl": _jsonl,
    "cleaneval": _cleaneval,
    "gold": _gold,
    "label-studio": label_studio.read,
}
"""What reads each format."""
