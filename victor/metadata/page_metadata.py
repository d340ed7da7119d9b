"""All metadata of a page, and where every value comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from victor.metadata import fields
from victor.metadata.authors import authors
from victor.metadata.dates import dates
from victor.metadata.page_view import PageView
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
    declared = fields.declared(view)
    names = fields.site_names(view, declared["publisher"])
    published, modified = dates(view)
    kind = (declared["type"] or ("", ""))[0]
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
    known = {
        name: pair for name in Metadata.__struct_fields__ if (pair := several.get(name)) and pair[0]
    }
    return Metadata(
        **{name: value for name, (value, _) in known.items()},
        sources={name: source for name, (_, source) in known.items()},
    )


def page_title(table: BlockTable, page: int, url: str | None, markup: bytes) -> str:
    """The title that `page_metadata` gives, "" for none, in less time."""
    view = PageView(table, page, url, markup)

    def is_written() -> bool:
        kind, _ = next(fields.values(view, "type"), ("", ""))
        return _is_written(kind, *dates(view))

    publisher = next(fields.values(view, "publisher"), None)
    found = title(view, fields.site_names(view, publisher), is_written)
    return found[0] if found else ""


def _is_written(kind: str, *dates: fields.Sourced | None) -> bool:
    """Is a page likely an article or the like: by its type, or as something names its date."""
    return any(dates) or fields.is_written(kind)


# --- The record -----------------------------------------------------------------------------------


class Metadata(Struct, frozen=True):
    """What a page says of itself; what it does not say is None or empty.

    Attributes:
        title: of its main thing, without the name of the site.
        window_title: what stands in ``<title>``, white space folded.
        authors: names, each once, in the order of the page.
        published, modified: ISO 8601; a date, or date and time with the offset that the page gives.
        site: name of the site.
        publisher: who publishes it.
        language: BCP 47 code, as declared.
        description: one or a few sentences.
        canonical, image, next_page, previous_page: absolute addresses, as far as the address of
            the page is known; the last two of the neighbours in a series of pages.
        section: rubric of the site.
        tags: keywords, each once.
        type: what the main thing is by schema.org or Open Graph, lower case, e.g. ``article``.
        licence: address or name.
        feeds: absolute addresses of RSS, Atom and JSON feeds.
        translations: language to the absolute address of the page in it.
        sources: name of each field that is not empty to a short code that names its source:
            ``json-ld``, ``open-graph``, ``dublin-core``, ``meta``, ``microdata``, ``time``,
            ``byline``, ``text``, ``link``, ``html``, ``title``, ``headline`` or ``url``.
    """

    title: str | None = None
    window_title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None
    modified: str | None = None
    site: str | None = None
    publisher: str | None = None
    language: str | None = None
    description: str | None = None
    canonical: str | None = None
    image: str | None = None
    next_page: str | None = None
    previous_page: str | None = None
    section: str | None = None
    tags: tuple[str, ...] = ()
    type: str | None = None
    licence: str | None = None
    feeds: tuple[str, ...] = ()
    translations: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The fields that are not empty: strings, lists and dictionaries of strings."""
        values = ((name, getattr(self, name)) for name in self.__struct_fields__)
        return {name: _plain(value) for name, value in values if value}


def _plain(value: str | tuple[str, ...] | Mapping[str, str]) -> str | list[str] | dict[str, str]:
    if isinstance(value, str):
        return value
    return [*value] if isinstance(value, tuple) else dict(value)
