"""The metadata of one page, and where every value comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Metadata:
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
        values = ((name, getattr(self, name)) for name in self.__slots__)
        return {name: _plain(value) for name, value in values if value}


def _plain(value: str | tuple[str, ...] | Mapping[str, str]) -> str | list[str] | dict[str, str]:
    if isinstance(value, str):
        return value
    return [*value] if isinstance(value, tuple) else dict(value)
