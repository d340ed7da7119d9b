"""Context features: links, ancestors, regions, paths, headings, centre, words.

Every measure is computed a second time, block by block and element by element in plain Python, from
the parts of the table that `tests/blocks` holds against the markup itself.
"""

import re

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor import features
from victor.page.parsing import characters as ch
from victor.page.parsing.events import record
from victor.page.parsing.tags import NAMES, SPLITTING
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

quick = settings(max_examples=20, deadline=None, derandomize=True)


def both_splits():
    return pytest.mark.parametrize("split", ["tag", "block"])


def drawn(data, split):
    return segment(record(data.draw(strategies.batch())), split)


def check(name, table, expected, **params):
    """The columns of a module are those expected, each a list."""
    values = features.load(name, **params)(table)
    for column, wanted in expected.items():
        np.testing.assert_allclose(values[column], wanted, atol=1e-9, err_msg=column)


class TestWords:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("The old Bee is in it", {"count": 6, "capital-rel": 2 / 6, "short-rel": 4 / 6}),
            ("ab abc abcd Ab a1 12 _x", {"count": 7, "short-rel": 2 / 7}),
            ("12 ab 3", {"digit-rel": 3 / 5}),
            ("one, two; (three)... four!", {"punct-rel": 3 / 4}),
            ("... ?", {"count": 0, "punct-rel": 2, "digit-rel": 0}),
            ("東京 a", {"count": 3}),
        ],
    )
    def test_shares(self, measured, text, expected):
        values = measured("words", text)
        found = {name: values[f"word.{name}"].tolist() for name in expected}
        assert found == {name: [pytest.approx(value)] for name, value in expected.items()}

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("word", 0), ("12", 0), ("東", 0), ("end.", 1), ("Why?", 1), ("so…", 1), ("end。", 1),
            ("so,", 2), ("so:", 2), ("end)", 3), ("»", 3), ("x.\u00ad", 1),
        ],
    )  # fmt: skip
    def test_last_character(self, measured, text, kind):
        assert measured("words", text)["word.end"].tolist() == [kind]

    @pytest.mark.slow
    @both_splits()
    @quick
    @given(data=st.data())
    def test_against_counting(self, split, data):
        self.check_by_counting(drawn(data, split))

    def test_a_joiner_after_a_digit_is_no_digit(self):
        self.check_by_counting(segment(record(["0\u00ad the 5\u00ad".encode()])))

    def check_by_counting(self, table):
        expected = {name: [] for name in ("count", "capital-rel", "digit-rel")}
        for text in block_texts(table):
            classes = [int(ch.class_table()[ord(c)]) for c in text]
            joined = classes.copy()  # a joiner is of the class before it, in tokens only
            for at, kind in enumerate(joined):
                joined[at] = joined[at - 1] if kind == ch.JOINER else kind
            marks = "".join(map(" luCiDwepy".__getitem__, joined))
            words = re.findall("i|[luCDw]+", marks)
            expected["count"].append(len(words))
            capital = sum(word[0] == "u" for word in words)
            expected["capital-rel"].append(capital / max(len(words), 1))
            visible = sum(kind != ch.SPACE for kind in classes)
            expected["digit-rel"].append(sum(kind == ch.DIGIT for kind in classes) / visible)
        check("words", table, {f"word.{name}": found for name, found in expected.items()})


class TestLinks:
    def test_density(self, measured):
        page = "<p>see <a>this link</a> now<p><a>all of it</a><p>nothing<p>-"
        values = measured("links", page, split="block")
        assert values["link.density"].tolist() == [0.5, 1, 0, 0]
        assert values["link.free-words"].tolist() == [2, 0, 1, 0]

    def test_windows_stop_at_page_ends(self, measured):
        values = measured("links", "<p>a b<p>c<p><a>d</a>", "<p>e f g h")
        assert values["window.text-1"].tolist() == [1.5, 1, 0.5, 4]


class TestAncestors:
    def test_flags(self, measured):
        page = "<nav>a</nav><article><ul><li>b</ul><h2>c</h2></article><form><label>d"
        names = ("nav", "article", "ul", "form")
        values = measured("ancestors", page, names=names)
        flags = {name: values[f"inside.{name}"].tolist() for name in names}
        assert flags == {
            "nav": [True, False, False, False],
            "article": [False, True, True, False],
            "ul": [False, True, False, False],
            "form": [False, False, False, True],
        }
        assert values["heading.level"].tolist() == [0, 0, 2, 0]

    def test_names_can_be_chosen(self, measured):
        values = measured("ancestors", "<b>a</b>c", names=["b"])
        assert values["inside.b"].tolist() == [True, False]
        assert "inside.article" not in values

    def test_containers(self, measured):
        page = "<p>a<p><b>b</b><div>c</div><li>d<address>e</address><h1>f</h1><h6>g</h6>"
        codes = measured("ancestors", page)["container.tag"].tolist()
        assert codes[0] == codes[1]
        assert codes[4] == 0
        assert len(set(codes)) == len(codes) - 1

    def test_depth_is_that_of_the_container(self, measured):
        values = measured("ancestors", "x<div><span><p>a <i>b</i></p></span></div>")
        # #page, html, body; then div, span, p.
        assert values["element.depth"].tolist() == [2, 5, 5]


