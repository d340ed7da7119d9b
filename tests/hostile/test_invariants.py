"""What holds of any page, however it is written.

Every form says what the page says; a page gives the same alone, in a batch and in any order, the
second time as the first; marginals are probabilities.
"""

import json
import re
from html import unescape
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from lxml import etree, html

from tests.markup_strategies import pages as broken_pages
from tests.markup_strategies import random_page
from tests.strategies import page as plausible_pages
from victor.api import Cleaner, load_cleaner
from victor.kitten.normalize import normalize
from victor.labelers import LABELERS, build_labeler
from victor.render import RENDERERS

ROOT = Path(__file__).parents[2]
PARAGRAPH = "<p>Bees live in colonies, and each of these has one queen and many workers. "
ADDRESS = "https://example.org/a/b?c=d"
FORMS = [name for name in RENDERERS if name != "sentences"]
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
    return [path.read_bytes() for path in sorted(ROOT.glob("annotations/pages/*.html"))]


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


def kept_text(result):
    return "".join(block.text for block in result.blocks if block.kept)


def seen(result, forms=FORMS):
    """All that can be compared of a result."""
    written = {form: result.render(form) for form in forms}
    said = result.reason, result.p_no_content, result.page_type
    return *said, result.labels.tobytes(), result.marginals.tobytes(), written


def mutated(samples, count, seed):
    random = Random(seed)
    return [random_page(random, samples) for _ in range(count)]


# --- forms say what the page says ----------------------------------------------------------------


@given(PAGES)
@example(f"{PARAGRAPH}<table><tr><td>1<td>2<tr><td><td>3</table>".encode())
@example(f"{PARAGRAPH}<pre>a\n  b</pre><ul><li>one<ul><li>two</ul></ul>".encode())
def test_text_is_what_is_kept_of_the_page(cleaners, page):
    assume(not re.search(b"<math|math/tex", page, re.IGNORECASE))  # TeX stands for what is drawn
    for name in ("none", "default"):
        result = cleaners[name].clean(page)
        assert bare(result.text) == bare(kept_text(result))


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
    tei = etree.fromstring(result.render("tei", **shown).encode())
    etree.strip_elements(tei, "{*}figDesc", with_tail=False)  # what is said of a picture is no text
    assert letters(tei.find("{*}text").itertext()) == expected
    lines = result.render("cleaneval").splitlines()[1:]
    assert letters(unescape(line[3:]) for line in lines) == expected
    assert json.loads(result.render("json"))["text"] == result.text


@given(PAGES)
def test_records_are_the_blocks(cleaners, page):
    result = cleaners["default"].clean(page)
    head, *records = map(json.loads, result.render("records").split("\n")[:-1])
    assert head["blocks"] == len(records) == len(result.blocks)
    assert [record["text"] for record in records] == [block.text for block in result.blocks]


@given(PAGES)
def test_html_holds_the_kept_blocks_and_no_others(cleaners, page):
    result = cleaners["default"].clean(page)
    again = cleaners["none"].clean(result.html.encode())
    if "recovered" not in again.metadata:
        assert bare(kept_text(again)) == bare(kept_text(result))


@given(PAGES)
def test_no_form_holds_what_no_text_may(cleaners, page):
    result = cleaners["none"].clean(page, ADDRESS)
    for form in FORMS:
        assert not re.search("[\0\ud800-\udfff]", result.render(form)), form


# --- alone, in a batch, in any order, again ------------------------------------------------------


@settings(max_examples=25)
@given(st.lists(PAGES, min_size=2, max_size=4), st.sampled_from(SYSTEMS), st.randoms())
def test_a_batch_gives_what_its_pages_give_in_any_order(cleaners, batch, name, random):
    cleaner = cleaners[name]
    alone = [seen(cleaner.clean(page)) for page in batch]
    order = random.choice([*permutations(range(len(batch)))])
    together = [*cleaner.clean_many([batch[number] for number in order])]
    assert [seen(result) for result in together] == [alone[number] for number in order]


@pytest.mark.slow
@pytest.mark.parametrize("name", SYSTEMS)
def test_mutated_pages_in_batches(cleaners, samples, name):
    batch = mutated(samples, 60, seed=4)
    alone = [seen(cleaners[name].clean(page), ("text", "html", "markdown")) for page in batch]
    order = Random(5).sample(range(len(batch)), len(batch))
    together = [*cleaners[name].clean_many([batch[number] for number in order])]
    again = [seen(result, ("text", "html", "markdown")) for result in together]
    assert again == [alone[number] for number in order]


@given(PAGES)
def test_forms_are_the_same_the_second_time(cleaners, page):
    result = cleaners["default"].clean(page, ADDRESS)
    first = seen(result)
    assert seen(result) == first
    assert seen(cleaners["default"].clean(page, ADDRESS)) == first


@given(PAGES)
def test_what_is_normalized_stays(page):
    once = normalize(page).xhtml
    assert visible(normalize(once.encode()).xhtml) == visible(once)


# --- marginals -----------------------------------------------------------------------------------


@given(PAGES, st.sampled_from(SYSTEMS))
def test_marginals_are_probabilities(cleaners, page, name):
    marginals = cleaners[name].clean(page).marginals
    assert np.isfinite(marginals).all()
    assert (marginals >= 0).all()
    np.testing.assert_allclose(marginals.sum(axis=1), 1, atol=1e-9)
