"""A page as one JSON object on one line: address, metadata, text, and on request more."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from victor.base.errors import ConfigError
from victor.page.plain_data import plain, valid
from victor.page.verdict.verdict import Verdict
from victor.render import renderer
from victor.render.options import Shown
from victor.render.tree.posts import Entry

FIELDS: Final = ("text", "markdown", "posts", "schema_org", "blocks")
"""What can be asked for."""
_DIGITS: Final = 4


def render(  # noqa: PLR0913  (one for every option)
    verdict: Verdict,
    page: int,
    *,
    id: str | None = None,
    markup: bytes | None = None,
    url: str | None = None,
    shown: Shown | None = None,
    headline: str = "",
    metadata: Callable[[], Mapping[str, Any]] | None = None,
    outline: Sequence[Entry] = (),
    found: Callable[[str], Any] = lambda _: (),
    fields: Sequence[str] = ("text",),
    **more: object,
) -> str:
    """One page as a line of JSON.

    Fields: ``id`` if given, ``url`` (null if unknown), ``metadata``, ``reason`` (``ok``, or why the
    page has no text), ``page_type`` and ``p_no_content`` (null if the model has no page head),
    ``words`` (how many the text has), and in this order those asked for: ``text``, ``markdown``,
    ``posts``, ``schema_org`` (the nodes that the page declares), ``blocks`` (what the form
    ``records`` says of every block; before it stands ``dropped``, the usual reason of blocks that
    are not kept, null if all are).

    `found` gives the posts, as dataclasses, or the nodes of the page; `fields` are some of
    `FIELDS`. The other arguments are those of every `victor.render.tree.build.form`; `shown`,
    `headline` and `outline` are for the Markdown.

    Raises:
        ConfigError: there is no such field.
    """
    checked_fields(fields)
    value: dict[str, Any] = {} if id is None else {"id": id}
    value |= {"url": url, "metadata": {} if metadata is None else metadata()}
    value |= {"reason": found("reason") or None}
    value |= _judged(verdict, page) | {"words": verdict.n_words(page)}
    if "text" in fields:
        value["text"] = renderer("text")(verdict, page, url=url, markup=markup)
    if "markdown" in fields:
        value["markdown"] = renderer("markdown")(
            verdict, page, url=url, markup=markup, shown=shown, headline=headline, outline=outline
        )
    if "posts" in fields:
        value["posts"] = [*map(asdict, verdict.table.allowance.over(found("posts")))]
    if "schema_org" in fields:
        value["schema_org"] = found("schema_org")
    value = plain(value)
    if "blocks" in fields:
        lines = renderer("records")(verdict, page, markup=markup).split("\n")
        allowed = verdict.table.allowance.over(lines)
        of_page, *blocks = (json.loads(line) for line in allowed if line)
        value |= {"dropped": of_page.get("dropped"), "blocks": blocks}
    return valid(json.dumps(value, ensure_ascii=False, allow_nan=False)) + "\n"


def _judged(verdict: Verdict, page: int) -> dict[str, Any]:
    """What is thought of the page as a whole."""
    pages = verdict.pages
    if pages is None:
        return {"page_type": None, "p_no_content": None}
    p_no_content = round(float(pages.p_no_content[page]), _DIGITS)
    return {"page_type": pages.type_of(page), "p_no_content": p_no_content}


def checked_fields(fields: Sequence[str]) -> tuple[str, ...]:
    """The fields, if there are such.

    Raises:
        ConfigError: there is no field of one of these names.
    """
    for name in fields:
        if name not in FIELDS:
            raise ConfigError(f"no field {name!r}; choose of {', '.join(FIELDS)}")
    return tuple(fields)
