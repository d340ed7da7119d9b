"""Pages in batches, and which configurations cut pages as annotators saw them."""

import pytest

from victor.config.layers import load
from victor.model.extractor import FeatureExtractor, batches

PAGE_BYTES = 2000
"""What a page counts besides its markup."""


@pytest.mark.parametrize(
    ("sizes", "limit", "expected"),
    [
        ([100, 100], 2 * (PAGE_BYTES + 100), [2]),
        ([100, 101], 2 * (PAGE_BYTES + 100), [1, 1]),
        ([9999, 1, 1], 5000, [1, 2]),
        ([1, 9999, 1], 5000, [1, 1, 1]),
        ([0] * 5, 2 * PAGE_BYTES, [2, 2, 1]),
        ([0] * 3, 2 * PAGE_BYTES - 1, [1, 1, 1]),
        ([], 1, []),
    ],
)
def test_pages_in_batches_of_about_a_size(sizes, limit, expected):
    pages = [(number, b"x" * size) for number, size in enumerate(sizes)]
    found = list(batches(iter(pages), limit))
    assert [len(batch) for batch in found] == expected
    assert [page for batch in found for page in batch] == pages


@pytest.mark.parametrize(
    ("changes", "is_canonical"),
    [
        ({}, True),
        ({"segment": {"alt_text": True}}, False),
        ({"segment": {"pre_lines": True}}, False),
        ({"split": "line"}, False),
    ],
)
def test_segments_that_labels_of_annotated_pages_belong_to(changes, is_canonical):
    config = load("crf")
    for name, value in changes.items():
        part = getattr(config, name)
        config = config.replace(
            **{name: part.replace(**value) if isinstance(value, dict) else value}
        )
    assert FeatureExtractor(config).canonical is is_canonical
