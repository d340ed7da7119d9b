"""Pages whose labels are written into them: ``data-victor="header|text|other|unlabelled"``.

The nearest marked element around a piece of text decides; unmarked text is *other*. This is how
the pages under ``annotations/`` are written; reading them gives the page without the marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.corpus.pages import INDEX, AnnotatedPage, annotate
from victor.decode import decode
from victor.errors import CorpusError
from victor.events import record
from victor.labels import UNLABELLED, Label
from victor.segment import segment

ATTRIBUTE: Final = "data-victor"
_MARK: Final = re.compile(rb' data-victor="[a-z]*"')
_VALUES: Final = {label.lower_name: int(label) for label in Label} | {"unlabelled": UNLABELLED}


def read_marked(page_id: str, marked: bytes, **fields: object) -> AnnotatedPage:
    """An annotated page from marked markup; `fields` are further attributes of the page.

    Raises:
        CorpusError: a mark has an unknown value.
    """
    labels = marked_labels(page_id, decode(marked).text.encode())
    return annotate(page_id, _MARK.sub(b"", marked), labels, **fields)


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
        CorpusError: a file is missing or a mark is unknown.
    """
    for row in _rows(directory / INDEX):
        page = directory / "pages" / f"{row['id']}.html"
        try:
            marked = page.read_bytes()
        except OSError as error:
            raise CorpusError(f"{page} cannot be read: {error.strerror}") from None
        yield read_marked(
            row["id"],
            marked,
            url=row.get("url"),
            site=row.get("site", ""),
            language=row.get("language"),
            kind=row.get("type"),
            licence=row.get("licence"),
        )


def _rows(index: Path) -> list[dict[str, Any]]:
    """The rows of an index, each with an id."""
    try:
        rows = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    except OSError as error:
        raise CorpusError(f"{index} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise CorpusError(f"{index}: not JSON lines in UTF-8 ({error}); restore it") from None
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict) or "id" not in row:
            raise CorpusError(f"{index}, line {number}: not an object with an id; restore it")
    return rows


def _value(page_id: str, mark: str | None) -> int:
    try:
        return _VALUES[mark or ""]
    except KeyError:
        known = ", ".join(_VALUES)
        raise CorpusError(f"page {page_id}: mark {mark!r} is not one of {known}") from None
