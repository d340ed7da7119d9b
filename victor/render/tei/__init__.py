"""TEI P5: a header with what is known of the page, and its kept text in divisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from victor.page.plain_data import plain
from victor.page.xml_text import attributes
from victor.render.tei.body import Body
from victor.render.tei.header import header, language_of
from victor.render.tree.build import form
from victor.render.tree.nodes import Tree

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = "http://www.tei-c.org/ns/1.0"


def write(source: Tree, metadata: Mapping[str, Any], url: str | None = None) -> str:
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


render = form(lambda source, metadata, url: write(source, metadata(), url))
