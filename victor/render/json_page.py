"""Pages as JSON: one object on one line, or a line for the page and one for every block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

import msgspec
import numpy as np

from victor.base.errors import ConfigError
from victor.base.labels import HEADER, KIND_NAMES, LABEL_NAMES, OTHER, Kind
from victor.page.places.surroundings import Surroundings
from victor.page.plain_data import plain, valid
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import KEPT
from victor.render.forms import Page, renderer

FIELDS: Final = ("text", "markdown", "posts", "schema_org", "blocks")
"""What can be asked for."""
_DIGITS_OF_PAGE: Final = 4
_STEPS: Final = 1000  # probabilities of blocks are written to 3 digits
_SHARES: Final = (0, *(step / _STEPS for step in range(1, _STEPS)), 1)
_LABELS: Final = (*LABEL_NAMES[:OTHER], "")
_USUAL_KINDS: Final = (int(Kind.HEADING), int(Kind.TEXT), int(Kind.OTHER))  # by label
_ENCODER: Final = msgspec.json.Encoder()


def render(page: Page, *, fields: Sequence[str] = ("text",)) -> str:
    """One page as a line of JSON.

    Fields: ``id`` if given, ``url`` (null if unknown), ``metadata``, ``reason`` (``ok``, or why the
    page has no text), ``page_type`` and ``p_no_content`` (null if the model has no page head),
    ``words`` (how many the text has), and in this order those asked for: ``text``, ``markdown``,
    ``posts``, ``schema_org`` (the nodes that the page declares), ``blocks`` (what `records` says of
    every block; before it stands ``dropped``, the usual reason of blocks that are not kept, null if
    all are).

    Args:
        page: its switches, headline and outline are for the Markdown.
        fields: some of `FIELDS`.

    Raises:
        ConfigError: there is no such field.
    """
    checked_fields(fields)
    verdict, pages, number = page.verdict, page.verdict.pages, page.number
    value: dict[str, Any] = {} if page.id is None else {"id": page.id}
    value |= {
        "url": page.url,
        "metadata": page.metadata,
        "reason": page.found("reason"),
        "page_type": pages and pages.type_of(number),
        "p_no_content": pages and round(float(pages.p_no_content[number]), _DIGITS_OF_PAGE),
        "words": verdict.n_words(number),
    }
    for name in ("text", "markdown"):
        if name in fields:
            value[name] = renderer(name)(page)
    if "posts" in fields:
        posts = page.found("posts") or ()
        value["posts"] = [*map(asdict, verdict.table.allowance.over(posts))]
    if "schema_org" in fields:
        value["schema_org"] = page.found("schema_org") or ()
    value = plain(value)
    if "blocks" in fields:
        of_page, blocks = _records(page)
        value |= {"dropped": of_page.get("dropped"), "blocks": blocks}
    return msgspec.json.format(_ENCODER.encode(value), indent=0).decode() + "\n"


def checked_fields(fields: Sequence[str]) -> tuple[str, ...]:
    """The fields, if there are such.

    Raises:
        ConfigError: there is no field of one of these names.
    """
    for name in fields:
        if name not in FIELDS:
            raise ConfigError(f"no field {name!r}; choose of {', '.join(FIELDS)}")
    return tuple(fields)


def records(page: Page) -> str:
    """Lines of JSON: one object for the page, then one for every block in order, kept or dropped.

    The page has ``id`` and ``url`` if given, ``blocks`` (how many), ``words`` (of the text, how
    many), and ``dropped``: the usual reason of blocks that are not kept, if there are any. A block
    has ``n`` (from 0); ``label``, if it is kept; ``reason``, if it is not the usual one; ``kind``,
    if the verdict has kinds and it is not that of the label; ``p``, the probabilities of *other*
    and of *header* to 3 digits; ``level`` in h1 to h6; ``xpath`` if it is kept and the page has
    markup (`victor.page.places.xpaths`); ``text``; and, if it lost parts, ``removed``: reason and
    text of each.
    """
    of_page, blocks = _records(page)
    given = {"id": page.id, "url": page.url}
    head = {name: valid(value) for name, value in given.items() if value is not None}
    return _ENCODER.encode_lines([head | of_page, *blocks]).decode()


class _Block(msgspec.Struct, kw_only=True, omit_defaults=True):
    n: int
    label: str = ""
    reason: str = ""
    kind: str = ""
    p: tuple[float, float]
    level: int = 0
    xpath: str = ""
    text: str
    removed: tuple[dict[str, str], ...] = ()


def _records(page: Page) -> tuple[dict[str, Any], list[_Block]]:
    verdict, span = page.verdict, page.verdict.page(page.number)
    allowance = verdict.table.allowance
    reasons, kept = verdict.reasons(span), verdict.kept[span].tolist()
    dropped = Counter([reason for reason, stays in zip(reasons, kept, strict=True) if not stays])
    usual = dropped.most_common(1)[0][0] if dropped else ""
    of_page = {"blocks": len(reasons), "words": verdict.n_words(page.number)}
    labels = verdict.labels[span].tolist()
    usual_kinds = [_USUAL_KINDS[label] for label in labels]
    kinds = usual_kinds if verdict.kinds is None else verdict.kinds[span].tolist()
    shares = np.rint(verdict.marginals[span][:, [OTHER, HEADER]] * _STEPS).astype(np.int64)
    rows = zip(
        labels,
        reasons,
        kinds,
        usual_kinds,
        shares.tolist(),
        verdict.table.heading_level[span].tolist(),
        block_texts(verdict.reduced, span),
        strict=True,
    )
    blocks = [
        _Block(
            n=n,
            label=_LABELS[label],
            reason="" if reason == (usual if label == OTHER else KEPT) else reason,
            kind="" if kind == usual_kind else KIND_NAMES[kind],
            p=(_SHARES[other], _SHARES[header]),
            level=level,
            text=text,
        )
        for n, (label, reason, kind, usual_kind, (other, header), level, text) in enumerate(rows)
    ]
    allowance.ask(len(blocks))
    if page.markup and any(kept):  # paths of dropped blocks would be half of all that is written
        places = Surroundings(verdict, page.number, page.markup).places
        for n in allowance.over([n for n, stays in enumerate(kept) if stays]):
            blocks[n].xpath = places.xpath(n)
    for n, parts in _removed(page):
        blocks[n].removed = parts
    return of_page | ({"dropped": usual} if usual else {}), blocks


def _removed(page: Page) -> Iterator[tuple[int, tuple[dict[str, str], ...]]]:
    """Number on the page of every block that lost parts, and these."""
    cut, span, table = page.verdict.cut, page.verdict.page(page.number), page.verdict.table
    if cut is None:
        return
    segments = slice(*table.segment_starts[[span.start, span.stop]].tolist())
    blocks = np.unique(table.block_of_segment[segments][cut.parts[segments]])
    for block in blocks.tolist():
        parts = cut.parts_of(block)
        yield block - span.start, tuple({"reason": reason, "text": text} for reason, text in parts)
