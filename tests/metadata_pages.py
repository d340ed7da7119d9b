"""Metadata of small pages."""

import json

from victor.metadata.page_metadata import page_metadata
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.table.segment import parse_pages


def read(head="", body="", *, language=None, attributes=ATTRIBUTES, **options):
    """Metadata of a page with this head and this body."""
    declared = f" lang='{language}'" if language else ""
    page = f"<html{declared}><head>{head}</head><body>{body}</body></html>"
    markup = page.encode("utf-8", "replace")
    table = parse_pages([markup], attributes=attributes)
    return page_metadata(table, 0, markup=markup, **options)


def script(value):
    """A script of JSON-LD; text is written as it is."""
    text = value if isinstance(value, str) else json.dumps(value)
    return f'<script type="application/ld+json">{text}</script>'


def meta(name, content):
    """A meta element."""
    return f'<meta property="{name}" content="{content}">'
