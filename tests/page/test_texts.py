"""Texts of all blocks, of some, and of segments."""

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts, segment_texts, text_of


@pytest.mark.slow
@settings(max_examples=50, deadline=None, derandomize=True)
@given(data=st.data(), split=st.sampled_from(("tag", "block")))
def test_texts_are_those_of_the_spans(data, split):
    table = parse_pages(data.draw(strategies.batch()), split)
    text = "".join(map(chr, table.chars.tolist()))
    spans = zip(table.start.tolist(), table.end.tolist(), strict=True)
    texts = [text[start:end] for start, end in spans]
    assert text_of(table.chars) == text
    assert block_texts(table) == texts
    some = data.draw(st.lists(st.booleans(), min_size=len(table), max_size=len(table)))
    blocks = np.flatnonzero(np.array(some, dtype=bool))
    assert block_texts(table, blocks) == [texts[block] for block in blocks.tolist()]
    assert block_texts(table, slice(1, 3)) == texts[1:3]
    spans = zip(table.segments.start.tolist(), table.segments.end.tolist(), strict=True)
    assert segment_texts(table) == [text[start:end] for start, end in spans]
