"""Calls of the core run out of memory in all tests here, where it was built for that."""

import numpy as np
import pytest

from victor.base import core
from victor.config.schema import Scope
from victor.kinds.finish import finish
from victor.kinds.units import PRE_TAGS
from victor.labelers.crf import model_labeler
from victor.model.decide import decide
from victor.page.table.blocks import hidden_elements
from victor.page.table.segment import parse_pages
from victor.page.verdict.paragraphs import paragraphs

STAGES = {
    *("read", "batch", "label", "expected_f", "page_measures", "finish"),
    *("letters_also", "judge", "plain_text", "paragraphs"),
}


def test_stages_run_out_of_memory():
    n_failures = getattr(core.compiled, "n_failures", None)
    if n_failures is None:
        pytest.skip("the core was built without failing_allocations.h")
    pages = [b"<title>T</title><h1 class=a>Bees</h1><p>They <b>live</b> in hives"]
    labeler = model_labeler("default")
    labelled = labeler.label(labeler.table(pages))
    finish(labelled.with_labels(labelled.labels, labelled.method), pages, Scope())
    verdict = finish(labelled, pages, Scope())[0].verdict
    verdict.plain_text(0)
    assert verdict.pages.p_no_content.shape == (1,)
    assert decide(verdict.marginals, verdict.table, labeler.decision).shape == verdict.labels.shape
    table = parse_pages(pages).replace()
    these = np.zeros(len(table.segments), dtype=bool)
    core.compiled.letters_also(table.batch, these, ~these, PRE_TAGS)
    hidden_elements(table)
    paragraphs(table, table.words > 0)
    assert table.class_numbers.tolist() == [1, 0]
    assert n_failures.keys() >= STAGES
    assert n_failures["read"] >= 20  # an array each
