"""A page that several rule systems are tried on."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def forum():
    """A page of a forum with posts, quotes of earlier posts, and lines such as "posted by"."""
    return (Path(__file__).parent / "pages" / "forum.html").read_bytes()
