"""JSON lines: one object per block, kept or dropped, with label, probabilities and reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from victor.arrays import Ints
from victor.labels import KIND_NAMES, LABEL_NAMES
from victor.page.blocks import BlockTable
from victor.page.tags import NAMES
from victor.page.texts import block_texts
from victor.page.verdict import Verdict

_DIGITS: Final = 4
_LONGEST_PATH: Final = 64


def render(
    verdict: Verdict,
    page: int,
    *,
    id: str | None = None,
    url: str | None = None,
    **metadata: object,
) -> str:
    """Records of all blocks of a page, in order.

    Fields: ``id`` and ``url`` if given, ``block`` (from 0 on the page), ``label``, ``kept``,
    ``reason``, ``kind`` (if the verdict has kinds), ``marginals`` (to 4 digits), ``words``,
    ``path`` (element names from the root to the container, at most the innermost 64), ``text``. A
    block that lost parts also has ``removed``: reason and text of each.
    """
    given = {"id": id, "url": url}
    page_fields = {name: value for name, value in given.items() if value is not None}
    columns = _columns(verdict, page)
    names = list(columns)
    records = [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for number, parts in _removed(verdict, page):
        records[number]["removed"] = parts
    encode = json.JSONEncoder(ensure_ascii=False).encode
    return "".join(encode(page_fields | record) + "\n" for record in records)


def _removed(verdict: Verdict, page: int) -> Iterator[tuple[int, list[dict[str, str]]]]:
    """Number on the page of every block that lost parts, and these."""
    if verdict.cut is None:
        return
    span, table = verdict.page(page), verdict.table
    segments = slice(*table.segment_starts[[span.start, span.stop]].tolist())
    blocks = np.unique(table.block_of_segment[segments][verdict.cut.parts[segments]])
    for block in blocks.tolist():
        parts = verdict.cut.parts_of(block)
        yield block - span.start, [{"reason": reason, "text": text} for reason, text in parts]


def _columns(verdict: Verdict, page: int) -> dict[str, list[Any]]:
    """Fields of the records of a page, as columns."""
    table, span = verdict.reduced, verdict.page(page)
    marginals = verdict.marginals[span].round(_DIGITS).tolist()
    return {
        "block": list(range(span.stop - span.start)),
        "label": [LABEL_NAMES[label] for label in verdict.labels[span].tolist()],
        "kept": verdict.kept[span].tolist(),
        "reason": verdict.reasons(span),
        **_kinds(verdict, span),
        "marginals": [dict(zip(LABEL_NAMES, row, strict=True)) for row in marginals],
        "words": table.words[span].tolist(),
        "path": _paths(table, page, table.element[span]),
        "text": block_texts(table, span),
    }


def _kinds(verdict: Verdict, span: slice) -> dict[str, list[str]]:
    """The column of kinds; none where nothing finds them."""
    if verdict.kinds is None:
        return {}
    return {"kind": [KIND_NAMES[kind] for kind in verdict.kinds[span].tolist()]}


def _paths(table: BlockTable, page: int, containers: Ints) -> list[str]:
    """Element names from the root of the page to each container, ``html/body/p``."""
    root = int(table.page_roots[page])
    last = int(containers.max(initial=root))
    tag = table.elements.tag[root : last + 1].tolist()
    parent = (table.elements.parent[root : last + 1] - root).tolist()
    paths: dict[int, str] = {}
    for element in np.unique(containers - root).tolist():
        names: list[str] = []
        ancestor = element
        while ancestor and len(names) < _LONGEST_PATH:
            names.append(NAMES[tag[ancestor]])
            ancestor = parent[ancestor]
        paths[element] = "/".join(reversed(names))
    return [paths[element] for element in (containers - root).tolist()]
