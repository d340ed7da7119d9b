"""The file: what it says, that nothing of a page can act in it, and how large it gets."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.errors import CorpusError
from victor.evaluation.report import write_report
from victor.evaluation.report.contents import data_hash
from victor.evaluation.report.drawings import printable
from victor.training.dataset import PageInfo

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


@pytest.fixture(scope="module")
def hostile(make, tmp_path_factory):
    """Every string that comes from outside is hostile."""
    pages = []
    for number, nasty in enumerate(HOSTILE):
        blocks = [
            (nasty, Label.TEXT, 0.9, nasty, nasty),
            *[(nasty, Label.OTHER, 0.9, "p", nasty)] * 5,
            (nasty * 1000, Label.OTHER, 0.1, "p", nasty),
        ]
        pages.append((PageInfo(f"{number}{nasty}", nasty, nasty, nasty, nasty), blocks))
    systems = [make(pages, system=nasty) for nasty in HOSTILE]
    folder = tmp_path_factory.mktemp("hostile")
    return write_report(folder / "new" / "folder", systems, title=HOSTILE[0])


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
    named = write_report(tmp_path, [replace(by_chance[0], pages=pages)], date="2026-11-22")
    assert "<title>Victor on news, forums, a &amp; b, 2026-11-22</title>" in named.read_text()
    unnamed = write_report(tmp_path, by_chance)
    assert "<title>Victor on annotated pages</title>" in unnamed.read_text()


def test_one_measure_of_thresholds_is_shown_and_the_others_unfold(text):
    section = text[text.index('id="points"') : text.index('id="scores"')]
    folded = re.findall(r'<details class="more">.*?</details>', section, re.DOTALL)
    systems = section.count("by other measures</summary>")
    assert len(folded) == systems >= 1
    assert [part.count("<table") for part in folded] == [2] * systems
    assert section.count("<table") == 3 * systems
    assert "Words, mean of pages; area under the curve" in section.partition("<details")[0]


def test_the_policy_allows_our_style_and_pictures_in_the_file(text):
    (policy,) = [
        value for _, _, value in Elements(text).attributes if "default-src" in (value or "")
    ]
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.split("; ")[:3] == [
        "default-src 'none'", f"style-src 'sha256-{digest}'", "img-src data:",
    ]  # fmt: skip


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


def test_hostile_strings_are_text(hostile):
    text = hostile.read_text(encoding="utf-8")
    found = Elements(text)
    assert not {"script", "b"} & {*found.tags}
    assert found.tags.count("img") == 4, "the drawings"
    assert not [name for _, name, _ in found.attributes if name.startswith("on")]
    assert "{{ 7 * 7 }}" in text, "texts are no templates"
    assert not re.search("[\0\x1b\ud800-\udfff\uffff]", text)
    assert found.tags.count("details") == text.count("</details>")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc\r", "a\tb\nc\r"),
        ("\0\x9f", "\ufffd\ufffd"),
        ("\ud83d😀", "\ufffd😀"),
        ("é今", "é今"),
    ],
)
def test_printable(text, shown):
    assert printable(text) == shown


def test_a_corpus_without_gold_texts_has_a_block_curve(by_chance, tmp_path):
    (system, _) = by_chance
    bare = replace(system, pages=tuple(replace(page, gold=None) for page in system.pages))
    text = write_report(tmp_path, [bare]).read_text(encoding="utf-8")
    assert re.findall(r'alt="Precision over recall, (.*?)"', text) == ["Blocks"]


def test_a_single_page_has_no_intervals(make, tmp_path):
    blocks = [("a b", Label.TEXT, 0.1, "p", ""), ("c", Label.OTHER, 0.1, "p", "")]
    found = make([(PageInfo("a", "a", gold="a b"), blocks)])
    assert "nan" not in write_report(tmp_path, [found]).read_text(encoding="utf-8")


def test_a_system_that_never_errs(make, tmp_path):
    blocks = [("a b", Label.TEXT, 0.0, "p", ""), ("c", Label.OTHER, 1.0, "p", "")]
    found = make([(PageInfo("a", "a", gold="a b"), blocks)])
    assert write_report(tmp_path, [found]).is_file()


def test_a_new_report_replaces_the_old_one(by_chance, tmp_path):
    for title in ("old", "new"):
        write_report(tmp_path, by_chance[:1], title=title)
    assert [file.name for file in tmp_path.iterdir()] == ["index.html"]
    assert "<h1>new</h1>" in (tmp_path / "index.html").read_text(encoding="utf-8")


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
