"""Annotated corpora in either layout: labels in an index beside the pages, or in their markup.

Marks are attributes, ``data-victor="header|text|other|unlabelled"``. The nearest marked element
around a piece of text decides; unmarked text is *other*. Text that shares its element with text of
another label may have an element ``<victor-mark>`` of its own. The pages under ``annotations/`` are
written like this, and `victor.annotate.marked` writes such pages; reading one gives the
page without the marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.arrays import Labels
from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import INDEX, AnnotatedPage, annotate, read_corpus
from victor.corpus.rows import PageRow, read_page, read_rows
from victor.page.decoding.decode import utf8
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import read_pages
from victor.page.table.texts import segment_texts

Corpus = str | Path | Iterable[str | Path | AnnotatedPage]
"""A folder, several, or annotated pages."""
ATTRIBUTE: Final = "data-victor"
WRAPPER: Final = "victor-mark"
_MARK: Final = re.compile(rb"""\sdata-victor\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)
_MENTION: Final = re.compile(ATTRIBUTE.encode(), re.IGNORECASE)
_WRAPPERS: Final = re.compile(rb"</?victor-mark>")
_VALUES: Final = {label.lower_name: int(label) for label in Label} | {"unlabelled": UNLABELLED}


def read(corpus: Corpus) -> Iterator[AnnotatedPage]:
    """Annotated pages, one folder after the other; their metadata name the folder as ``corpus``.

    Raises:
        CorpusError: a folder holds no corpus, or a page of it is missing or damaged.
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
    """Pages of a corpus; a folder with ``pages/`` holds marked pages.

    Raises:
        CorpusError: there is no corpus, or a page of it is missing or damaged.
    """
    if (directory / "pages").is_dir():
        yield from read_marked_corpus(directory)
    else:
        yield from read_corpus(directory)


def read_marked_corpus(directory: Path) -> Iterator[AnnotatedPage]:
    """Pages of a folder ``pages.jsonl`` + ``pages/<id>.html`` with marks, in the order of rows.

    Raises:
        CorpusError: there is no index, a row or page is missing or damaged, or a mark is unknown.
    """
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
    markup, html = utf8(marked), _unmarked(marked)
    table = _table(markup)
    labels = _segment_labels(page_id, table)
    plain = utf8(html)
    if not _are_attributes_only(markup, plain, table):
        table = _table(plain)
        if table.bundles:
            raise CorpusError(
                f'page {page_id}: a mark cannot be taken out; write all as {ATTRIBUTE}="..." and '
                "the page in an encoding that contains ASCII"
            )
    return annotate(page_id, html, labels, texts=segment_texts(table), **fields)


def _table(markup: bytes) -> BlockTable:
    """The canonical segments of UTF-8 markup, and the marks of its elements."""
    return read_pages([markup], "tag", attributes=(ATTRIBUTE,))


def _unmarked(markup: bytes) -> bytes:
    return _WRAPPERS.sub(b"", _MARK.sub(b"", markup))


def _are_attributes_only(markup: bytes, plain: bytes, table: BlockTable) -> bool:
    """Whether the marks are attributes of elements and nothing else, so that no segment changes.

    Every mention of a mark has to be an attribute that can be taken out. A wrapper may split what
    is one segment without it.

    Args:
        markup: the page with its marks, in UTF-8.
        plain: the page without them, in UTF-8.
        table: the segments of `markup`.
    """
    n_marked = np.count_nonzero(table.tags.bundle >= 0)
    return (
        n_marked == len(_MARK.findall(markup)) == len(_MENTION.findall(markup))
        and _WRAPPERS.search(markup) is None
        and _unmarked(markup) == plain
    )


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
