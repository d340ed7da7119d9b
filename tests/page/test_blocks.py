"""The block table against the same pages walked tag by tag, on markup of all kinds."""

from itertools import accumulate, zip_longest

import numpy as np
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.page.parsing.tags import NAMES, SPLITTING
from victor.page.table.texts import block_texts, segment_texts

SETS = (
    {"a"}, {"b", "strong", "p"}, {"div"}, {"ul", "ol", "table"}, {"td", "li"}, {"pre"},
    SPLITTING, {"hr", "br"}, {"script"}, {"#page"}, {"#page", "#custom", "#unknown", "img"},
)  # fmt: skip
"""Also void and dropped elements, which surround nothing."""


OPTIONS = st.fixed_dictionaries(
    {
        "split": st.sampled_from(("tag", "block")),
        "alt_text": st.booleans(),
        "pre_lines": st.booleans(),
    }
)
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


class Walk:
    """Pages cut slowly: their blocks, and where each page begins in the batch."""

    def __init__(self, pages, how):
        self.pages = pages
        self.tags = [0, *accumulate(len(page.names) for page in pages)]
        self.elements = [0, *accumulate(len(page.elements) for page in pages)]
        self.blocks = [
            (page, number, block)
            for number, page in enumerate(pages)
            for block in page.blocks(how["split"])
        ]

    def each(self):
        """Every page and the ordinal of its first element."""
        return zip(self.pages, self.elements[:-1], strict=True)


@settings(max_examples=settings().max_examples // 2)  # of several pages each
@given(data=st.data(), how=OPTIONS)
def test_a_table_is_what_a_walk_finds(cut, data, how):
    table, slow = cut(data.draw(strategies.batch()), **how)
    walk, names = Walk(slow, how), frozenset(data.draw(st.sampled_from(SETS)))
    check_texts_and_tags(table, walk)
    check_elements(table, walk)
    check_surroundings(table, walk, names)
    check_sums(table, walk, names)
    some = data.draw(st.lists(st.booleans(), min_size=len(table), max_size=len(table)))
    blocks = np.flatnonzero(np.array(some, dtype=bool))
    texts = block_texts(table)
    assert block_texts(table, blocks) == [texts[block] for block in blocks.tolist()]
    assert block_texts(table, slice(1, 3)) == texts[1:3]


def check_texts_and_tags(table, walk):
    assert block_texts(table) == [page.text(block) for page, _, block in walk.blocks]
    assert table.page.tolist() == [number for _, number, _ in walk.blocks]
    tags = [walk.tags[number] + block[0].tag for _, number, block in walk.blocks]
    assert table.tag.tolist() == tags
    last = [walk.tags[number] + block[-1].tag for _, number, block in walk.blocks]
    assert table.last_tag.tolist() == last
    segments = [page.text([run]) for page in walk.pages for run in page.segments()]
    assert segment_texts(table) == segments
    names = [NAMES[number] for number in table.tags.id]
    assert names == [name for page in walk.pages for name in page.names]
    assert table.tags.step.tolist() == [step for page in walk.pages for step in page.steps]
    lengths = [len(run.text) for page in walk.pages for run in page.runs]
    assert table.tags.text_length.tolist() == lengths


def check_elements(table, walk):
    columns = (getattr(table.elements, name) for name in ("tag", "parent", "depth", "open"))
    found = zip(*(column.tolist() for column in columns), strict=True)
    expected = [
        (one.name, first + one.parent, one.depth, tag + one.tag)
        for (page, first), tag in zip(walk.each(), walk.tags, strict=False)
        for one in page.elements
    ]
    assert [(NAMES[number], *rest) for number, *rest in found] == expected
    assert table.page_roots.tolist() == walk.elements[:-1]
    innermost = [
        first + (run.path[-1] if run.path else 0)
        for page, first in walk.each()
        for run in page.runs
    ]
    closing = np.flatnonzero(table.tags.step == -1)
    assert sorted(table.elements.close.tolist()) == closing.tolist()
    last = set(table.elements.close[table.page_roots].tolist())
    at = [tag for tag in range(len(table.tags.id)) if tag not in last]
    assert table.tags.element[at].tolist() == [innermost[tag] for tag in at]


def check_surroundings(table, walk, names):
    """What stands around texts and around elements."""
    around = [page.inside(block[0], names) for page, _, block in walk.blocks]
    assert table.blocks_inside(names).tolist() == [bool(found) for found in around]
    nearest = [
        walk.elements[number] + found[-1] if found else -1
        for found, (_, number, _) in zip(around, walk.blocks, strict=True)
    ]
    assert table.nearest(names, table.tag).tolist() == nearest
    container = [
        walk.elements[number] + page.inside(block[0], SPLITTING)[-1]
        for page, number, block in walk.blocks
    ]
    assert table.container.tolist() == container
    headings = [
        [int(page.elements[n].name[1]) for n in page.inside(block[0], HEADINGS)]
        for page, _, block in walk.blocks
    ]
    assert table.heading_level.tolist() == [min(levels, default=0) for levels in headings]
    outer = []
    for page, first in walk.each():
        for number, element in enumerate(page.elements):
            path = [number]
            while page.elements[path[-1]].depth:
                path.append(page.elements[path[-1]].parent)
            block_level = [n for n in path[1:] if page.elements[n].name in SPLITTING]
            outer.append(first + (block_level[0] if element.depth else number))
    assert table.outer.tolist() == outer


def check_sums(table, walk, names):
    """Words of elements and of blocks, of those in links, and of those in some elements."""
    words = iter(table.segment_words.tolist())
    counted = [
        (page, first, run, next(words)) for page, first in walk.each() for run in page.segments()
    ]
    sums = np.zeros(len(table.elements), dtype=int)
    linked = np.zeros(len(table.elements), dtype=int)
    for page, first, run, count in counted:
        here = [first + number for number in run.path]
        sums[here] += count
        linked[here] += count * bool(page.inside(run, {"a"}))
    assert table.sum_elements(table.segment_words).tolist() == sums.tolist()
    assert table.element_words.tolist() == sums.tolist()
    assert table.element_link_words.tolist() == linked.tolist()
    of_run = {id(run): count for *_, run, count in counted}
    inside = [
        sum(of_run[id(run)] for run in block if page.inside(run, names))
        for page, _, block in walk.blocks
    ]
    assert table.words_inside(*names).tolist() == inside
    of_block = [sum(of_run[id(run)] for run in block) for *_, block in walk.blocks]
    assert table.words.tolist() == of_block
    by_block = [len(block) for *_, block in walk.blocks]
    assert table.sum_segments(np.ones(len(table.segments), dtype=int)).tolist() == by_block


@given(
    runs=st.lists(st.text("ab \n\u00ad\u200d\ufeff\u200b\u2028", max_size=8), max_size=6),
    tags=st.lists(st.sampled_from(("<b>", "</b>", "<p>", "<br>", "<pre>", "</pre>")), max_size=6),
    how=OPTIONS,
)
def test_joiners_and_white_space(cut, runs, tags, how):
    page = "".join(run + tag for run, tag in zip_longest(runs, tags, fillvalue=""))
    table, slow = cut([page], **how)
    assert block_texts(table) == [page.text(block) for page, _, block in Walk(slow, how).blocks]
    tokens = table.tokens
    visible = [not c.isspace() and c != "\u200b" for text in block_texts(table) for c in text]
    assert int((tokens.end - tokens.start).sum()) == sum(visible)
