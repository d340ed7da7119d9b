"""The block table against the same pages walked tag by tag, on markup of all kinds."""

from dataclasses import fields, is_dataclass
from itertools import accumulate, pairwise, zip_longest

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.page.parsing.tags import NAMES, SPLITTING
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts, segment_texts, text_of

SETS = (
    {"a"}, {"b", "strong", "p"}, {"div"}, {"ul", "ol", "table"}, {"td", "li"}, {"pre"},
    SPLITTING, {"hr", "br"}, {"script"}, {"#page"}, {"#page", "#custom", "#unknown", "img"},
)  # fmt: skip
"""Also void and dropped elements, which surround nothing."""


def options():
    return st.fixed_dictionaries(
        {
            "split": st.sampled_from(("tag", "block")),
            "alt_text": st.booleans(),
            "pre_lines": st.booleans(),
        }
    )


def fuzz(max_examples=60):
    def wrap(test):
        return settings(max_examples=max_examples, deadline=None, derandomize=True)(
            given(data=st.data(), how=options())(test)
        )

    return wrap


def walked(slow, how):
    """Page, page number and block of every block of the pages cut slowly."""
    return [
        (page, number, block)
        for number, page in enumerate(slow)
        for block in page.blocks(how["split"])
    ]


def first_tags(slow):
    """Ordinal in the batch of the first tag of each page, and of the first element."""
    tags = [0, *accumulate(len(page.names) for page in slow)]
    elements = [0, *accumulate(len(page.elements) for page in slow)]
    return tags, elements


@fuzz(30)
def test_texts_and_tags(cut, data, how):
    table, slow = cut(data.draw(strategies.batch()), **how)
    blocks = walked(slow, how)
    assert block_texts(table) == [page.text(block) for page, _, block in blocks]
    assert table.page.tolist() == [number for _, number, _ in blocks]
    starts, _ = first_tags(slow)
    tags = [starts[number] + block[0].tag for _, number, block in blocks]
    assert table.tag.tolist() == tags
    assert table.last_tag.tolist() == [starts[n] + block[-1].tag for _, n, block in blocks]
    segments = [page.text([run]) for page in slow for run in page.segments()]
    assert segment_texts(table) == segments
    names = [NAMES[number] for number in table.tags.id]
    assert names == [name for page in slow for name in page.names]
    assert table.tags.step.tolist() == [step for page in slow for step in page.steps]
    lengths = [len(run.text) for page in slow for run in page.runs]
    assert table.tags.text_length.tolist() == lengths


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    runs=st.lists(st.text("ab \n\u00ad\u200d\ufeff\u200b\u2028", max_size=8), max_size=6),
    tags=st.lists(st.sampled_from(("<b>", "</b>", "<p>", "<br>", "<pre>", "</pre>")), max_size=6),
    how=options(),
)
def test_joiners_and_white_space(cut, runs, tags, how):
    page = "".join(run + tag for run, tag in zip_longest(runs, tags, fillvalue=""))
    table, slow = cut([page], **how)
    assert block_texts(table) == [page.text(block) for page, _, block in walked(slow, how)]
    tokens = table.tokens
    visible = [not c.isspace() and c != "\u200b" for text in block_texts(table) for c in text]
    assert int((tokens.end - tokens.start).sum()) == sum(visible)


@pytest.mark.slow
@fuzz()
def test_elements(cut, data, how):
    table, slow = cut(data.draw(strategies.batch()), **how)
    tags, starts = first_tags(slow)
    found = zip(
        *(getattr(table.elements, name).tolist() for name in ("tag", "parent", "depth", "open")),
        strict=True,
    )
    expected = [
        (one.name, first + one.parent, one.depth, tag + one.tag)
        for page, first, tag in zip(slow, starts, tags, strict=False)
        for one in page.elements
    ]
    assert [(NAMES[number], *rest) for number, *rest in found] == expected
    assert table.page_roots.tolist() == starts[:-1]
    innermost = [
        first + (run.path[-1] if run.path else 0)
        for page, first in zip(slow, starts, strict=False)
        for run in page.runs
    ]
    closing = np.flatnonzero(table.tags.step == -1)
    assert sorted(table.elements.close.tolist()) == closing.tolist()
    last = set(table.elements.close[table.page_roots].tolist())
    at = [tag for tag in range(len(table.tags.id)) if tag not in last]
    assert table.tags.element[at].tolist() == [innermost[tag] for tag in at]


@pytest.mark.slow
@fuzz()
def test_what_surrounds_a_text(cut, data, how):
    table, slow = cut(data.draw(strategies.batch()), **how)
    names = frozenset(data.draw(st.sampled_from(SETS)))
    _, starts = first_tags(slow)
    blocks = walked(slow, how)
    around = [page.inside(block[0], names) for page, _, block in blocks]
    assert table.blocks_inside(names).tolist() == [bool(found) for found in around]
    nearest = [
        starts[number] + found[-1] if found else -1
        for found, (_, number, _) in zip(around, blocks, strict=True)
    ]
    assert table.nearest(names, table.tag).tolist() == nearest
    container = [
        starts[number] + page.inside(block[0], SPLITTING)[-1] for page, number, block in blocks
    ]
    assert table.container.tolist() == container
    headings = [
        [int(page.elements[n].name[1]) for n in page.inside(block[0], HEADINGS)]
        for page, _, block in blocks
    ]
    assert table.heading_level.tolist() == [min(levels, default=0) for levels in headings]


HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@pytest.mark.slow
@fuzz()
def test_what_surrounds_an_element(cut, data, how):
    table, slow = cut(data.draw(strategies.batch()), **how)
    _, starts = first_tags(slow)
    outer = []
    for page, first in zip(slow, starts, strict=False):
        for number, element in enumerate(page.elements):
            path = [number]
            while page.elements[path[-1]].depth:
                path.append(page.elements[path[-1]].parent)
            block_level = [n for n in path[1:] if page.elements[n].name in SPLITTING]
            outer.append(first + (block_level[0] if element.depth else number))
    assert table.outer.tolist() == outer


@pytest.mark.slow
@fuzz()
def test_sums(cut, data, how):
    table, slow = cut(data.draw(strategies.batch()), **how)
    names = frozenset(data.draw(st.sampled_from(SETS)))
    _, starts = first_tags(slow)
    words = iter(table.segment_words.tolist())
    counted = [(page, first, run, next(words)) for page, first in zip(slow, starts, strict=False)
               for run in page.segments()]  # fmt: skip
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
    blocks = walked(slow, how)
    inside = [
        sum(of_run[id(run)] for run in block if page.inside(run, names))
        for page, _, block in blocks
    ]
    assert table.words_inside(*names).tolist() == inside
    assert table.words.tolist() == [sum(of_run[id(run)] for run in block) for *_, block in blocks]
    by_block = [len(block) for *_, block in blocks]
    assert table.sum_segments(np.ones(len(table.segments), dtype=int)).tolist() == by_block


def arrays(table, shift_tags, shift_elements, shift_chars):
    """Every array of a table, ordinals moved to where they are in a batch."""
    shift = {
        "tags.element": shift_elements, "segments.tag": shift_tags, "segments.start": shift_chars,
        "segments.end": shift_chars, "elements.parent": shift_elements,
        "elements.open": shift_tags, "elements.close": shift_tags,
    }  # fmt: skip
    found = {}
    for part in ("segments", "tags", "elements"):
        for item in fields(getattr(table, part)):
            name = f"{part}.{item.name}"
            found[name] = getattr(getattr(table, part), item.name) + shift.get(name, 0)
    return found


def texts_after(table, tags):
    """The text after each of some adjacent tags but the last, without white space at its ends."""
    bounds = table.tags.text_start[tags].tolist()
    return [text_of(table.chars[a:b]).strip() for a, b in pairwise(bounds)]


@pytest.mark.slow
@fuzz()
def test_a_batch_is_its_pages_one_after_the_other(cut, data, how):
    pages = data.draw(strategies.batch())
    whole, _ = cut(pages, **how)
    tables = [cut([page], **how)[0] for page in pages]
    assert block_texts(whole) == [text for table in tables for text in block_texts(table)]
    assert np.diff(whole.page_starts).tolist() == [len(table) for table in tables]
    tags = elements = segments = 0
    for number, table in enumerate(tables):
        own = whole.segments.tag[segments : segments + len(table.segments)]
        chars = whole.segments.start[segments] - table.segments.start[0] if len(own) else 0
        expected = arrays(table, tags, elements, chars)
        for name, array in arrays(whole, 0, 0, 0).items():
            at, count = {
                "segments": (segments, len(table.segments)),
                "tags": (tags, len(table.tags.id)),
                "elements": (elements, len(table.elements)),
            }[name.partition(".")[0]]
            found = array[at : at + count]
            if name in ("elements.bundle", "tags.bundle"):
                values = [(*whole.bundles, None)[row] for row in found]
                assert values == [(*table.bundles, None)[row] for row in expected[name]]
            elif name != "tags.text_start":  # of white space between two pages one space may stay
                np.testing.assert_array_equal(found, expected[name], err_msg=f"{name}, {number}")
        page_tags = slice(tags, tags + len(table.tags.id))
        assert texts_after(whole, page_tags) == texts_after(table, slice(len(table.tags.id)))
        tags += len(table.tags.id)
        elements += len(table.elements)
        segments += len(table.segments)


def every_array(value):
    if isinstance(value, np.ndarray):
        yield value
    elif is_dataclass(value):
        for item in fields(value):
            yield from every_array(getattr(value, item.name))


COMPUTED = sorted(
    name
    for name, value in vars(BlockTable).items()
    if type(value).__name__ == "cached_property" and not name.startswith("lent")  # no arrays
)


def test_all_arrays_are_read_only(cut):
    table, _ = cut(["<p class=x>a <b>b</b> 12", "<h1>c"], "block")
    found = list(every_array(table))
    assert len(COMPUTED) > 10
    for name in COMPUTED:
        found += every_array(getattr(table, name))
    assert len(found) > 40
    assert not [array for array in found if array.flags.writeable]
