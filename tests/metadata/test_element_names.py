"""Names of elements are found for a batch at once as a look at each of them would find them."""

import re
import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metadata_pages import read

from victor.metadata.batches import Batch
from victor.metadata.dates import days_in
from victor.metadata.element_names import BYLINE, PATTERNS, BatchNames, NamePattern
from victor.metadata.page_metadata import page_metadata
from victor.metadata.texts import clean
from victor.page.parsing.attributes import BundleColumns
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

ALPHABET = string.ascii_lowercase + string.digits + "-_"
PAGES = [
    b"<title>Bees</title><h1>Bees</h1><p class='Byline x'>By A. Keeper</p><p id=date>9 March 2024",
    b"<h1>Wax</h1><p class=author>B. Waggle<time datetime=2020-01-02></time><p class=meta>May 10",
    b"<p>nothing",
    b"",
    b"<div class=nav id='a\nauthor'><p class='post-meta author-name' itemprop=author>C. Comb",
]


def names_of(**values):
    """Names of as many elements as each attribute has values, an element a row."""
    rows = [*zip(*values.values(), strict=True)]
    columns = {name: number for number, name in enumerate(values)}
    bundles = BundleColumns.of(rows, len(values))
    return BatchNames(bundles, columns, np.arange(len(rows)))


def name_like(pattern: NamePattern) -> st.SearchStrategy[str]:
    """Names that a pattern is found in, as names of classes are: without white space."""
    core = st.from_regex(pattern.pattern, fullmatch=True, alphabet=ALPHABET)
    return st.tuples(st.sampled_from(["", "x-", "ab_"]), core, st.sampled_from(["", "-x"])).map(
        lambda parts: "".join(parts).lower()
    )


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=st.data())
def test_a_name_that_a_pattern_is_found_in_holds_one_of_its_runs(pattern, data):
    name = data.draw(name_like(pattern))
    if pattern.pattern.search(name):
        assert any(run in f"\n{name}\n" for run in pattern.runs)


@given(
    st.lists(
        st.text("author bylinepdtnvc-_\n ıſé", max_size=12)
        | st.sampled_from(["comment", "post-date", "x Author-name", "navx-more", "date\nbyline"]),
        max_size=12,
    )
)
def test_rows_are_those_of_the_names_one_by_one(values):
    names = names_of(**{"class": values})
    for pattern in PATTERNS:
        others = names.without(pattern, range(len(values)))
        assert sorted([*names.matching(pattern), *others]) == [*range(len(values))]


def test_metadata_do_not_depend_on_the_batch():
    table = parse_pages(PAGES)
    for number, page in enumerate(PAGES):
        assert page_metadata(table, number) == page_metadata(parse_pages([page]), 0)


@given(
    st.lists(st.text("19024./-٢٠\u200b &amp;#53; a年月", max_size=14)
             | st.sampled_from(["9 March 2024", "1.2.20\u200b24", "&amp;#50;024-03-09"]),
             max_size=5)
)  # fmt: skip
def test_blocks_with_a_date_may_have_one(texts):
    page = "".join(f"<p>{text}</p>" for text in texts).encode()
    table = parse_pages([page])
    dated = Batch.of(table).dated
    for block, text in enumerate(block_texts(table)):
        assert block in dated or not days_in(clean(text), month_first=True)


def test_columns_go_with_their_table():
    table = parse_pages(PAGES)
    assert Batch.of(table) is Batch.of(table)
    assert not any(value is table for value in vars(Batch.of(table)).values())


def test_patterns_are_in_lower_case():
    for pattern in PATTERNS:
        assert re.sub(r"\\.", "", pattern.pattern.pattern).islower()


H1 = "<title>On bees</title><h1>On bees</h1>"
TIME = "<p><time{} datetime=2024-03-09>x</time></p>"


@pytest.mark.parametrize(
    ("body", "is_change"),
    [
        (TIME.format(""), False),
        (TIME.format("") + "<p class=updated>bees", False),
        (TIME.format(" class=updated"), True),
        ("<p class=x>bees" + TIME.format(" class=updated"), True),
    ],
)
def test_a_time_goes_by_its_own_name(body, is_change):
    said = read("", H1 + body)
    assert (said.published is None, said.modified is not None) == (is_change, is_change)


def test_a_time_without_recorded_names():
    assert read("", H1 + TIME.format(" class=updated"), attributes=()).published == "2024-03-09"


@pytest.mark.parametrize("named", ["author", "AUTHOR", "x Creator"])
def test_properties_in_any_case(named):
    said = read("", f"<p itemprop='{named}'>Anna Keeper")
    assert said.sources.get("authors") == "microdata"


def test_a_null_character_ends_no_value():
    assert names_of(**{"class": ["bees\0wasps", "byline", "x"]}).matching(BYLINE) == [1]


@pytest.mark.parametrize(("before", "is_read"), [("é" * 493, True), ("é" * 494, False)])
def test_of_long_values_so_many_characters_are_read(before, is_read):
    """A value is cut off behind 500 characters, however many bytes they are."""
    names = names_of(**{"class": ["x", f"{before} byline", "y"], "id": [None, None, "byline"]})
    assert names.matching(BYLINE) == [1, 2][not is_read :]


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        ({"class": ["\u00e9-byline", "x", "\u017fignature-auth"]}, [0, 2]),
        ({"class": ["x"], "id": ["byline"]}, [0]),
        ({"class": [None, "x"], "id": [None, "byline"]}, [1]),
    ],
)
def test_names_beyond_ascii_and_names_of_ids(names, rows):
    assert names_of(**names).matching(BYLINE) == rows
