"""What holds of any page, however it is written.

Every form says what the page says; a page gives the same alone, in a batch and in any order, the
second time as the first, to the bit. The slow tests mutate 3,000 pages of our own, or of a folder:

    PAGES=FOLDER pytest -m "" tests/hostile/test_invariants.py -k mutated
"""

import json
import os
import re
from html import unescape
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hostile.zoo import ALL
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree, html
from targets import page as target

from tests.markup_strategies import mutated
from tests.markup_strategies import pages as broken_pages
from tests.strategies import page as plausible_pages
from victor import Source
from victor.api import Cleaner, load_cleaner
from victor.errors import PageError
from victor.kitten.normalize import normalize
from victor.labelers.labeler import LABELERS, build_labeler
from victor.render.forms import FORMS

ROOT = Path(__file__).parents[2]
PARAGRAPH = "<p>Bees live in colonies, and each of these has one queen and many workers. "
ADDRESS = "https://example.org/a/b?c=d"
BATCH, BATCHES = 30, 100
"""Mutated pages: the first batch is met at every run of the tests."""
FORMS = [name for name in FORMS if name != "sentences"]
PAGES = st.one_of(plausible_pages(), broken_pages())
SYSTEMS = ["default", *LABELERS]


@pytest.fixture(scope="module")
def cleaners():
    """The default model, every labeler without a model, and one that keeps all."""
    return {
        "default": load_cleaner(),
        **{name: Cleaner(build_labeler(name)) for name in LABELERS},
    }


@pytest.fixture(scope="module")
def samples():
    """Pages to mutate."""
    if folder := os.environ.get("PAGES"):
        return [path.read_bytes() for path in sorted(Path(folder).rglob("*.html"))]
    files = [*ROOT.glob("annotations/pages/*.html"), *ROOT.glob("tests/golden/*/*.html")]
    return [
        *(path.read_bytes() for path in sorted(files)),
        *(each.small(4000) for each in [*ALL.values()][::6]),
    ]


def bare(text):
    """The characters of a text but space, however it is spelt, and what nobody sees."""
    return re.sub(r"[\s\xad\u200b-\u200f\u2060\ufeff\x00-\x1f\x7f-\x9f]+", "", text)


def letters(texts):
    """The letters and digits of some texts, for forms that separate and mark words otherwise."""
    return re.sub(r"[\W_]+", "", "".join(texts))


def visible(xhtml):
    """The text of normalized markup but scripts and style sheets, whose texts are not escaped."""
    outside = "not(ancestor::*[local-name() = 'script' or local-name() = 'style'])"
    return bare("".join(etree.fromstring(xhtml.encode()).xpath(f"//text()[{outside}]")))


def seen(result, forms=FORMS):
    """All that can be compared of a result."""
    said = result.reason, result.p_no_content, result.page_type, result.encoding, repr(result)
    blocks = [
        (block, block.id, block.headings, block.xpath, block.row, block.column,
         block.text_range, block.links)
        for block in result.blocks
    ]  # fmt: skip
    found = repr((dict(result.metadata), result.posts, result.schema_org, result.missing_headline))
    arrays = result.labels.tobytes(), result.marginals.tobytes()
    return *said, *arrays, found, repr(blocks), {form: written(result, form) for form in forms}


def written(result, form):
    """A form, or why there is none."""
    try:
        return result.render(form)
    except PageError as error:
        return error.reason


# --- forms say what the page says ----------------------------------------------------------------


@given(PAGES, st.sampled_from(SYSTEMS))
@example(f"{PARAGRAPH}<table><tr><td>1<td>2<tr><td><td>3</table>".encode(), "none")
@example(f"{PARAGRAPH}<pre>a\n  b</pre><ul><li>one<ul><li>two</ul></ul>".encode(), "none")
def test_what_holds_of_every_result(cleaners, page, name):
    target.check(cleaners[name].clean(page))


@given(PAGES)
def test_a_form_has_the_words_of_the_text(cleaners, page):
    result = cleaners["none"].clean(page, ADDRESS)
    expected = letters([result.text])
    shown = {"headline": False, "posts": False}
    article = html.fromstring(result.render("article", **shown) or "<p>")
    body = article.find(".//article")
    for about in article.find_class("about"):  # what is known of the page
        about.drop_tree()
    assert letters((article if body is None else body).itertext()) == expected
    lines = result.render("cleaneval").splitlines()[1:]
    assert letters(unescape(line[3:]) for line in lines) == expected
    assert json.loads(result.render("json"))["text"] == result.text
    head, *records = map(json.loads, result.render("records").split("\n")[:-1])
    assert head["blocks"] == len(records)
    assert [record["text"] for record in records] == [block.text for block in result.blocks]


@given(PAGES)
def test_html_holds_the_kept_blocks_and_no_others(cleaners, page):
    result = cleaners["default"].clean(page)
    again = cleaners["none"].clean(result.html.encode())
    if "recovered" not in again.metadata:
        kept = [[block.text for block in each.blocks if block.kept] for each in (again, result)]
        assert bare("".join(kept[0])) == bare("".join(kept[1]))


# --- alone, in a batch, in any order, again ------------------------------------------------------


@settings(max_examples=15)
@given(st.lists(PAGES, min_size=2, max_size=4), st.sampled_from(SYSTEMS), st.randoms())
def test_a_batch_gives_what_its_pages_give_in_any_order(cleaners, batch, name, random):
    cleaner = cleaners[name]
    results = [cleaner.clean(page, ADDRESS) for page in batch]
    alone = [seen(result) for result in results]
    assert [seen(result) for result in results] == alone
    order = random.choice([*permutations(range(len(batch)))])
    together = cleaner.clean_many([Source(batch[number], ADDRESS) for number in order])
    assert [seen(result) for result in together] == [alone[number] for number in order]


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, BATCHES))]
)
def test_mutated_pages(cleaners, samples, part):
    random, cleaner = Random(part), cleaners[SYSTEMS[part % len(SYSTEMS)]]
    batch = [mutated(random, samples) for _ in range(BATCH)]
    alone = [one for page in batch for one in cleaner.clean_many([page])]
    for result in alone:
        assert result.reason != "failed", repr(result.error.__cause__)
        if result.error is None:
            target.check(result)
    expected = [seen(result) for result in alone]
    order = random.sample(range(BATCH), BATCH)
    together = [*cleaner.clean_many([batch[number] for number in order])]
    different = [n for n, one in zip(order, together, strict=True) if seen(one) != expected[n]]
    assert not different


@given(PAGES)
def test_what_is_normalized_stays(page):
    once = normalize(page).xhtml
    assert visible(normalize(once.encode()).xhtml) == visible(once)
