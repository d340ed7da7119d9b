"""What the tests of features share."""

from functools import cache

import pytest

from victor import features
from victor.page.parsing.events import record
from victor.page.table.segment import segment


@pytest.fixture(scope="session")
def measured():
    """Function: markup of one or more pages to the columns that a module computes."""
    loaded = cache(features.load)

    def measure(name, *pages, split="tag", alt_text=False, pre_lines=False, **params):
        events = record([page.encode() for page in pages], alt_text=alt_text)
        feature = features.load(name, **params) if params else loaded(name)
        return feature(segment(events, split, pre_lines=pre_lines))

    return measure
