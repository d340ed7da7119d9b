"""A page as it is given: markup, where it comes from, and what its server says of it."""

from __future__ import annotations

from typing import NamedTuple

from victor.errors import PageError

Page = bytes | str
"""Markup as bytes of any encoding, or as text."""


class Source(NamedTuple):
    """A page with what is known about it."""

    page: Page | PageError
    """The page, or why there is none; the error becomes that of its result."""
    url: str | None = None
    charset: str | None = None
    """Encoding that the HTTP header declares."""
