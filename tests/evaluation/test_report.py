"""The file: what it says, which pages are the worst, and that nothing of a page can act in it."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from made_predictions import made

from victor.base.labels import UNLABELLED, Label
from victor.errors import CorpusError
from victor.evaluation.report import (
    MOST_CHARACTERS,
    MOST_PAGES,
    ScoredSystem,
    data_hash,
    worst_pages,
    write_report,
)
from victor.training.dataset import PageInfo

T, O = Label.TEXT, Label.OTHER  # noqa: E741
HOSTILE = (
    "</script><script>hacked = 1</script>",
    "<img src=x onerror='hacked = 1'>",
    '" onload="hacked=1\' &lt;b&gt;',
    "\0 \ud800 \udfff \uffff \x1b \r\n {{ 7 * 7 }} {% raw %}",
    "<!-- </style> ]]> </table></details></body>",
)


class Elements(HTMLParser):
    """Elements and attributes of a file."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]


@pytest.fixture(scope="module")
def text(by_chance_report):
    return by_chance_report.read_text(encoding="utf-8")


def test_the_file_names_what_was_measured(text, by_chance):
    for name in ("By chance", "first", "second", "by hand", "9.9", data_hash(by_chance[0])):
        assert name in text
    assert "below 0.5" in text


def test_title_and_date_say_which_report_it_is(by_chance, tmp_path):
    corpora = ["news"] * 3 + ["forums"] * 2 + ["a & b"]
    pages = tuple(
        replace(page, corpus=corpora[number % len(corpora)])
        for number, page in enumerate(by_chance[0].pages)
    )
    for date in ("2026-11-21", "2026-11-22"):
        path = write_report(tmp_path, [replace(by_chance[0], pages=pages)], date=date)
    assert "<title>Victor on news, forums, a &amp; b, 2026-11-22</title>" in path.read_text()
    assert [file.name for file in tmp_path.iterdir()] == ["index.html"]


def test_one_measure_of_thresholds_is_shown_and_the_others_unfold(text):
    section = text[text.index('id="points"') : text.index('id="scores"')]
    folded = re.findall(r'<details class="more">.*?</details>', section, re.DOTALL)
    assert [part.count("<table") for part in folded] == [2, 2]
    assert section.count("<table") == 6
    assert "Words, mean of pages; area under the curve" in section.partition("<details")[0]


def test_nothing_is_loaded_and_nothing_runs(text):
    found = Elements(text)
    assert not {"link", "script", "iframe", "object", "embed", "base", "form"} & {*found.tags}
    for _, name, value in found.attributes:
        assert name not in ("style", "action")
        assert not name.startswith("on")
        if name in ("src", "srcset"):
            assert value.startswith("data:image/svg+xml;base64,")
        if name == "href":
            assert value.startswith("#")
    (policy,) = [value for _, _, value in found.attributes if "default-src" in (value or "")]
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.split("; ")[:3] == [
        "default-src 'none'", f"style-src 'sha256-{digest}'", "img-src data:",
    ]  # fmt: skip


def test_hostile_strings_are_text(tmp_path):
    """Every string that comes from outside is hostile."""
    pages = []
    for number, nasty in enumerate(HOSTILE):
        blocks = [(nasty, T, 0.9), *[(nasty, O, 0.9)] * 5, (nasty * 1000, O, 0.1)]
        pages.append((PageInfo(f"{number}{nasty}", nasty, nasty, nasty, nasty), blocks))
    systems = [made(pages, system=nasty) for nasty in HOSTILE]
    path = write_report(tmp_path / "new" / "folder", systems, title=HOSTILE[0])
    text = path.read_text(encoding="utf-8")
    found = Elements(text)
    assert not {"script", "b"} & {*found.tags}
    assert found.tags.count("img") == 4, "the drawings"
    assert not [name for _, name, _ in found.attributes if name.startswith("on")]
    assert "{{ 7 * 7 }}" in text, "texts are no templates"
    assert not re.search("[\0\x1b\ud800-\udfff\uffff]", text)
    assert found.tags.count("details") == text.count("</details>")


def test_small_corpora(by_chance, tmp_path):
    bare = replace(by_chance[0], pages=tuple(replace(p, gold=None) for p in by_chance[0].pages))
    text = write_report(tmp_path, [bare]).read_text(encoding="utf-8")
    assert re.findall(r'alt="Precision over recall, (.*?)"', text) == ["Blocks"]
    for other in (0.1, 0.0):  # a single page has no intervals, and a system may never err
        found = made([("a b", [("a b", T, other), ("c", O, 1 - other)])])
        assert "nan" not in write_report(tmp_path, [found]).read_text(encoding="utf-8")


