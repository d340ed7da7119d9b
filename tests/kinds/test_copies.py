"""Hidden copies: whichever element is copied, and however the copy is hidden, the text is the same.

Single pages of each rule are in tests/cases/copies.
"""

import itertools
import random

import pytest

from tests.rows import tables
from victor.api import CleanerSpec
from victor.config.schema import Scope

ROWS = tables(__file__)
NOUNS, VERBS, WHERE = ROWS["nouns"], ROWS["verbs"], ROWS["where"]
MENU = '<nav><a href="/a">Home</a> <a href="/b">News</a> <a href="/c">About</a></nav>'


def sentence(rng):
    """One that hardly ever comes twice."""
    first, second, third = rng.sample(NOUNS, 3)
    told = f"the {first} {rng.choice(VERBS)} the {second} of the {third} {rng.choice(WHERE)}"
    return f"In {rng.randrange(1500, 2000)} {told}, and {rng.randrange(2, 99)} people saw it."


def elements(seed):
    """Elements of a text: paragraphs, a heading, a list and a quotation."""
    rng = random.Random(seed)
    parts = [f"<p>{' '.join(sentence(rng) for _ in range(4))}</p>" for _ in range(6)]
    parts.insert(2, f"<h2>What the {rng.choice(NOUNS)} of {rng.randrange(1000, 9999)} saw</h2>")
    items = "".join(f"<li>{sentence(rng)}</li>" for _ in range(3))
    parts[5:5] = f"<ul>{items}</ul>", f"<blockquote><p>{sentence(rng)}</p></blockquote>"
    return parts


def page(parts):
    """A page of some elements between a menu and a footer."""
    text = "\n".join(parts)
    head = "<!DOCTYPE html><title>What the people saw</title>"
    return f"{head}{MENU}<main>{text}</main><footer>© 2026 The Letter</footer>".encode()


@pytest.fixture(scope="module")
def cleaner():
    return CleanerSpec().cleaner()


@pytest.mark.parametrize("hiding", ROWS["hiding"])
def test_hidden_copy_of_any_element_changes_nothing(cleaner, hiding):
    for seed in range(3):
        parts = elements(seed)
        expected = cleaner.clean(page(parts)).text
        places = itertools.product(range(len(parts)), (0, 1, len(parts)))
        pages = [
            page([*parts[: n + after], hiding.format(parts[n]), *parts[n + after :]])
            for n, after in places
        ]
        for made in cleaner.clean_many(pages):
            assert made.text == expected


def test_each_of_many_posts_stands_once(cleaner):
    rng = random.Random(7)
    posts = [f"<p>{sentence(rng)} {sentence(rng)}</p>" for _ in range(120)]
    hidden = page([f'<div class="post"><div hidden>{post}</div>{post}</div>' for post in posts])
    shown = page([f'<div class="post">{post}</div>' for post in posts])
    assert cleaner.clean(hidden).text == cleaner.clean(shown).text


def test_selectors_have_the_last_word(cleaner):
    parts = elements(2)
    copied = page([*parts, f'<div id="copy" hidden>{parts[0]}</div>'])
    text = cleaner.clean(copied).text
    chosen = CleanerSpec(scope=Scope(keep=("#copy",))).cleaner().clean(copied).text
    assert chosen.count("people saw it") == text.count("people saw it") + 4
