"""Fixtures of pages that are shown."""

from markup_soup import own_pages, plain, soup  # noqa: F401
