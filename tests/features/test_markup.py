"""Containers, splits and groups: the features of tags."""

import pytest

from victor import features
from victor.errors import ConfigError


def flags(values, name):
    return values[name].astype(int).tolist()


# The paper's own example of groups: only direct descendants belong together.
NESTED = "<{0}>a{1}<{0}>b<p>c</{0}>{2}d{1}<{0}>e<p>f</{0}>{2}g</{0}>"
GROUPS = {"a": 3, "d": 3, "g": 3, "b": 2, "c": 2, "e": 2, "f": 2}


@pytest.mark.parametrize("split", ["tag", "block"])
@pytest.mark.parametrize(
    ("name", "opening", "closing"), [("div", "", ""), ("td", "<table><tr>", "</table>")]
)
def test_groups_of_the_paper(measured, split, name, opening, closing):
    page = opening + NESTED.format(name, opening, closing) + closing
    values = measured("groups", page, split=split)
    expected = [GROUPS[letter] / 7 for letter in "abcdefg"]
    assert values[f"{name}-group.word-ratio"].tolist() == pytest.approx(expected)
    assert values[f"document.max-{name}-group"].tolist() == pytest.approx([3 / 7] * 7)


def test_groups_end_with_the_page_and_leave_out_links(measured):
    outside = "one <a>two three</a><p>4 4 4"
    values = measured("groups", outside, "<div>one</div>two<div>three</div>four", outside)
    ratios = values["div-group.word-ratio"].tolist()
    thirds = [1 / 3] * 3
    assert ratios == pytest.approx([*thirds, 0.25, 0.5, 0.25, 0.5, *thirds])
    assert values["td-group.word-ratio"][3:7].tolist() == [1, 1, 1, 1]


def test_words_of_a_link_inside_a_block_do_not_count(measured):
    values = measured("groups", "<div>one <a>two three</a> four</div>five", split="block")
    assert values["div-group.word-ratio"].tolist() == pytest.approx([2 / 5, 1 / 5])


def test_containers_at_any_depth(measured):
    page = "<h2>a<i><u>b</u></i></h2><ul><li><p><a>c</a></ul>d<label>e</label><em>f</em><strong>g"
    values = measured("containers", page)
    assert flags(values, "container.class-header") == [1, 1, 0, 0, 0, 0, 0]
    assert flags(values, "container.class-italic") == [0, 1, 0, 0, 0, 1, 0]
    assert flags(values, "container.u") == [0, 1, 0, 0, 0, 0, 0]
    assert flags(values, "container.class-list") == [0, 0, 1, 0, 0, 0, 0]
    assert flags(values, "container.p") == [0, 0, 1, 0, 0, 0, 0]
    assert flags(values, "container.a") == [0, 0, 1, 0, 0, 0, 0]
    assert flags(values, "container.class-form") == [0, 0, 0, 0, 1, 0, 0]
    assert flags(values, "container.class-bold") == [0, 0, 0, 0, 0, 0, 1]


def test_alternative_text_stands_in_its_image(measured):
    values = measured("containers", "a<img alt='b c'>d", alt_text=True)
    assert flags(values, "container.img") == [0, 1, 0]
    assert flags(measured("containers", "a<img alt='b c'>d"), "container.img") == [0, 0]


@pytest.mark.parametrize(
    ("block", "inside"),
    [
        ("<a>one two</a> three", 1),
        ("one <a>two</a>", 1),
        ("one <a>two</a> three", 0),
        ("<a>one</a> two <a>three</a>", 1),
        ("<a>***</a> --", 1),
        ("*** <a>--</a>", 0),
    ],
)
def test_half_of_the_words_make_an_inline_container(measured, block, inside):
    values = measured("containers", f"<p>{block}</p>", split="block")
    assert flags(values, "container.a") == [inside]
    assert flags(values, "container.p") == [1]


