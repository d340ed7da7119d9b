"""The block table against the same pages walked tag by tag, on markup of all kinds."""

from itertools import zip_longest

import numpy as np
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.page.parsing.tags import NAMES, SPLITTING
from victor.page.table.segment import read_pages
from victor.page.table.texts import block_texts, segment_texts

from .conftest import Walk

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


@settings(max_examples=settings().max_examples // 2)  # of several pages each
@given(pages=strategies.batch(), how=OPTIONS, names=st.sampled_from(SETS), draw=st.randoms())
def test_a_table_is_what_a_walk_finds(pages, how, names, draw):
    table, walk = read_pages(pages, **how), Walk(pages, **how)
    check_texts_and_tags(table, walk)
    check_elements(table, walk)
    check_surroundings(table, walk, names)
    check_sums(table, walk, names)
    texts = block_texts(table)
    some = [block for block in range(len(table)) if draw.random() < 0.5]
    assert block_texts(table, np.array(some, dtype=int)) == [texts[block] for block in some]
    assert block_texts(table, slice(1, 3)) == texts[1:3]


def check_texts_and_tags(table, walk):
    assert block_texts(table) == [*map(walk.text, walk.blocks)]
    found = zip(table.page.tolist(), table.tag.tolist(), table.last_tag.tolist(), strict=True)
    assert [*found] == [(block[0].page, block[0].tag, block[-1].tag) for block in walk.blocks]
    assert segment_texts(table) == [walk.text([run]) for run in walk.segments]
    tags = zip((NAMES[number] for number in table.tags.id), table.tags.step, strict=True)
    assert [*tags] == walk.tags
    assert table.tags.text_length.tolist() == [len(run.text) for run in walk.runs]


def check_elements(table, walk):
    columns = (
        getattr(table.elements, name).tolist() for name in ("tag", "parent", "depth", "open")
    )
    found = [(NAMES[number], *rest) for number, *rest in zip(*columns, strict=True)]
    assert found == walk.elements
    assert table.page_roots.tolist() == walk.roots
    closing = np.flatnonzero(table.tags.step == -1)
    assert sorted(table.elements.close.tolist()) == closing.tolist()
    innermost = [(run.tag, run.path[-1]) for run in walk.runs if run.path]
    assert [(tag, table.tags.element[tag]) for tag, _ in innermost] == innermost


def check_surroundings(table, walk, names):
    """What stands around texts and around elements."""
    around = [walk.inside(block[0], names) for block in walk.blocks]
    assert table.blocks_inside(frozenset(names)).tolist() == [bool(found) for found in around]
    nearest = [found[-1] if found else -1 for found in around]
    assert table.nearest(frozenset(names), table.tag).tolist() == nearest
    container = [walk.inside(block[0], SPLITTING)[-1] for block in walk.blocks]
    assert table.container.tolist() == container
    levels = [
        [int(walk.elements[number].name[1]) for number in walk.inside(block[0], HEADINGS)]
        for block in walk.blocks
    ]
    assert table.heading_level.tolist() == [min(found, default=0) for found in levels]
    assert table.outer.tolist() == [outer(walk, number) for number in range(len(walk.elements))]


def outer(walk, number):
    """The block-level element around an element."""
    while True:
        element, number = walk.elements[number], walk.elements[number].parent
        if not element.depth or walk.elements[number].name in SPLITTING:
            return number


def check_sums(table, walk, names):
    """Words of elements and of blocks, of those in links, and of those in some elements."""
    sums, linked = np.zeros((2, len(table.elements)), dtype=int)
    words = {}
    for run, count in zip(walk.segments, table.segment_words.tolist(), strict=True):
        words[run.tag] = count
        sums[[*run.path]] += count
        linked[[*run.path]] += count * bool(walk.inside(run, {"a"}))
    assert table.sum_elements(table.segment_words).tolist() == sums.tolist()
    assert table.element_words.tolist() == sums.tolist()
    assert table.element_link_words.tolist() == linked.tolist()
    inside = [sum(words[r.tag] for r in block if walk.inside(r, names)) for block in walk.blocks]
    assert table.words_inside(*names).tolist() == inside
    assert table.words.tolist() == [sum(words[run.tag] for run in block) for block in walk.blocks]
    ones = np.ones(len(table.segments), dtype=int)
    assert table.sum_segments(ones).tolist() == [*map(len, walk.blocks)]


@given(
    runs=st.lists(st.text("ab \n\u00ad\u200d\ufeff\u200b\u2028", max_size=8), max_size=6),
    tags=st.lists(st.sampled_from(("<b>", "</b>", "<p>", "<br>", "<pre>", "</pre>")), max_size=6),
    how=OPTIONS,
)
def test_joiners_and_white_space(runs, tags, how):
    page = "".join(run + tag for run, tag in zip_longest(runs, tags, fillvalue="")).encode()
    table, walk = read_pages([page], **how), Walk([page], **how)
    assert block_texts(table) == [*map(walk.text, walk.blocks)]
    tokens = table.tokens
    visible = [not c.isspace() and c != "\u200b" for text in block_texts(table) for c in text]
    assert int((tokens.end - tokens.start).sum()) == sum(visible)
