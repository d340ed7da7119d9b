"""Calls of the core run out of memory in all tests here, where it was built for that."""

import pytest

from victor.base import core
from victor.labelers.load import model_labeler
from victor.page.table.segment import parse_pages
from victor.page.verdict.paragraphs import paragraphs

STAGES = {
    *("events", "segment", "tokenize", "class_numbers", "columns", "tree_marginals"),
    *("expected_f", "page_measures", "paragraphs"),
}


def test_stages_run_out_of_memory():
    n_failures = getattr(core.compiled, "n_failures", None)
    if n_failures is None:
        pytest.skip("the core was built without failing_allocations.h")
    pages = [b"<title>T</title><h1 class=a>Bees</h1><p>They <b>live</b> in hives"]
    labeler = model_labeler("default")
    labeler.label(labeler.table(pages))
    table = parse_pages(pages)
    paragraphs(table, table.words > 0)
    assert table.class_numbers.tolist() == [1, 0]
    assert n_failures.keys() >= STAGES
    assert n_failures["segment"] >= 20  # an array each
