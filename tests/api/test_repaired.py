"""Metadata say which elements of a page lacked an end."""

import pytest

from victor.api import Cleaner, CleanerSpec


@pytest.fixture(scope="module")
def cleaner() -> Cleaner:
    spec = CleanerSpec.named("kimatu")
    return Cleaner(spec.build())


def test_repairs_are_named_in_the_metadata(cleaner):
    result = cleaner.clean("<title>Bees<p>They live in hives.")
    assert result.metadata["repaired"] == ["title"]
    assert result.metadata["title"] == "Bees"


def test_metadata_of_a_closed_page_name_no_repairs(cleaner):
    assert "repaired" not in cleaner.clean("<title>Bees</title><p>They live in hives.").metadata
