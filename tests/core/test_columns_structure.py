"""Compiled columns of the structure around blocks equal those by numpy, in every bit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from plans import all_values

from victor.base import core
from victor.features import from_config
from victor.page.table.segment import parse_pages

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")

PAGES = Path(__file__).parents[2] / "annotations" / "pages"
MODULES = (
    "ancestors", "groups", "regions", "paths", "center", "surroundings", "class_groups",
    "relations",
)  # fmt: skip
NAMES = (
    "comment post-body modal fade related x =fade Comments commentList commentlistX role".split()
)


def features_of(*entries):
    chosen = from_config(entries)
    assert all(feature.kernel is not None for feature in chosen.features)
    return chosen


@pytest.fixture(scope="module")
def shipped():
    return features_of(*MODULES)


def differing(chosen, table):
    """Names of the columns of which a cell differs, both ways."""
    compiled = all_values(chosen, table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", None)
        # A table of its own, with no column computed.
        pure = chosen(replace(table))
    with np.errstate(over="ignore"):
        wanted = [np.asarray(pure[column.name]).astype(np.float32) for column in chosen.columns]
    return {
        column.name
        for column, row, values in zip(chosen.columns, compiled, wanted, strict=True)
        if (row.view(np.uint32) != values.view(np.uint32)).any()
    }


def pages_of_table(pages, chosen, split="block"):
    return parse_pages(pages, split, attributes=chosen.attributes)


@pytest.mark.parametrize("split", ["block", "tag"])
def test_annotated_pages(shipped, split):
    files = sorted(PAGES.glob("*.html"))
    assert files
    for first in range(0, len(files), 12):
        pages = [file.read_bytes() for file in files[first : first + 12]]
        assert differing(shipped, pages_of_table(pages, shipped, split)) == set()


@given(some.batch())
@hypothesis_settings(max_examples=40)
def test_random_pages(shipped, pages):
    assert differing(shipped, pages_of_table(pages, shipped)) == set()


PARTS = (
    "<p>", "<div>", "</div>", "<ul>", "<li>", "</ul>", "<nav>", "</nav>", "<table><tr><td>", "<h2>",
    "</h2>", "<article>", "</article>", "<a href=x>", "</a>", "<img>", "<input>", "Bees 1999 ",
    "$ 5 ", "5 € ", "12 Comments", "Read more", "Ann says:", "one two three four five six seven ",
    "[...]", "(…)", "Příspěvky v diskuzi", "ΌΣΟΣ", "We use cookies on this site", "x y z " * 30,
    "<section>", "<picture>", "<br>", "<main>", "<p hidden>", "<p style='display : NONE'>",
)  # fmt: skip


@st.composite
def crowded_page(draw):
    """Many small parts, many of which names and phrases are about."""
    name = st.lists(st.sampled_from(NAMES), max_size=3).map(" ".join)
    kind = st.sampled_from(("class", "id", "role", "itemprop", "itemtype"))
    named = st.builds(lambda key, value: f"<div {key}='{value}'>", kind, name)
    parts = draw(st.lists(st.one_of(st.sampled_from(PARTS), named), max_size=40))
    return "".join(parts).encode()


@given(st.lists(crowded_page(), max_size=3), st.sampled_from(("block", "tag")))
@hypothesis_settings(max_examples=60)
def test_crowded_pages(shipped, pages, split):
    assert differing(shipped, pages_of_table(pages, shipped, split)) == set()


def test_other_parameters(tmp_path):
    words = tmp_path / "words.yaml"
    words.write_text("groups:\n  bees: [bee, '=x !role=main', bees hive]\n")
    chosen = features_of(
        {"ancestors": {"names": ["td", "no-such-element", "div"]}},
        {"class_groups": {"lists": str(words)}},
    )
    assert len(chosen.columns) == 6 + 10 + 3 + 3
    page = "<div class='bee hive'><p>Bees<table><td>fly</table><p class=x role=main>hive</div>"
    assert differing(chosen, pages_of_table([page.encode()], chosen)) == set()


def test_counts_beyond_16_bits_run_into_one_another_in_both(shipped):
    page = b"<div><div><p>a" + b"<img>" * 65_540 + b"<p>b"
    assert differing(shipped, pages_of_table([page], shipped)) == set()


def test_distances_end(shipped):
    page = b"<nav>a</nav><h2>b</h2>" + b"<p>1999 c" + b"<p>d d d d d d d d d" * 300 + b"<nav>e"
    assert differing(shipped, pages_of_table([page, b"", page], shipped)) == set()
