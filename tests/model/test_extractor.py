"""Pages in batches, and which configurations cut pages as annotators saw them."""

from pathlib import Path

import pytest
import yaml

from victor.config.layers import load
from victor.model.extractor import FeatureExtractor, batches

ROWS = yaml.safe_load(Path(__file__).with_name("rows.yaml").read_text("utf-8"))
"""A page counts 2,000 bytes besides its markup."""


@pytest.mark.parametrize(("sizes", "limit", "expected"), ROWS["batches"])
def test_pages_in_batches_of_about_a_size(sizes, limit, expected):
    pages = [(number, b"x" * size) for number, size in enumerate(sizes)]
    found = list(batches(iter(pages), limit))
    assert [len(batch) for batch in found] == expected
    assert [page for batch in found for page in batch] == pages


@pytest.mark.parametrize(("changes", "is_canonical"), ROWS["canonical"])
def test_segments_that_labels_of_annotated_pages_belong_to(changes, is_canonical):
    config = load("crf")
    for name, value in changes.items():
        part = getattr(config, name)
        config = config.replace(
            **{name: part.replace(**value) if isinstance(value, dict) else value}
        )
    assert FeatureExtractor(config).canonical is is_canonical
