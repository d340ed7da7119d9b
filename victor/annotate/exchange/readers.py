"""Readers of annotated pages in the formats of other commands and tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from victor.annotate.exchange.store_import import ImportedPage
from victor.annotate.store.page_blocks import block_table
from victor.base.arrays import Labels
from victor.base.errors import CorpusError
from victor.corpus.importers import GoldPage, Parts, read_jsonl
from victor.corpus.label_gold import label_page
from victor.corpus.pages import (
    INDEX,
    AnnotatedPage,
    annotate,
    canonical_table,
    current_labels,
    read_corpus,
)
from victor.corpus.read import read_marked, read_marked_corpus
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts, segment_texts
from victor.sources.inputs import PAGES, kind_of

_ENOUGH: Final = 0.9
"""Recall of the words of a gold text below which their loss is reported."""

Read = Callable[[Path], Iterator[ImportedPage]]


def read(form: str, source: Path) -> Iterator[ImportedPage]:
    """Annotations of a file or folder.

    Args:
        form: one of `READERS`.
        source: where they are.

    Raises:
        CorpusError: no such format, or the source is missing or damaged.
    """
    if form not in READERS:
        raise CorpusError(f"no format {form!r}; choose one of {', '.join(READERS)}")
    yield from READERS[form](source)


def _corpus(folder: Path) -> Iterator[ImportedPage]:
    for page in read_corpus(folder):
        labels, drift = current_labels(page, segment_texts(canonical_table(page.html)))
        if drift:
            problem = f"{drift.lost} of {drift.found} pieces of text have no label any more"
            yield replace(_imported(_annotated(page, labels)), problems=(problem,))
        else:
            yield _imported(page)


def _html(source: Path) -> Iterator[ImportedPage]:
    """A folder with an index, a folder of marked files, or one such file."""
    if (source / INDEX).is_file():
        yield from map(_imported, read_marked_corpus(source))
        return
    files = [source] if source.is_file() else sorted(source.iterdir())
    for file in files:
        if kind_of(file.name) in PAGES:
            yield _imported(read_marked(file.stem, file.read_bytes()))


def _jsonl(folder: Path) -> Iterator[ImportedPage]:
    for gold in read_jsonl(folder):
        table = block_table(gold.html)
        labels = None if gold.labelled is None else exact(gold.labelled, table)
        if labels is None:
            yield _aligned(gold)
        else:
            yield _imported(_annotated(gold, labels, gold.gold))


def exact(parts: Parts, table: BlockTable) -> Labels | None:
    """Labels of segments if the parts are exactly the blocks of a page, else None.

    A block may also be given by its segments, one part each.
    """
    starts, segments = table.segment_starts.tolist(), segment_texts(table)
    labels: list[int] = []
    rest = list(parts)[::-1]
    for block, text in enumerate(block_texts(table)):
        block_segments = segments[starts[block] : starts[block + 1]]
        if rest and rest[-1][1] == text:
            labels += [rest.pop()[0]] * len(block_segments)
            continue
        for segment in block_segments:
            if not rest or rest[-1][1] != segment:
                return None
            labels.append(rest.pop()[0])
    return None if rest else np.array(labels, dtype=np.uint8)


def _aligned(gold: GoldPage) -> ImportedPage:
    """A page labelled by its gold text."""
    page, oracle, _ = label_page(gold)
    problems = ["labels come from an alignment; check them"]
    if oracle is not None and oracle.recall < _ENOUGH:
        problems.append(f"{oracle.recall:.0%} of the words of its gold text were found")
    return replace(_imported(page), problems=tuple(problems))


def _annotated(
    page: GoldPage | AnnotatedPage, labels: Labels, gold: str | None = None
) -> AnnotatedPage:
    """The page with labels of its segments."""
    return annotate(
        page.id, page.html, labels, gold=gold, url=page.url, site=page.site,
        language=page.language, kind=page.kind, licence=page.licence, metadata=page.metadata,
    )  # fmt: skip


def _imported(page: AnnotatedPage) -> ImportedPage:
    annotator = page.metadata.get("annotator")
    return ImportedPage(page, annotator if isinstance(annotator, str) else None)


READERS: Final[Mapping[str, Read]] = {
    "corpus": _corpus,
    "html": _html,
    "jsonl": _jsonl,
}
"""The reader of each format."""
