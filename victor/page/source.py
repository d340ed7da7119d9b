"""A page as given: its markup, its address, and the encoding that its server declares."""

from __future__ import annotations

from typing import NamedTuple

from victor.base.errors import PageError

Page = bytes | str
"""Markup as bytes of any encoding, or as text."""


class Source(NamedTuple):
    """A page and its provenance."""

    page: Page | PageError
    """The page, or the error that its result will have."""
    url: str | None = None
    charset: str | None = None
    """Encoding that the HTTP header declares."""
