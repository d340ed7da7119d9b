"""JSON lines: one object for the page, then one for every block, kept or dropped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import numpy as np

from victor.base.labels import KIND_NAMES, LABEL_NAMES, Kind, Label
from victor.page.places.surroundings import Surroundings
from victor.page.plain_data import valid
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import KEPT, Verdict

_DIGITS: Final = 3
_USUAL_KIND: Final[dict[int, int]] = {
    Label.HEADER: Kind.HEADING,
    Label.TEXT: Kind.TEXT,
    Label.OTHER: Kind.OTHER,
}


def render(
    verdict: Verdict,
    page: int,
    *,
    id: str | None = None,
    url: str | None = None,
    markup: bytes | None = None,
    **metadata: object,
) -> str:
    """Records of a page and of all its blocks, in order.

    Args:
        verdict: on its batch.
        page: its number there.
        id: written if given.
        url: likewise.
        markup: its UTF-8 bytes; without them there are no XPaths.
        metadata: not used.

    The page has ``id`` and ``url`` if given, ``blocks`` (how many), ``words`` (of the text, how
    many), and ``dropped``: the usual reason of blocks that are not kept, if there are any. A block
    has ``n`` (from 0); ``label``, if it is kept; ``reason``, if it is not the usual one; ``kind``,
    if the verdict has kinds and it is not that of the label; ``p``, the probabilities of *other*
    and of *header* to 3 digits; ``level`` in h1 to h6; ``xpath`` if it is kept
    (`victor.page.places.xpaths`); ``text``; and, if it lost parts, ``removed``: reason and text of
    each.
    """
    reasons = verdict.reasons(verdict.page(page))
    given = {"id": id, "url": url}
    head: dict[str, Any] = {
        name: valid(value) for name, value in given.items() if value is not None
    }
    head |= {"blocks": len(reasons), "words": verdict.n_words(page)}
    kept = verdict.kept[verdict.page(page)].tolist()
    dropped = Counter(reason for reason, stays in zip(reasons, kept, strict=True) if not stays)
    if dropped:
        head["dropped"] = dropped.most_common(1)[0][0]
    usual = (KEPT, head.get("dropped"))
    records = [*_blocks(verdict, page, reasons, usual)]
    if markup is not None:
        # Those of dropped blocks would be half of all that is written.
        written = [number for number, stays in enumerate(kept) if stays]
        places = Surroundings(verdict, page, markup).places if written else None
        allowed = verdict.table.allowance.over(written)
        paths = [places.xpath(number).xpath for number in allowed] if places else []
        for number, path in zip(written, _encoded(paths), strict=True):
            records[number] += f',"xpath":{path}'
    texts = _encoded(block_texts(verdict.reduced, verdict.page(page)))
    records = [f'{record},"text":{text}' for record, text in zip(records, texts, strict=True)]
    for number, parts in _removed(verdict, page):
        records[number] += f',"removed":{_ENCODE(parts)}'
    return "".join([_ENCODE(head), "\n", *(f"{record}}}\n" for record in records)])


_ENCODE: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_ENCODE_LINES: Final = json.JSONEncoder(ensure_ascii=False, separators=("\n", ":")).encode


def _encoded(texts: list[str]) -> list[str]:
    """Some texts as JSON, which has no newline within a string."""
    return _ENCODE_LINES(texts)[1:-1].split("\n") if texts else []


def _blocks(
    verdict: Verdict, page: int, reasons: list[str], usual: tuple[str, str | None]
) -> Iterator[str]:
    """The records of the blocks without paths and texts, as JSON without its last brace."""
    span = verdict.page(page)
    kinds = [None] * len(reasons) if verdict.kinds is None else verdict.kinds[span].tolist()
    shares = np.rint(verdict.marginals[span][:, [Label.OTHER, Label.HEADER]] * 10**_DIGITS)
    written = _written_shares()
    rows = zip(
        verdict.labels[span].tolist(),
        reasons,
        kinds,
        shares.astype(np.int64).tolist(),
        verdict.table.heading_level[span].tolist(),
        strict=True,
    )
    for number, (label, reason, kind, p, level) in enumerate(verdict.table.allowance.over(rows)):
        record = f'{{"n":{number}'
        is_other = label == Label.OTHER
        if not is_other:
            record += f',"label":"{LABEL_NAMES[label]}"'
        if reason != usual[is_other]:
            record += f',"reason":{_ENCODE(reason)}'
        if kind is not None and kind != _USUAL_KIND[label]:
            record += f',"kind":"{KIND_NAMES[kind]}"'
        record += f',"p":[{written[p[0]]},{written[p[1]]}]'
        if level:
            record += f',"level":{level}'
        yield record


@cache
def _written_shares() -> tuple[str, ...]:
    """The shares from 0 to 1 with so many digits; 0 and 1 are without a point."""
    steps = 10**_DIGITS
    return ("0", *(repr(step / steps) for step in range(1, steps)), "1")


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
