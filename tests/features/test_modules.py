"""What no table of rows can say of a module: long pages, lists of the user, time, comparison.

What modules measure on small pages stands in `tests/cases/features`.
"""

import logging
from itertools import product

import pytest

from victor import features
from victor.page.parsing.tags import NAMES, SPLITTING
from victor.page.table.segment import parse_pages


def measured(name, *pages, **parameters):
    """The columns of the blocks of some pages, cut at every tag."""
    return features.load(name, **parameters)(parse_pages(pages, "tag"))


def test_tags_and_classes_are_told_apart():
    """Numbers of tags must not be mixed up with numbers of classes."""
    names = ["p", *sorted(SPLITTING & {"article", "aside", "blockquote", "center", "dir", "div"})]
    page = "".join(f"<{name} class=c{i}>x</{name}>" for i in range(len(NAMES)) for name in names)
    assert set(measured("paths", page)["path-class.count"].tolist()) == {1}


def test_far_away_is_far_away():
    values = measured("headings", "<h1>a</h1>" + "<p>b</p>" * 400)
    assert values["heading.since"].tolist() == [*range(255), *[255] * 146]
    assert values["offset.h1"].max() == 255


HIDDEN = (
    *("modal fade", "screen-reader-text", "visually-hidden", "d-none", "d-none p-4", "is-hidden"),
    *("panel-collapse collapse", "tab-pane fade", "sr-only", "offscreen"),
)
SHOWN = (
    *("collapse show", "collapse in", "collapse navbar-collapse", "d-none d-md-block", "collapsed"),
    *("hidden lg:flex", "hidden-xs", "modal fade show", "modal fade in", "tab-pane fade active"),
    *("hide show", "overflow-hidden", "not-sr-only", "invisible md:visible"),
)


def test_what_is_shown_is_not_hidden(tmp_path):
    """The group hidden has a column where a file names it."""
    file = tmp_path / "names.yaml"
    file.write_text("groups: {hidden: []}", encoding="utf-8")
    page = "".join(f"<div class='{names}'>x</div>" for names in HIDDEN + SHOWN)
    values = measured("class_groups", page, lists=str(file))
    assert values["class.hidden"].tolist() == [2] * len(HIDDEN) + [0] * len(SHOWN)


def test_a_list_of_the_user_adds_names_and_groups(tmp_path):
    file = tmp_path / "names.yaml"
    file.write_text("groups: {comment: [leserpost], recipe: [=hrecipe]}\n", encoding="utf-8")
    page = "<p class=hrecipe>a<p class=leserpost>b<p class=comment>c"
    values = measured("class_groups", page, lists=[str(file)])
    assert values["class.recipe"].tolist() == [2, 0, 0]
    assert values["class.comment"].tolist() == [0, 2, 2]
    assert "class.hidden" not in values


def test_an_expression_that_takes_too_long_leaves_the_page(caplog):
    """What it found before stands, other pages and other expressions are searched as ever."""
    slow = r"(?:a|aa|aaa)+$"
    trap = "a" * 400 + "b"
    pages = (f"<p>aa<p>{trap}<p>aa", "<p>aa")
    with caplog.at_level(logging.WARNING):
        values = measured("regexps", *pages, timeout=0.02, letters=[slow, "aa"])
    assert values["regexp.letters"].tolist() == [1, 2, 2, 1]
    assert "ran out of time" in caplog.text


@pytest.mark.parametrize("text", ["letters", "words"])
def test_texts_that_differ_in_one_letter_are_no_duplicates(text):
    """Of any length and at any place: hashes of packed letters must not lose one."""
    base = "abcdefghijklmnopqrstuvwxy"
    variants = [base[:length] for length in range(1, 26)]
    variants += [base[:place] + "z" + base[place + 1 :] for place in range(25)]
    # Every fourth letter fills the upper bits of a word of the hash.
    variants += [f"abc{x}efg{y}ijk{z}" for x, y, z in product(base, base, base)]
    variants = list(dict.fromkeys(variants))
    values = measured("duplicates", "<p>".join(variants), text=text)
    assert values["duplicate-count"].tolist() == [1] * len(variants)