def test_splits_begin_anew_on_every_page(measured):
    page = "<p>a</p><p><b>b</b></p>c<br><br>d<hr><div>e</div></div><table><tr><td>f"
    values = measured("splits", page, "<br>a<p>b")
    assert values["split.p"].tolist() == [1, 2, 1, 0, 0, 0, 0, 1]
    assert values["split.br"].tolist() == [0, 0, 0, 2, 0, 0, 1, 0]
    assert values["split.hr"].tolist() == [0, 0, 0, 0, 1, 0, 0, 0]
    # Of 2008's block tags are p, hr, div and td, but neither table nor tr.
    assert values["split.class-block"].tolist() == [1, 2, 1, 0, 2, 2, 0, 1]
    assert values["split.class-inline"].tolist() == [0, 1, 1, 2, 0, 0, 1, 0]


def test_a_void_element_counts_twice_as_in_the_original(measured):
    page = "a<br>b<br><br>c<hr>d<img alt='e'>f"
    once = measured("splits", page, alt_text=True)
    twice = measured("splits", page, alt_text=True, void_twice=True)
    assert once["split.br"].tolist() == [0, 1, 2, 0, 0, 0]
    assert twice["split.br"].tolist() == [0, 2, 4, 0, 0, 0]
    assert twice["split.hr"].tolist() == [0, 0, 0, 2, 0, 0]
    # The image opens before its text and closes after it, which is never more than two tags.
    assert once["split.class-inline"].tolist() == [0, 1, 2, 0, 1, 0]
    assert twice["split.class-inline"].tolist() == [0, 2, 4, 0, 1, 1]


def test_splits_of_blocks_that_hold_inline_tags(measured):
    values = measured("splits", "<p>a <b>b</b> c</p><p><i>d</i> <br> e</p>f", split="block")
    assert values["split.class-inline"].tolist() == [0, 1, 0]
    assert values["split.p"].tolist() == [1, 2, 1]


def test_position_and_sizes_are_those_of_the_page(measured):
    values = measured("document", "<p>One. Two!<p>3 x<p>4<p>?", "", "<p>a b", split="block")
    assert values["position"].tolist() == [0, 0.25, 0.5, 0.75, 0]
    assert values["document.word-count"].tolist() == [3] * 4 + [2]
    assert values["document.sentence-count"].tolist() == [3] * 4 + [0]
    assert values["document.block-count"].tolist() == [4] * 4 + [1]


def test_classes_of_todays_elements(measured):
    page = "<form><select><option>a</select></form><section>b</section><article>c</article>"
    of_2008 = measured("containers", page)
    assert not of_2008["container.class-form"].any()
    values = measured(
        "containers", page, classes={"form": ["form"], "part": ["section", "article"]}
    )
    assert flags(values, "container.class-form") == [1, 0, 0]
    assert flags(values, "container.class-part") == [0, 1, 1]
    assert [*of_2008] == [*values][:-1]
    assert measured("splits", page)["split.class-block"].tolist() == [0, 0, 0]
    block = measured("splits", page, classes={"block": ["form", "section", "article"]})
    assert block["split.class-block"].tolist() == [1, 2, 2]


@pytest.mark.parametrize("module", ["containers", "splits"])
@pytest.mark.parametrize(
    ("classes", "message"),
    [
        ({"form": ["from"]}, ": form: no element is named 'from', did you mean form?"),
        ({"form": [3]}, ": form: no element is named 3"),
        ({"form": "form"}, ": form: want element names, e.g. [form], got 'form'"),
        ({"form": []}, ": form: want element names, e.g. [form], got []"),
        ([3], ": want {CLASS: [ELEMENT, ...]}, got [3]"),
        ({"{a,b}": ["p"]}, ": a class is named e.g. form, got '{a,b}'"),
    ],
)
def test_classes_that_are_none(module, classes, message):
    with pytest.raises(ConfigError) as refusal:
        features.load(module, classes=classes)
    assert str(refusal.value).startswith(f"{module}: classes{message}")
