"""Cleaners and labelers for tests of the Python face."""

import pytest
from msgspec.structs import replace

from victor import Cleaner, PageError
from victor.labelers.crf import CrfLabeler


class Spy:
    """A labeler that notes how often it saw every page and fails on some.

    `failing` is given the pages of a batch and raises, or does not.
    """

    name = "spy"

    def __init__(self, labeler, failing=lambda pages: None):
        self._labeler = labeler
        self._failing = failing
        self.limits = labeler.limits
        self.seen = []

    def table(self, pages):
        self.seen.append(list(pages))
        self._failing(pages)
        return self._labeler.table(pages)

    def label(self, table, decision=None):
        return self._labeler.label(table, decision)


@pytest.fixture(scope="session")
def labeler(small_model):
    # Whatever a model of so few pages thinks of the pages of these tests, they give something.
    decision = small_model.config.decide.replace(no_content=1.0)
    config = small_model.config.replace(decide=decision)
    return CrfLabeler(replace(small_model, config=config))


@pytest.fixture(scope="session")
def cleaner(labeler):
    return Cleaner(labeler)


@pytest.fixture
def spy(labeler):
    """Function: what raises on a batch of pages to a labeler that notes its calls."""

    def make(failing=lambda pages: None):
        return Spy(labeler, failing)

    return make


@pytest.fixture
def poisoned():
    """Function: an error to a check that raises it on every batch with a page that says poison."""

    def make(error):
        def check(pages):
            if any(b"poison" in page for page in pages):
                raise error

        return check

    return make


@pytest.fixture
def page_error():
    return PageError("odd-page", "this page is odd")
