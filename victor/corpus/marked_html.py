"""Pages whose labels are written into them: ``data-victor="header|text|other|unlabelled"``.

The nearest marked element around a piece of text decides; unmarked text is *other*. Text that
shares its element with text of another label may stand in an element ``<victor-mark>`` of its own.
This is how the pages under ``annotations/`` are written, and `victor.annotate.exchange.mark_html`
writes them; reading them gives the page without the marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.corpus.pages import (
    INDEX,
    AnnotatedPage,
    annotate,
    read_page,
    read_rows,
    source_fields,
)
from victor.errors import CorpusError
from victor.labels import UNLABELLED, Label
from victor.page.decode import utf8
from victor.page.events import record
from victor.page.segment import segment

ATTRIBUTE: Final = "data-victor"
WRAPPER: Final = "victor-mark"
_MARK: Final = re.compile(rb"""\sdata-victor\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)
_WRAPPERS: Final = re.compile(rb"</?victor-mark>")
_VALUES: Final = {label.lower_name: int(label) for label in Label} | {"unlabelled": UNLABELLED}


def read_marked(page_id: str, marked: bytes, **fields: object) -> AnnotatedPage:
    """An annotated page from marked markup; `fields` are further attributes of the page.

    Raises:
        CorpusError: a mark has an unknown value, or cannot be taken out again.
    """
    labels = marked_labels(page_id, utf8(marked))
    html = _WRAPPERS.sub(b"", _MARK.sub(b"", marked))
    if record([utf8(html)], attributes=(ATTRIBUTE,)).bundles:
        raise CorpusError(
            f'page {page_id}: a mark cannot be taken out; write all as {ATTRIBUTE}="..." and the '
            "page in an encoding that contains ASCII"
        )
    return annotate(page_id, html, labels, **fields)


def marked_labels(page_id: str, markup: bytes) -> NDArray[np.uint8]:
    """(S,) label of every segment of a marked page given as UTF-8 bytes."""
    table = segment(record([markup], attributes=(ATTRIBUTE,)), "tag")
    label_of_bundle = [_value(page_id, bundle[0]) for bundle in table.bundles]
    labels: list[int] = []
    elements = table.elements
    for parent, bundle in zip(elements.parent.tolist(), elements.bundle.tolist(), strict=True):
        inherited = labels[parent] if parent < len(labels) else int(Label.OTHER)
        labels.append(inherited if bundle < 0 else label_of_bundle[bundle])
    innermost = table.tags.element[table.segments.tag]
    return np.array(labels or [Label.OTHER], dtype=np.uint8)[innermost]


def read_marked_corpus(directory: Path) -> Iterator[AnnotatedPage]:
    """Pages of a folder ``pages.jsonl`` + ``pages/<id>.html`` with marks, in the order of rows.

    Raises:
        CorpusError: there is no index, a row or page is missing or damaged, or a mark is unknown.
    """
    index = directory / INDEX
    if not index.is_file():
        raise CorpusError(f"{directory} holds no marked pages: {INDEX} is missing")
    for where, row in read_rows(index, required=("id",)):
        marked = read_page(directory / "pages", row["id"], where)
        yield read_marked(row["id"], marked, **source_fields(row))


def _value(page_id: str, mark: str | None) -> int:
    try:
        return _VALUES[mark or ""]
    except KeyError:
        known = ", ".join(_VALUES)
        raise CorpusError(f"page {page_id}: mark {mark!r} is not one of {known}") from None
