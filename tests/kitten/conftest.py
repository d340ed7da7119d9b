"""Kitten on small pages: text, archive of what was dropped, settings changed by name."""

import pytest
from leaf_table_fixtures import table, tables

from victor.kitten.passages import Removals
from victor.kitten.sentences import whole_page
from victor.kitten.settings import load_settings

__all__ = ["dropped", "kitten", "lines", "table", "tables"]


@pytest.fixture(scope="session")
def kitten():
    """Function: markup and ``key=value`` settings to the lines and the dropped texts."""

    def run(page, *overrides, lang="en"):
        removals = Removals()
        settings = load_settings("kitten", (f"language={lang}", *overrides))
        text = whole_page(page.encode(), settings, removals)
        return [line for line in text.splitlines() if line], [*map(tuple, removals.entries)]

    return run


@pytest.fixture(scope="session")
def lines(kitten):
    """Function: markup and settings to the lines."""
    return lambda *call, **options: kitten(*call, **options)[0]


@pytest.fixture(scope="session")
def dropped(kitten):
    """Function: markup and settings to the dropped texts with their rules."""
    return lambda *call, **options: kitten(*call, **options)[1]
