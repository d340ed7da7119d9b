"""All metadata of a page."""

from __future__ import annotations

from typing import Any

from victor.metadata import fields, page_dates
from victor.metadata.authors import authors
from victor.metadata.page_view import PageView
from victor.metadata.record import Metadata
from victor.metadata.texts import LONGEST
from victor.metadata.titles import title
from victor.page.table.blocks import BlockTable


def page_metadata(
    table: BlockTable,
    page: int,
    *,
    url: str | None = None,
    markup: bytes = b"",
) -> Metadata:
    """What a page says of itself; linear in its length, whatever it holds.

    Args:
        table: blocks of a batch of pages. Sources whose attributes it lacks are left out: ``class``
            and ``id`` for bylines, ``itemprop`` and ``itemtype`` for microdata.
        page: number of the page there.
        url: address of the page: others are made absolute against it.
        markup: the page in UTF-8; needed for a licence that the foot of the page links to.
    """
    view = PageView(table, page, url, markup)
    names = fields.site_names(view)
    published, modified = page_dates.dates(view)
    declared = fields.declared(view)
    kind = _kind(declared["type"])
    several: dict[str, tuple[Any, str] | None] = {
        **declared,
        "title": title(view, names, lambda: _is_written(kind, published, modified)),
        "window_title": (view.head.title[:LONGEST], "title"),
        "authors": authors(view, names, kind),
        "published": published,
        "modified": modified,
        "tags": fields.tags(view),
        "feeds": (fields.feeds(view), "link"),
        "translations": (fields.translations(view), "link"),
    }
    known = {name: pair for name, pair in several.items() if pair and pair[0]}
    return Metadata(
        **{name: value for name, (value, _) in known.items()},
        sources={name: known[name][1] for name in Metadata.__slots__ if name in known},
    )


def page_title(table: BlockTable, page: int, url: str | None, markup: bytes) -> str:
    """The title that `page_metadata` gives, "" for none, in less time."""
    view = PageView(table, page, url, markup)

    def is_written() -> bool:
        return _is_written(_kind(fields.value(view, "type")), *page_dates.dates(view))

    found = title(view, fields.site_names(view), is_written)
    return found[0] if found else ""


def _kind(declared: fields.Sourced | None) -> str:
    return declared[0] if declared else ""


def _is_written(kind: str, *dates: page_dates.Dated | None) -> bool:
    """Is a page likely an article or the like: by its type, or as something names its date."""
    return any(dates) or fields.is_written(kind)