def test_nothing_to_report_on(by_chance, tmp_path):
    with pytest.raises(CorpusError, match="give the predictions"):
        write_report(tmp_path, [])
    labels = np.full_like(by_chance[0].labels, UNLABELLED)
    with pytest.raises(CorpusError, match="no block of first has a gold label"):
        write_report(tmp_path, [replace(by_chance[0], labels=labels)])


def test_the_data_hash_sees_ids_labels_and_pages(by_chance):
    first, second = by_chance
    assert data_hash(first) == data_hash(second), "marginals are no data"
    labels = first.labels.copy()
    labels[0] = Label.HEADER
    pages = (replace(first.pages[0], id="another"), *first.pages[1:])
    starts = first.page_starts.copy()
    starts[1] += 1
    others = [replace(first, labels=labels), replace(first, pages=pages)]
    others.append(replace(first, page_starts=starts))
    assert len({data_hash(found) for found in (first, *others)}) == 4


# --- the worst pages ------------------------------------------------------------------------------


def page(name, *blocks, gold=None):
    return PageInfo(name, name, gold=gold), blocks


def worst(*systems):
    """The worst pages of systems, each given as its pages."""
    names = ("one", "two", "three")
    return worst_pages(
        [
            ScoredSystem(made(pages, system=name))
            for name, pages in zip(names, systems, strict=False)
        ]
    )


def test_the_worst_page_is_that_of_the_highest_loss():
    pages = [
        page("fine", ("a b", T, 0.1), ("c", O, 0.9), gold="a b"),
        page("half", ("a b", T, 0.1), ("c d", T, 0.9), ("x", UNLABELLED, 0.1), gold="a b c d"),
        page("none", ("menu", O, 0.1), ("a b", T, 0.9), ("head", Label.HEADER, 0.9)),
        page("gold text is elsewhere", ("a b", T, 0.1), gold="not on the page"),
    ]
    found = worst(pages)
    assert [(each["info"].id, each["title"]) for each in found] == [
        ("none", "head"),
        ("half", "a b"),
    ]
    assert [each["reachable"] - each["score"].f1 for each in found] == pytest.approx([1.0, 1 / 3])
    assert [(each["lost"], each["wrongly_kept"]) for each in found] == [(3, 1), (2, 0)]


def test_runs_of_rightly_dropped_blocks_are_folded():
    runs = [("x y", O, 0.9)] * 4 + [("lost", T, 0.9)] + [("x", O, 0.9)] * 3 + [("kept", O, 0.1)]
    (found,) = worst([page("a", *runs, gold="lost")])
    assert [(run["is_folded"], len(run["rows"]), run["words"]) for run in found["runs"]] == [
        (True, 4, 8), (False, 1, 1), (False, 3, 3), (False, 1, 1),
    ]  # fmt: skip
    assert [row["number"] for run in found["runs"] for row in run["rows"]] == [*range(9)]


def test_a_block_that_another_system_keeps_is_not_folded():
    blocks = [("x", O, 0.9)] * 9 + [("lost", T, 0.9)]
    other = [*blocks[:4], ("x", O, 0.1), *blocks[5:]]
    (found,) = worst(*([page("a", *own, gold="lost")] for own in (blocks, other)))
    assert found["systems"] == ["one", "two"]
    assert [run["is_folded"] for run in found["runs"]] == [True, False, True, False]
    assert [cell["kept"] for cell in found["runs"][1]["rows"][0]["cells"]] == [False, True]


def test_a_system_with_other_blocks_has_no_column():
    (found,) = worst(
        [page("a", ("lost one", T, 0.9), gold="lost one")],
        [page("a", ("lost", T, 0.9), ("one", T, 0.9), gold="lost one")],
        [page("b", ("lost one", T, 0.9), gold="lost one")],
    )
    assert found["systems"] == ["one"]


def test_what_is_shown_is_bounded():
    long = "word " * 10_000
    sizes = {"long": 60, "many": 5_000}
    pages = [
        page("long", *[(long, T, 0.9)] * 60, gold=long * 60),
        page("many", *[("lost", T, 0.9)] * 5_000, gold="lost " * 5_000),
        *(page(f"more {number}", ("lost", T, 0.9), gold="lost") for number in range(40)),
    ]
    found = worst(pages)
    assert len(found) == MOST_PAGES
    assert len(found[0]["runs"][0]["rows"][0]["text"]) == MOST_CHARACTERS
    for each in found:
        rows = [row for run in each["runs"] for row in run["rows"]]
        assert len(rows) <= 500
        assert sum(len(row["text"]) for row in rows) <= 110_000
        assert len(rows) + each["omitted"] == sizes.get(each["info"].id, 1)
