"""TEI P5: a header with what is known of the page, and its kept text in divisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from victor.page.plain_data import plain
from victor.page.verdict.verdict import Verdict
from victor.page.xml_text import attributes
from victor.render.tei.body import Body
from victor.render.tei.header import header, language_of
from victor.render.tree.build import document
from victor.render.tree.nodes import Document
from victor.render.tree.shown import Shown

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = "http://www.tei-c.org/ns/1.0"


def render(  # noqa: PLR0913  (one for every option)
    verdict: Verdict,
    page: int,
    *,
    markup: bytes | None = None,
    url: str | None = None,
    shown: Shown | None = None,
    headline: str = "",
    metadata: Callable[[], Mapping[str, Any]] | None = None,
    **more: object,
) -> str:
    """The kept blocks of a page as TEI.

    Args:
        verdict: what is kept.
        page: number of the page in the batch.
        markup: the page as UTF-8 bytes; without it nothing is known of links, images and the like.
        url: address of the page, which makes other addresses absolute.
        shown: what is shown beside words; None is everything.
        headline: to be shown as the first heading, "" for none.
        metadata: gives what is known of the page.
        more: not used.
    """
    known = {} if metadata is None else metadata()
    source = document(verdict, page, markup=markup, url=url, shown=shown, title=headline)
    return write(source, known, url)


def write(source: Document, metadata: Mapping[str, Any], url: str | None = None) -> str:
    """A document as TEI.

    Args:
        source: the document; its own title becomes the first heading.
        metadata: of the page; of wrong types nothing is read.
        url: address of the page.
    """
    known = plain(metadata)
    language = attributes(xml__lang=language_of(known))
    return (
        f'{_HEAD}<TEI xmlns="{_NAMESPACE}">\n{header(known, url or "")}'
        f"<text{language}>\n<body>\n{Body(source).divisions()}</body>\n</text>\n</TEI>\n"
    )
