"""Every number and every exception in the rules of kinds: a page on each side of it.

The labels are written into the pages: blocks whose text begins with "Kept" are text, with "Header"
headers, all others are dropped. The block with the word "target" is the one looked at.
"""

import numpy as np
import pytest

from victor.base.labels import KIND_NAMES, Label
from victor.kinds.kinds import Kinds
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts


def label_of(text):
    by_start = {"Kept": Label.TEXT, "Header": Label.HEADER}
    return by_start.get(text.partition(" ")[0], Label.OTHER)


def kind_of(markup):
    """Kind of the one block that is the target."""
    table = parse_pages([markup], attributes=ATTRIBUTES)
    texts = block_texts(table)
    labels = np.array([label_of(text) for text in texts], dtype=np.uint8)
    (target,) = (row for row, text in enumerate(texts) if "target" in text.casefold())
    return KIND_NAMES[Kinds(table, labels).codes[target]]


def line(n_words, start="Target"):
    """A text of so many words that begins so."""
    words = start.split()
    return " ".join(words + ["word"] * (n_words - len(words)))


def prose(n_words):
    return f"<p>{line(n_words, 'Kept prose')}</p>"


def blocks(n):
    """Dropped blocks that are nothing."""
    return "<div>menu</div>" * n


def kept_target(n_words):
    return line(n_words, "Kept target")


TITLE = "<title>Bees on strike</title>"
HEADLINE = "<h1>Bees on strike</h1>"
HEAD = f"{TITLE}{HEADLINE}"
TEXT = prose(80)


@pytest.mark.parametrize(
    ("page", "at", "kind", "beyond", "other"),
    [
        # Comments and what belongs to them.
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<div class=comments><div>{line(n)}</div></div>",
            3, "other", 4, "comment", id="words-of-name-among-comments"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<div class=comments><p>{line(n, '3 May 2019 target')}</div>",
            12, "other", 13, "comment", id="words-of-date-among-comments"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<div class=comments><p class=author>{line(n)}</div>",
            12, "other", 13, "comment", id="words-of-author-among-comments"),
        pytest.param(
            lambda n: f"{HEAD}{prose(n)}<div class=comments><p>{kept_target(30)}</div>",
            10, "comment", 9, "text", id="words-before-kept-comments"),
    ],
)  # fmt: skip
def test_numbers(page, at, kind, beyond, other):
    assert (kind_of(page(at)), kind_of(page(beyond))) == (kind, other)


LONGER = "Target a b c d e f g"
DEEP = "<div><div><div>"
ARTICLE, SHORT = HEAD + TEXT, HEAD + prose(30)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        # Of two that are called comments, the one with the headline, in code or a menu is none.
        (f"{ARTICLE}<div class=comments><p>{LONGER}</div>", "comment"),
        (f"{ARTICLE}<div class=comments><nav><p>{LONGER}</nav></div>", "other"),
        (f"{ARTICLE}<nav><div class=comments><p>{LONGER}</div></nav>", "comment"),
        (f"{ARTICLE}<div class=comments><div class=menu><p>{LONGER}</div></div>", "other"),
        (f"{ARTICLE}<div class=reviews-list><p>{LONGER}</div>", "comment"),
        (f"{ARTICLE}<div class=comments><div class=related><p>{LONGER}</div></div>", "comment"),
        (f"{SHORT}<div class=comments><div class=related>{kept_target(12)}</div></div>", "comment"),
        (f"{SHORT}<div class=comments><div class=card><p>{kept_target(11)} <a>x y</a></div></div>",
         "comment"),
        (f"{ARTICLE}<div class=comments><div class=card><p>{LONGER}</div></div>", "comment"),
        # About comments.
        (f"{ARTICLE}<div class=comments><form><p>{LONGER}</form></div>", "other"),
        (f"{ARTICLE}<div class=comments><h4>{LONGER}</h4></div>", "other"),
        (f"{ARTICLE}<div class=comments><p><a>{LONGER}</a></div>", "other"),
        (f"{ARTICLE}<div class=comments><div class=popup>{DEEP}<p>{LONGER}", "other"),
        (f"{ARTICLE}<div class=comments><div class=comment-text>Target</div></div>", "comment"),
        (f"{ARTICLE}<div class=comments><p class=comment-text>Target at 8:15</div>", "comment"),
        (f"{ARTICLE}<div class=comments><p>Target</div>", "comment"),
        (f"{ARTICLE}<div class=comments><div class=meta><p>{LONGER}</div></div>", "comment"),
        (f"{ARTICLE}<div class=comments><div class=meta>{LONGER}</div></div>", "other"),
        (f"{ARTICLE}<div class=comments><div class=share>{LONGER}</div></div>", "other"),
        (f"{ARTICLE}<p>Kept 3 comments on target", "text"),
        (f"{ARTICLE}<div class=comments><h1>{LONGER}</h1></div>", "other"),
        (f"{ARTICLE}<div class=comments><p><a>a b c d e</a> target</div>", "comment"),
    ],
)  # fmt: skip
def test_exceptions(body, kind):
    assert kind_of(body) == kind


