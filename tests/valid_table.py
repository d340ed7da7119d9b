"""What holds for every block table, whatever the pages are."""

import numpy as np


def validate(table):
    """Check the invariants that every later stage relies on."""
    segments, elements = table.segments, table.elements
    assert table.page_starts[0] == 0, "pages start at block 0"
    assert table.page_starts[-1] == len(table), "pages cover all blocks"
    assert len(table.heads) == len(table.page_roots) == table.n_pages, "one head and root a page"
    assert (np.diff(table.page_starts) >= 0).all(), "pages are in order"
    assert table.segment_starts[0] == 0, "blocks start at segment 0"
    assert table.segment_starts[-1] == len(segments), "blocks cover all segments"
    assert (np.diff(table.segment_starts) > 0).all(), "a block has a segment"
    assert (segments.start < segments.end).all(), "a segment has text"
    assert (segments.end[:-1] <= segments.start[1:]).all(), "segments do not overlap"
    assert (np.diff(segments.tag) > 0).all(), "a tag lies between two segments"
    assert (elements.open < elements.close).all(), "an element opens before it closes"
    ends = table.tags.id[elements.close]
    assert (ends == elements.tag).all(), "start and end tag are of one name"
    parents = elements.parent
    assert (elements.open[parents] <= elements.open).all(), "a parent opens first"
    assert (elements.close[parents] >= elements.close).all(), "a parent closes last"
