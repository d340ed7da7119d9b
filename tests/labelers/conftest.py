"""Pages that several rule systems are tried on."""

from pathlib import Path

import pytest
import yaml

PAGES = yaml.safe_load((Path(__file__).parent / "rows" / "pages.yaml").read_text("utf-8"))


@pytest.fixture(scope="session")
def forum():
    """A page of a forum with posts, quotes of earlier posts, and lines such as "posted by"."""
    return PAGES["forum"].encode()


@pytest.fixture(scope="session")
def bridge():
    """An article with its picture, pictures that do not belong to it, and advertisements."""
    return PAGES["bridge"].encode()


@pytest.fixture(scope="session")
def ferry():
    """An article with a place for more of it."""
    return PAGES["ferry"]
