"""Writers of annotated pages in the formats of other commands and tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from victor.annotate.exchange.mark_html import mark
from victor.annotate.exchange.store_export import Complain
from victor.annotate.store.page_blocks import block_table
from victor.base.errors import CorpusError
from victor.base.files import add, created, new_folder
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
from victor.corpus.pages import INDEX, AnnotatedPage, block_labels, write_pages
from victor.corpus.rows import page_file
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts, segment_texts
from victor.page.verdict.verdict import Verdict
from victor.render.cleaneval import render as cleaneval
from victor.render.forms import Page
from victor.render.text import plain_text

GOLD: Final = "gold.jsonl"
_NAMES: Final = {**dict(enumerate(LABEL_NAMES)), UNLABELLED: "ambiguous"}

Write = Callable[[Iterable[AnnotatedPage], Path, Complain], int]


def write(form: str, pages: Iterable[AnnotatedPage], folder: Path, complain: Complain) -> int:
    """Write pages to a new or empty folder; returns how many were written.

    Args:
        form: one of `WRITERS`.
        pages: what is written, in this order.
        folder: made if it does not exist.
        complain: called with a message for every page that this format cannot hold.

    Raises:
        CorpusError: there is no such format.
        OutputError: the folder is not empty, or cannot be written.
    """
    if form not in WRITERS:
        raise CorpusError(f"no format {form!r}; choose one of {', '.join(WRITERS)}")
    with new_folder(folder) as unfinished:
        return WRITERS[form](pages, unfinished, complain)


def verdict_of(page: AnnotatedPage) -> Verdict:
    """The labels of a page as the verdict of a system; unlabelled blocks are dropped."""
    table = block_table(page.html)
    labels = block_labels(page.labels, table)
    kept = np.where(labels == UNLABELLED, np.uint8(Label.OTHER), labels)
    return Verdict(table, kept, np.eye(len(Label))[kept], "annotated")


def with_gold(page: AnnotatedPage) -> AnnotatedPage:
    """The page with the text of its kept blocks as gold text, if it has none and keeps any.

    An empty gold text would exclude the page from training (`victor.training.training.trainable`),
    but an annotator has seen that it has no content.
    """
    text = plain_text(verdict_of(page), 0) if page.gold is None else None
    return replace(page, gold=text) if text else page


def _corpus(pages: Iterable[AnnotatedPage], folder: Path, _: Complain) -> int:
    return write_pages(folder, map(with_gold, pages))


def _html(pages: Iterable[AnnotatedPage], folder: Path, complain: Complain) -> int:
    """Original pages with labels as marks, as `victor.corpus.read` reads them."""
    return _write_rows(_marked(pages, folder, complain), folder / INDEX)


def _marked(
    pages: Iterable[AnnotatedPage], folder: Path, complain: Complain
) -> Iterator[Mapping[str, Any]]:
    (folder / "pages").mkdir()
    for page in pages:
        try:
            marked = mark(page)
        except CorpusError as error:
            complain(str(error))
            continue
        add(page_file(folder / "pages", page.id, str(folder)), marked)
        yield _without_none(
            {
                "id": page.id,
                "url": page.url,
                "site": page.site or None,
                "language": page.language,
                "type": page.kind,
                "licence": page.licence,
                "content": bool(np.isin(page.labels, (Label.HEADER, Label.TEXT)).any()),
            }
        )


def _cleaneval(pages: Iterable[AnnotatedPage], folder: Path, _: Complain) -> int:
    """Pages beside texts with ``<h>``, ``<p>`` and ``<l>``, as `victor.corpus` reads them."""
    count = 0
    for page in pages:
        path = page_file(folder, page.id, str(folder))
        add(path, page.html)
        text = cleaneval(Page(verdict_of(page), url=page.url))
        add(path.with_name(f"{page.id}-cleaned.txt"), text.encode())
        count += 1
    return count


def _jsonl(pages: Iterable[AnnotatedPage], folder: Path, _: Complain) -> int:
    """A row per page with its text, a file per page with a row per block, and the pages."""
    return _write_rows(_gold_rows(pages, folder), folder / GOLD)


def _gold_rows(pages: Iterable[AnnotatedPage], folder: Path) -> Iterator[Mapping[str, Any]]:
    for name in ("html", "blocks"):
        (folder / name).mkdir()
    for page in pages:
        add(page_file(folder / "html", page.id, str(folder)), page.html)
        verdict = verdict_of(page)
        rows = ({"label": label, "text": text} for label, text in block_rows(page, verdict.table))
        _write_rows(rows, folder / "blocks" / f"{page.id}.blocks.jsonl")
        fields = {
            "url": page.url,
            "lang": page.language,
            "type": page.kind,
            "site": page.site or None,
            "licence": page.licence,
        }
        text = plain_text(verdict, 0)
        yield {**page.metadata, "id": page.id, **_without_none(fields), "text": text}


def block_rows(page: AnnotatedPage, table: BlockTable) -> Iterator[tuple[str, str]]:
    """Label name and text of every block, or of its segments if their labels differ."""
    labels, starts = page.labels.tolist(), table.segment_starts.tolist()
    segments = segment_texts(table)
    for block, text in enumerate(block_texts(table)):
        extent = slice(starts[block], starts[block + 1])
        names = [_NAMES[label] for label in labels[extent]]
        if len(set(names)) == 1:
            yield names[0], text
        else:
            yield from zip(names, segments[extent], strict=True)


def _write_rows(rows: Iterable[Mapping[str, Any]], path: Path) -> int:
    """Write rows of JSON; returns how many."""
    count = 0
    with created(path) as file:
        for row in rows:
            file.write(f"{json.dumps(row, ensure_ascii=False)}\n".encode())
            count += 1
    return count


def _without_none(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}


WRITERS: Final[Mapping[str, Write]] = {
    "corpus": _corpus,
    "html": _html,
    "cleaneval": _cleaneval,
    "jsonl": _jsonl,
}
"""The writer of each format."""
