"""Tables and code are kept or dropped whole."""

import numpy as np
import pytest

from victor.base.labels import Label
from victor.kinds.whole_units import with_whole_units
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict

TABLE = "<table border=1><tr><th>Train<th>Leaves</tr>" + "".join(
    f"<tr><td>R {n}<td>{n}:40</tr>" for n in range(5, 12)
)

MORE = " by the bridge over the fjord"
LONG_TABLE = "<table border=1><tr><th>Train<th>Leaves</tr>" + "".join(
    f"<tr><td>R {n}{MORE}<td>{n}:40</tr>" for n in range(5, 12)
)
"""Of more than 60 words: of fewer the chain may be sure by chance."""
WORDS = " ".join("a" * 60)
STORY = f"<p>{WORDS}</p>"
"""Of this page a unit is a smaller part."""


def kept(page, dropped, p_keep=None):
    """Texts kept of a page, given those that the labeler drops."""
    table = parse_pages([page])
    texts = block_texts(table)
    labels = np.array([Label.OTHER if t in dropped else Label.TEXT for t in texts], dtype=np.uint8)
    marginals = np.full((len(table), 3), 0.5)
    for text, p in (p_keep or {}).items():
        marginals[texts.index(text), Label.OTHER] = 1 - p
    verdict = with_whole_units(Verdict(table, labels, marginals, "threshold"), [page.encode()])
    return [text for text, keep in zip(texts, verdict.kept, strict=True) if keep], verdict


def test_a_table_has_no_holes():
    texts, verdict = kept(f"<p>a{TABLE}</table>", {"Leaves", "R 6", "7:40"})
    assert len(texts) == 17
    assert {*verdict.reasons()} == {"kept", "whole"}


def test_a_table_of_which_little_is_kept_goes():
    page = f"{STORY * 3}{TABLE}</table>"
    some = {"R 5", "5:40", WORDS}
    texts, verdict = kept(page, {*block_texts(parse_pages([page]))} - some)
    assert texts == [WORDS] * 3
    assert verdict.reasons().count("whole") == 2


@pytest.mark.parametrize(("some", "is_kept"), [({"R 5", "5:40"}, True), ({"R 5"}, False)])
def test_a_table_that_is_most_of_its_page_goes_only_if_hardly_any_is_kept(some, is_kept):
    """It has 30 words."""
    page = f"<p>a{TABLE}</table>"
    dropped = {*block_texts(parse_pages([page]))} - some - {"a"}
    assert len(kept(page, dropped)[0]) == (17 if is_kept else 1)


def test_a_table_of_sure_opposites_keeps_its_labels_if_it_has_many_words():
    sure = {f"R {n}": 0.9 for n in range(5, 12)} | {f"{n}:40": 0.1 for n in range(5, 12)}
    dropped = {text for text, p in sure.items() if p < 0.5}
    texts, verdict = kept(f"<p>a{TABLE}</table>", dropped, sure)
    assert dropped < {*texts}
    assert verdict.tables.is_data.any()
    sure = {f"R {n}{MORE}": 0.9 for n in range(5, 12)} | {f"{n}:40": 0.1 for n in range(5, 12)}
    texts, verdict = kept(f"<p>a{LONG_TABLE}</table>", dropped, sure)
    assert dropped.isdisjoint(texts)
    assert not verdict.tables.is_data.any()


@pytest.mark.parametrize(
    ("n", "p_keep", "p_drop", "is_mixed"),
    [
        (4, 0.7, 0.3, True),
        (3, 0.7, 0.3, False),
        (4, 0.69, 0.3, False),
        (4, 0.7, 0.31, False),
        (4, 0.7, 0.25, True),
        (4, 0.75, 0.3, True),
    ],
)
def test_a_table_of_more_than_a_fifth_of_either_kind_is_mixed(n, p_keep, p_drop, is_mixed):
    """It has 16 cells."""
    sure = {f"R {row}{MORE}": p_keep for row in range(5, 5 + n)}
    sure |= {f"{row}:40": p_drop for row in range(5, 5 + n)}
    assert kept(f"<p>a{LONG_TABLE}</table>", {"Leaves"}, sure)[1].tables.is_data.any() != is_mixed


def test_code_of_which_half_the_words_are_kept_stays():
    page = f"{STORY}<pre><div>a b</div><div>c d{{}}</div></pre>"
    assert kept(page.format(""), {"c d"})[0] == [WORDS, "a b", "c d"]
    assert kept(page.format(" e"), {"c d e"})[0] == [WORDS]


@pytest.mark.parametrize("dropped", [{"c"}, {"a", "c"}])
def test_code_is_kept_or_dropped_whole(dropped):
    page = f"{STORY}<pre><div>a</div><div>b b b</div><div>c</div></pre>"
    assert kept(page, dropped)[0] == [WORDS, "a", "b b b", "c"]
    assert kept(page, {"b b b"})[0] == [WORDS]


def test_a_formula_in_a_table_goes_with_the_table():
    page = f"<p>a{TABLE.replace('<td>6:40', '<td>so <math>z</math> is')}</table>"
    assert "z" in kept(page, {"so", "is"})[0]
