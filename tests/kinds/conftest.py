"""A labeler that cannot change: it keeps what is long enough."""

from pathlib import Path

import pytest

from tests.rows import tables
from victor.labelers.rules import RuleLabeler


@pytest.fixture(scope="session")
def long_texts():
    """Keeps blocks of eight words outside links or of a heading."""

    def keep(table):
        heading = (table.heading_level > 1) & (table.link_words == 0)
        return 1.0 * ((table.free_words >= 8) & (table.heading_level == 0) | heading)

    return RuleLabeler("long-texts", keep)


@pytest.fixture(scope="session")
def page():
    """A page with a part of every kind."""
    return tables(str(Path(__file__).with_name("test_scope.py")))["page"].encode()
