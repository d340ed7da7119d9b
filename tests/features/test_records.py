"""Records: siblings alike in tag and first class, counted a second time by walking up."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor import features
from victor.errors import FeatureError
from victor.page.parsing.events import record
from victor.page.parsing.tags import NAMES, SPLITTING
from victor.page.table.segment import segment

MEASURES = ("size", "words", "sd", "link", "blocks", "img", "share", "index", "rest", "own")
OUTSIDE = (0, -1, -1, -1, -1, -1, 0, -1, -1, -1)


def of(name, values):
    """The measures of one kind of record, block by block."""
    columns = [values[f"{name}.{measure}"].tolist() for measure in MEASURES]
    return [dict(zip(MEASURES, row, strict=True)) for row in zip(*columns, strict=True)]


def test_siblings_are_a_group(measured):
    page = "<ul><li>one<li><a>two</a> and three<img><li>four five</ul><p>six seven"
    first, second, third, outside = of("record", measured("records", page, split="block"))
    group = {"size": 3, "words": 2, "link": 1 / 6, "blocks": 1, "img": 1 / 3, "share": 6 / 8}
    for row, index, own in ((first, 0, 1), (second, 1, 3), (third, 2, 2)):
        mine = {"index": index, "rest": 2 - index, "own": own}
        deviation = np.std([1, 3, 2]) / 2
        assert row == pytest.approx({**group, **mine, "sd": deviation})
    assert tuple(outside.values()) == OUTSIDE


@pytest.mark.parametrize(
    ("page", "size"),
    [
        ("<li>a<li>b", 0),
        ("<li>a<li>b<li> ", 0),
        ("<li>a<li>b<li>c<li>d", 4),
        ("<p>a<p>b<div>c</div>", 0),
        ("<p class=x>a<p class=y>b<p>c", 0),
        ("<p class='x y'>a<p class=' x'>b<p class='x\tz'>c", 3),
        ("<p class=''>a<p class=' '>b<p>c", 3),
        ("<p>a<div>b</div><p>c<div>d</div><p>e", 3),
        ("<i>a</i><i>b</i><i>c</i>", 0),
        ("<div><p>a</div><div><p>b</div><p>c", 0),
    ],
)
def test_what_makes_a_group(measured, page, size):
    assert measured("records", page)["record.size"].max() == size


def test_groups_end_with_their_page(measured):
    values = measured("records", "<p>a<p>b", "<p>c<p>d<p>e", "<p>f")
    assert values["record.size"].tolist() == [0, 0, 3, 3, 3, 0]
    assert values["page.max-card"].tolist() == [0] * 6


def test_a_card_holds_several_blocks(measured):
    card = "<div class=c><h3>a</h3><ul><li>b<li>c<li>d</ul></div>"
    values = measured("records", card * 3 + "<p>e", card)
    assert values["record.size"].tolist() == [3] * 12 + [0, 0, 3, 3, 3]
    assert values["record.blocks"].tolist() == [4, 1, 1, 1] * 3 + [-1, -1, 1, 1, 1]
    assert values["card.blocks"].tolist() == [4] * 12 + [-1] * 5
    assert values["card.index"].tolist() == [0] * 4 + [1] * 4 + [2] * 4 + [-1] * 5
    assert values["page.max-card"].tolist() == pytest.approx([12 / 13] * 13 + [0] * 4)


def test_only_the_nearest_ten_elements_are_looked_at(measured):
    def page(depth):
        return "".join(
            f"<section>{'<div>' * depth}{word}{'</div>' * depth}</section>" for word in "abc"
        )

    assert measured("records", page(9))["record.level"].tolist() == [9] * 3
    assert measured("records", page(10))["record.level"].tolist() == [-1] * 3


def test_classes_have_to_be_recorded():
    with pytest.raises(FeatureError, match="declare it"):
        features.load("records")(segment(record([b"<p>a"], attributes=())))


def lists():
    """Markup of lists in lists, of a few tags and classes."""
    item = st.tuples(
        st.sampled_from(["li", "li", "p", "div"]), st.sampled_from(["", "", " class='x z'"])
    )
    leaves = st.sampled_from(["a ", "b c ", "<a>d</a> ", "<img>", "", "<br>e"])

    def wrap(children):
        several = st.lists(st.tuples(item, children), min_size=1, max_size=5)
        return several.map(
            lambda rows: "".join(f"<{tag}{more}>{text}</{tag}>" for (tag, more), text in rows)
        )

    return st.recursive(leaves, wrap, max_leaves=20)


@pytest.mark.parametrize("split", ["tag", "block"])
@settings(max_examples=40, deadline=None, derandomize=True)
@given(pages=st.lists(lists(), max_size=3))
def test_against_walking_up(split, pages):
    table = segment(record([page.encode() for page in pages]), split)
    values = features.load("records")(table)
    expected = expected_of(table)
    for name, rows in expected.items():
        for measure, wanted in zip(MEASURES, np.reshape(rows, (-1, len(MEASURES))).T, strict=True):
            found = values[f"{name}.{measure}"]
            np.testing.assert_allclose(found, wanted, atol=1e-9, err_msg=f"{name}.{measure}")


def expected_of(table):
    """Rows of measures by kind of record, element by element."""
    elements, names = table.elements, table.attribute("class")
    groups = defaultdict(list)
    for e, tag in enumerate(elements.tag.tolist()):
        if NAMES[tag] in SPLITTING and words(table, e):
            classes = (names[elements.bundle[e]] or "").split() if elements.bundle[e] >= 0 else []
            groups[int(elements.parent[e]), tag, classes[0] if classes else ""].append(e)
    group_of = {e: group for group in groups.values() for e in group if len(group) >= 3}
    rows = {"record": [], "card": []}
    for block, e in enumerate(table.element.tolist()):
        found = [e]
        while elements.depth[found[-1]]:
            found.append(int(elements.parent[found[-1]]))
        around = [e for e in found if NAMES[elements.tag[e]] in SPLITTING][:10]
        own = [e for e in around if e in group_of]
        large = [e for e in own if len(blocks(table, e)) > 1]
        rows["record"].append(row_of(table, block, own[:1], group_of))
        rows["card"].append(row_of(table, block, large[-1:], group_of))
    return rows


def row_of(table, block, chosen, group_of):
    """Measures of the chosen record, in a list, or those for none."""
    if not chosen:
        return OUTSIDE
    group = group_of[chosen[0]]
    counts = [words(table, e) for e in group]
    linked = table.segments_inside(frozenset({"a"}))
    links = sum(table.segment_words[s] for e in group for s in segments(table, e) if linked[s])
    index = group.index(chosen[0])
    page_words = words(table, table.page_roots[table.page[block]])
    return (
        len(group), np.mean(counts), np.std(counts) / max(np.mean(counts), 1),
        links / max(sum(counts), 1), np.mean([len(blocks(table, e)) for e in group]),
        np.mean([images(table, e) for e in group]), sum(counts) / max(page_words, 1),
        index, len(group) - 1 - index, counts[index],
    )  # fmt: skip


def segments(table, element):
    first, last = table.elements.open[element], table.elements.close[element]
    return [s for s, tag in enumerate(table.segments.tag.tolist()) if first <= tag < last]


def words(table, element):
    return sum(table.segment_words[segments(table, element)].tolist())


def blocks(table, element):
    return {int(table.block_of_segment[s]) for s in segments(table, element)}


def images(table, element):
    between = range(table.elements.open[element], table.elements.close[element])
    return sum(NAMES[table.tags.id[tag]] == "img" for tag in between)