class TestRegions:
    def test_of_the_ancestors(self, measured):
        page = "<div><p>one two</p><p><a>three</a> four</p></div><p>five"
        values = measured("regions", page, split="block")
        assert values["ancestor-0.link"].tolist() == [0, 0.5, 0]
        assert values["ancestor-1.density"].tolist() == pytest.approx([3 / 2, 3 / 2, 4 / 3])
        assert values["ancestor-2.share"].tolist() == [1, 1, 1]
        assert values["ancestor-2.blocks"].tolist() == [3, 3, 3]
        assert values["ancestor-6.link"].tolist() == pytest.approx([1 / 5] * 3)

    def test_of_the_nearest_list(self, measured):
        page = "<ul><li>a b<li><a>c</a><li><ol><li>d</ol></ul><p>e<table><tr><td>f g h</table>"
        values = measured("regions", page)
        assert values["list.density"].tolist() == pytest.approx([4 / 3, 4 / 3, 1, 0, 3])


class TestPaths:
    def test_blocks_of_the_same_path(self, measured):
        page = "<ul><li class=a>1<li class='a b'>2<li class=c>3</ul><p>4<p>5"
        values = measured("paths", page, "<ul><li class=a>6</ul>")
        assert values["path.count"].tolist() == [3, 3, 3, 2, 2, 1]
        assert values["path-class.count"].tolist() == [2, 2, 1, 2, 2, 1]

    def test_the_first_block_of_a_path_below_several_parents(self, measured):
        posts = "<li><p>1<p>2</li><li><p>3</li>"
        values = measured("paths", "<h1>0</h1>", f"<h1>0</h1><ul>{posts}</ul>")
        assert values["path-class.first"].tolist() == [0, 0, 1, 1, 1]

    def test_the_blocks_of_one_parent_are_each_their_own_first(self, measured):
        values = measured("paths", "<h1>0</h1><div><p>1<p>2<p>3</div>")
        assert values["path-class.first"].tolist() == [0, 1, 2, 3]

    def test_inline_elements_do_not_count(self, measured):
        values = measured("paths", "<p>a<b class=x>b</b><i>c</i>")
        assert values["path-class.count"].tolist() == [3, 3, 3]

    @pytest.mark.parametrize("names", [" a", "a  b", "a\tb", "a\nb", "\n a b"])
    def test_the_first_class_counts(self, measured, names):
        values = measured("paths", f"<p class=a>1<p class='{names}'>2<p class='  '>3<p>4")
        assert values["path-class.count"].tolist() == [2, 2, 2, 2]

    def test_tags_and_classes_are_told_apart(self, measured):
        """Numbers of tags must not be mixed up with numbers of classes."""
        names = [
            "p",
            *sorted(SPLITTING & {"article", "aside", "blockquote", "center", "dir", "div"}),
        ]
        page = "".join(
            f"<{name} class=c{i}>x</{name}>" for i in range(len(NAMES)) for name in names
        )
        assert set(measured("paths", page)["path-class.count"].tolist()) == {1}


LONG = "word " * 20


class TestHeadings:
    def test_distances(self, measured):
        page = f"<p>a<h2>b</h2><p>c<p>{LONG}<h1>d</h1><h3>e</h3><p>{LONG}<p>f"
        values = measured("headings", page, "<p>g")
        assert values["heading.since"].tolist() == [255, 0, 1, 2, 0, 0, 1, 2, 255]
        assert values["heading.until"].tolist() == [1, 0, 2, 1, 0, 0, 255, 255, 255]
        assert values["heading.last-level"].tolist() == [0, 2, 2, 2, 1, 3, 3, 3, 0]
        assert values["offset.h1"].tolist() == [-4, -3, -2, -1, 0, 1, 2, 3, 999]
        assert values["offset.first-long"].tolist() == [-3, -2, -1, 0, 1, 2, 3, 4, 999]
        assert values["offset.last-long"].tolist() == [-6, -5, -4, -3, -2, -1, 0, 1, 999]

    def test_far_away_is_far_away(self, measured):
        page = "<h1>a</h1>" + "<p>b</p>" * 400
        values = measured("headings", page)
        assert values["heading.since"].tolist() == [*range(255), *[255] * 146]
        assert values["offset.h1"].max() == 255


class TestCenter:
    PAGE = (
        "<div><ul><li><a>Home</a><li><a>News</a></ul></div>"
        f"<div><h1>On bees</h1><p>{LONG}</p><p>{LONG}</p></div>"
        "<div><p>Copyright</p></div>"
    )

    def test_the_element_with_most_free_text(self, measured):
        values = measured("center", self.PAGE, "<p>x")
        assert values["center.inside"].tolist() == [False] * 2 + [True] * 3 + [False, True]
        assert values["center.steps"].tolist() == [1, 1, 0, 0, 0, 1, 0]
        assert values["center.share"].tolist()[:6] == pytest.approx([42 / 45] * 6)
        assert values["center.score"].tolist()[0] == pytest.approx(0.6 * 42 / 45)

    def test_links_are_no_text(self, measured):
        page = f"<div><a>{LONG}</a></div><p>some words"
        assert measured("center", page)["center.inside"].tolist() == [False, True]

    def test_a_page_without_words(self, measured):
        values = measured("center", "<p>-<p>*")
        assert values["center.score"].tolist() == [0, 0]

    def test_text_outside_of_all_elements_counts_once(self, measured):
        values = measured("center", "</html>some words")
        assert values["center.score"].max() <= 1