# --- Headlines ------------------------------------------------------------------------------------

SIXTEEN = [f"w{letter}" for letter in "abcdefghijklmno"]


def distinct(n_words):
    return " ".join(["target", *SIXTEEN][:n_words])


def scored(n_shared, n_words, block, distance, text=TEXT, extra=""):
    """Is a block a headline that has so many of the so many words of the title.

    Args:
        block: markup, ``*`` for the text.
        distance: how many blocks before the text it stands.
    """
    title = f"<title>{distinct(n_words)}</title>"
    shown = block.replace("*", distinct(n_shared))
    return kind_of(f"{title}{extra}{shown}{blocks(distance - 1)}{text}") == "headline"


@pytest.mark.parametrize(
    ("likeness", "block", "near", "far"),
    [
        ((2, 4), "<div>*</div>", 9, 11),
        ((1, 4), "<h2>*</h2>", 7, 8),
        ((4, 10), "<h3>*</h3>", 9, 11),
        ((5, 10), "<h4>*</h4>", 14, 16),
        ((5, 10), "<h5>*</h5>", 14, 16),
        ((5, 10), "<h6>*</h6>", 14, 16),
        ((1, 4), "<div class=headline>*</div>", 12, 13),
        ((9, 10), "<nav><h2>*</h2></nav>", 4, 6),
    ],
)
def test_a_headline_is_like_the_title_a_heading_and_close_to_the_text(likeness, block, near, far):
    assert scored(*likeness, block, near)
    assert not scored(*likeness, block, far)


@pytest.mark.parametrize("distance", [20, 30])
def test_beyond_twenty_blocks_all_are_as_far(distance):
    assert scored(4, 7, "<div>*</div>", distance)
    assert not scored(9, 16, "<div>*</div>", distance)


def test_without_text_a_headline_is_as_far():
    assert scored(4, 7, "<div>*</div>", 1, text="")
    assert not scored(9, 16, "<div>*</div>", 1, text="")


@pytest.mark.parametrize("distance", [4, 6])
def test_a_first_heading_needs_no_title(distance):
    assert (kind_of(f"<h1>Target</h1>{blocks(distance - 1)}{TEXT}") == "headline") == (
        distance == 4
    )


@pytest.mark.parametrize(
    "around",
    [f"<div class={name}>*</div>" for name in ("comments", "related", "footer", "cookie")]
    + ["<div class=menu>*</div>", "<div class=logo>*</div>", "<footer>*</footer>",
       "<aside>*</aside>", "<nav>*</nav>"],
)  # fmt: skip
def test_a_headline_stands_in_no_other_part(around):
    assert not scored(4, 4, around, 1)


@pytest.mark.parametrize(
    ("page", "at", "beyond"),
    [
        pytest.param(
            lambda n: f"<title>{line(n)}</title><h1>{line(n)}</h1>{TEXT}", 50, 51, id="longest"),
        pytest.param(
            lambda n: f"<title>Target</title>{TEXT}{blocks(n - 1)}<div>Target</div>{blocks(9)}",
            3, 4, id="after-text-begins"),
        pytest.param(
            lambda n: f"<title>target on {' '.join(SIXTEEN[2:n])}</title>{TEXT}{blocks(9)}"
            "<h1>target on</h1>", 5, 6, id="surely-the-title"),
        pytest.param(
            lambda n: f"<title>Target</title>{TEXT}{blocks(9)}<h{n}>Target</h{n}>",
            1, 2, id="surely-the-title-by-level"),
        pytest.param(
            lambda n: f"<meta property=og:site_name content='{distinct(10)}'><title>{distinct(n)}"
            f"</title><div>{distinct(n)}</div>{TEXT}", 8, 9, id="name-of-site"),
        pytest.param(
            lambda n: f"<title>Bees</title><meta property=og:title content='{distinct(n + 1)}'>"
            f"<div>Target</div>{TEXT}", 1, 2, id="title-for-sharing"),
    ],
)  # fmt: skip
def test_numbers_of_headlines(page, at, beyond):
    assert (kind_of(page(at)), kind_of(page(beyond))) == ("headline", "other")


@pytest.mark.parametrize(("shared", "is_one"), [(5, True), (4, False)])
def test_letters_of_chinese_and_japanese_are_words(shared, is_one):
    title = "<title>羊肉西莎小餐盒牛奶</title>"
    block = "羊肉西莎小"[:shared]
    assert (kind_of(f"{title}<div>{block} target</div>{TEXT}") == "headline") == is_one
