"""The file: what it says, which pages are the worst, and that nothing of a page can act in it."""

import base64
import hashlib
import re
from dataclasses import replace

import numpy as np
import pytest
from made_predictions import made
from markup_elements import Elements

from victor.base.labels import UNLABELLED, Label
from victor.errors import CorpusError
from victor.evaluation.report import (
    MOST_CHARACTERS,
    MOST_PAGES,
    ScoredSystem,
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


@pytest.fixture(scope="module")
def text(by_chance_report):
    return by_chance_report.read_text(encoding="utf-8")


def test_a_single_page_of_a_corpus_without_gold_texts(tmp_path):
    """It has no intervals, and one measure; the title names its corpus."""
    info = PageInfo("p", "p", corpus="a & b")
    found = made([(info, [("a b", T, 0.0), ("c", O, 1.0)])])
    (tmp_path / "index.html").write_text("an old report")
    text = write_report(tmp_path, [found], date="2026-11-22").read_text(encoding="utf-8")
    assert "<title>Victor on a &amp; b, 2026-11-22</title>" in text
    assert re.findall(r'alt="Precision over recall, (.*?)"', text) == ["Blocks"]
    assert "nan" not in text
    assert [file.name for file in tmp_path.iterdir()] == ["index.html"]


def test_nothing_is_loaded_and_nothing_runs(text):
    found = Elements(text)
    assert not {"link", "script", "iframe", "object", "embed", "base", "form"} & found.names
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
    systems = [made(pages, system=nasty) for nasty in HOSTILE[:2]]
    path = write_report(tmp_path / "new" / "folder", systems, title=HOSTILE[0])
    text = path.read_text(encoding="utf-8")
    found = Elements(text)
    assert not {"script", "b"} & found.names
    assert [name for name, _ in found.all].count("img") == 4, "the drawings"
    assert not [name for _, name, _ in found.attributes if name.startswith("on")]
    assert "{{ 7 * 7 }}" in text, "texts are no templates"
    assert not re.search("[\0\x1b\ud800-\udfff\uffff]", text)


def test_nothing_to_report_on(by_chance, tmp_path):
    with pytest.raises(CorpusError, match="give the predictions"):
        write_report(tmp_path, [])
    labels = np.full_like(by_chance[0].labels, UNLABELLED)
    with pytest.raises(CorpusError, match="no block of first has a gold label"):
        write_report(tmp_path, [replace(by_chance[0], labels=labels)])


# --- the worst pages ------------------------------------------------------------------------------


def page(name, *blocks, gold=None):
    return PageInfo(name, name, gold=gold), blocks


def worst(*systems):
    """The worst pages of systems, each given as its pages."""
    names = ("one", "two", "three")
    pairs = zip(names, systems, strict=False)
    return worst_pages([ScoredSystem(made(pages, system=name)) for name, pages in pairs])


def test_the_worst_page_is_that_of_the_highest_loss():
    pages = [
        page("fine", ("a b", T, 0.1), ("c", O, 0.9), gold="a b"),
        page("half", ("a b", T, 0.1), ("c d", T, 0.9), ("x", UNLABELLED, 0.1), gold="a b c d"),
        page("none", ("menu", O, 0.1), ("a b", T, 0.9), ("head", Label.HEADER, 0.9)),
        page("gold text is elsewhere", ("a b", T, 0.1), gold="not on the page"),
    ]
    found = worst(pages)
    named = [(each["info"].id, each["title"]) for each in found]
    assert named == [("none", "head"), ("half", "a b")]
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
    """A system that cuts the page into other blocks has no column."""
    blocks = [("x", O, 0.9)] * 9 + [("lost", T, 0.9)]
    other = [*blocks[:4], ("x", O, 0.1), *blocks[5:]]
    cut = [("x", O, 0.9), *other]
    (found,) = worst(*([page("a", *own, gold="lost")] for own in (blocks, other, cut)))
    assert found["systems"] == ["one", "two"]
    assert [run["is_folded"] for run in found["runs"]] == [True, False, True, False]
    assert [cell["kept"] for cell in found["runs"][1]["rows"][0]["cells"]] == [False, True]


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
        assert len(rows) == {"long": 100_000 // MOST_CHARACTERS, "many": 500}.get(
            each["info"].id, 1
        )
        assert len(rows) + each["omitted"] == sizes.get(each["info"].id, 1)
