"""Every number and every exception in the rules of kinds: a page on each side of it.

The labels are written into the pages: blocks whose text begins with "Kept" are text, with "Header"
headers, all others are dropped. The block with the word "target" is the one looked at.
"""

import numpy as np
import pytest

from victor.base.labels import KIND_NAMES, Label
from victor.kinds.rules import kinds
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
    return KIND_NAMES[kinds(table, labels)[target]]


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
        # Bylines: where a named one may stand, where an unnamed one, and how long they are.
        pytest.param(
            lambda n: f"{TITLE}<p class=byline>Target</p>{blocks(n - 1)}{HEADLINE}{TEXT}",
            12, "byline", 13, "other", id="named-byline-before-headline"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}{blocks(n - 1)}<p class=byline>Target</p>",
            12, "byline", 13, "other", id="named-byline-after-text"),
        pytest.param(
            lambda n: f"{TITLE}<p>By Target</p>{blocks(n - 1)}{HEADLINE}{TEXT}",
            6, "byline", 7, "other", id="unnamed-byline-before-headline"),
        pytest.param(
            lambda n: f"{HEAD}{blocks(n - 1)}<p>By Target</p>{TEXT}",
            12, "byline", 13, "other", id="unnamed-byline-below-headline"),
        pytest.param(
            lambda n: f"{TITLE}{TEXT}{HEADLINE}{blocks(n - 1)}<p>By Target</p>",
            1, "byline", 2, "other", id="unnamed-byline-below-headline-below-text"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT * n}<p>By Target</p>{TEXT}",
            0, "byline", 1, "other", id="unnamed-byline-before-text"),
        pytest.param(
            lambda n: f"{HEAD}<p>{line(n, 'By Target')}</p>{TEXT}",
            12, "byline", 13, "other", id="words-of-unnamed-byline"),
        pytest.param(
            lambda n: f"{HEAD}<p>{line(n, '3 May 2019 target')}</p>{TEXT}",
            12, "byline", 13, "other", id="words-of-line-with-date"),
        pytest.param(
            lambda n: f"{HEAD}<p class=meta>{line(n)}</p>{TEXT}",
            25, "byline", 26, "other", id="words-of-named-byline"),
        pytest.param(
            lambda n: f"{HEAD}<h2 class=meta>{line(n)}</h2>{TEXT}",
            3, "byline", 4, "other", id="words-of-byline-in-heading"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<div class=author><div><div><p>{line(n)}</div></div></div>",
            90, "byline", 91, "other", id="words-about-author"),
        pytest.param(
            lambda n: f"{HEAD}<p class=byline>{kept_target(n)}</p>{TEXT}",
            9, "byline", 10, "paragraph", id="prose-is-no-byline"),
        # Standfirsts.
        pytest.param(
            lambda n: f"{HEAD}{blocks(n - 1)}<p class=subtitle>{line(4)}</p>{TEXT}",
            12, "standfirst", 13, "other", id="standfirst-below-headline"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT * n}<p class=subtitle>{kept_target(12)}</p>",
            0, "standfirst", 1, "paragraph", id="standfirst-is-first-of-text"),
        pytest.param(
            lambda n: f"{HEAD}<p class=subtitle>{line(n)}</p>{TEXT}",
            4, "standfirst", 3, "other", id="words-of-standfirst"),
        pytest.param(
            lambda n: "<meta name=description content='target a b c d e f g'>"
            f"{HEAD}<p>Target a b c d e f g {'x ' * n}</p>{TEXT}",
            2, "standfirst", 3, "other", id="described-words-of-standfirst"),
        pytest.param(
            lambda n: f"<meta property=og:description content='target a b c d'>"
            f"{HEAD}{TEXT * n}<p>Target a b c d</p>{TEXT}",
            0, "standfirst", 1, "other", id="described-standfirst-before-text"),
        # Captions.
        pytest.param(
            lambda n: f"{TITLE}<p class=caption>Target</p>{blocks(n - 1)}{HEADLINE}{TEXT}",
            4, "caption", 5, "other", id="caption-before-headline"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}{blocks(n - 1)}<p class=caption>Target</p>",
            4, "caption", 5, "other", id="caption-after-text"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<p class=caption>{line(n)}</p>{TEXT}",
            90, "caption", 91, "other", id="words-of-caption"),
        pytest.param(
            lambda n: f"{HEAD}{prose(40)}<p class=caption>{kept_target(n)}</p>",
            40, "caption", 41, "paragraph", id="captions-that-are-the-text"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<p>{'Photo: target'.ljust(n, 'x')}</p>{TEXT}",
            90, "caption", 91, "other", id="characters-of-phrase"),
        # Comments and what belongs to them.
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<div class=comments><div>{line(n)}</div></div>",
            3, "comment-meta", 4, "comment", id="words-of-name-among-comments"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<div class=comments><p>{line(n, '3 May 2019 target')}</div>",
            12, "comment-meta", 13, "comment", id="words-of-date-among-comments"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<div class=comments><p class=author>{line(n)}</div>",
            12, "comment-meta", 13, "comment", id="words-of-author-among-comments"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<div class=comments><div class=author><div>{line(n)}</div>",
            12, "comment-meta", 13, "comment", id="words-near-author-among-comments"),
        pytest.param(
            lambda n: f"{HEAD}{prose(n)}<div class=comments><p>{kept_target(30)}</div>",
            10, "comment", 9, "paragraph", id="words-before-kept-comments"),
        pytest.param(
            lambda n: f"{HEAD}{prose(100 - n)}<div class=user-review><p>{kept_target(n)}</div>",
            80, "comment", 81, "paragraph", id="share-of-reviews"),
        pytest.param(
            lambda n: f"{HEAD}{prose(100 - n)}<div class=comment-body><p>{kept_target(n)}</div>",
            80, "comment", 81, "paragraph", id="share-of-a-lone-comment"),
        pytest.param(
            lambda n: f"{HEAD}{prose(10)}<div class=comment-body><p>{kept_target(90)}</div>"
            + f"<div class=comment-body><p>{prose(1)}</div>" * n,
            1, "comment", 0, "paragraph", id="comments-beside-a-large-one"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT * n}<p>3 comments on target</p>{TEXT}",
            1, "comment-meta", 0, "other", id="heading-of-comments-after-text-begins"),
        # Teasers.
        pytest.param(
            lambda n: f"{HEAD}{prose(100 - n)}<div class=related><hr>menu<p>{kept_target(n)}</div>",
            34, "teaser", 35, "paragraph", id="share-of-teaser"),
        pytest.param(
            lambda n: f"{HEAD}{prose(100 - 2 * n)}<div class=related><p>{kept_target(n)}</div>"
            f"<div class=related><p>{line(n, 'Kept more')}</div>",
            25, "teaser", 26, "paragraph", id="share-of-all-teasers"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<div class=card><p><a>x</a> {line(n - 1)}</div>",
            10, "teaser", 11, "other", id="linked-words-of-teaser"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<p><a>{line(n)}</a></p>",
            4, "teaser", 3, "other", id="words-of-lead"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<p><a>{line(8)}</a>{' x' * n}</p>",
            2, "teaser", 3, "other", id="linked-share-of-lead"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<h2><a>{line(n)}</a></h2>",
            2, "teaser", 1, "other", id="words-of-linked-heading"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<h{n}><a>{line(2)}</a></h{n}>",
            2, "teaser", 1, "other", id="level-of-linked-heading"),
        pytest.param(
            lambda n: f"{HEAD}{TEXT}<ul><li><a>a lead of six words here</a><p>{line(n - 6)}</ul>",
            80, "teaser", 81, "other", id="words-of-item-with-lead"),
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
        (f"{ARTICLE}<div class=testimonial><p>{LONGER}</div>", "comment"),
        (f"{ARTICLE}<div class=testimonial><p>{kept_target(30)}</div>", "paragraph"),
        (f"{ARTICLE}<div class=related><div class=testimonial><p>{LONGER}</div></div>", "teaser"),
        (f"{ARTICLE}<div class=related><div class=comments><p>{LONGER}</div></div>", "teaser"),
        (f"{ARTICLE}<div class=comments><div class=related><p>{LONGER}</div></div>", "comment"),
        (f"{SHORT}<div class=comments><div class=related>{kept_target(12)}</div></div>", "comment"),
        (f"{SHORT}<div class=comments><div class=card><p>{kept_target(11)} <a>x y</a></div></div>",
         "comment"),
        (f"{SHORT}<div class=card><p>{kept_target(11)} <a>x y</a></div>", "teaser"),
        (f"{ARTICLE}<div class=comments><div class=card><p>{LONGER}</div></div>", "comment"),
        (f"{TITLE}<div class=testimonial>{HEADLINE}{TEXT}<p>{LONGER}</div>", "other"),
        # About comments.
        (f"{ARTICLE}<div class=comments><form><p>{LONGER}</form></div>", "comment-meta"),
        (f"{ARTICLE}<div class=comments><h4>{LONGER}</h4></div>", "comment-meta"),
        (f"{ARTICLE}<div class=comments><p><a>{LONGER}</a></div>", "comment-meta"),
        (f"{ARTICLE}<div class=comments><p>Leave a reply to target</div>", "comment-meta"),
        (f"{ARTICLE}<div class=comments><div class=popup>{DEEP}<p>{LONGER}", "other"),
        (f"{ARTICLE}<div class=comments><div class=sr-only>{DEEP}<p>{LONGER}", "comment-meta"),
        (f"{ARTICLE}<div class=comments><div class=comment-text>Target</div></div>", "comment"),
        (f"{ARTICLE}<div class=comments><p class=comment-text>Target at 8:15</div>", "comment"),
        (f"{ARTICLE}<div class=comments><p>Target</div>", "comment"),
        (f"{ARTICLE}<div class=comments><div class=meta><p>{LONGER}</div></div>", "comment"),
        (f"{ARTICLE}<div class=comments><div class=meta>{LONGER}</div></div>", "comment-meta"),
        (f"{ARTICLE}<div class=comments><div class=share>{LONGER}</div></div>", "comment-meta"),
        (f"{ARTICLE}<p>Kept 3 comments on target", "paragraph"),
        (f"{ARTICLE}<div class=comments><h1>{LONGER}</h1></div>", "comment-meta"),
        (f"{ARTICLE}<div class=comments><p><a>a b c d e</a> target</div>", "comment"),
        # Captions.
        (f"{TEXT}{blocks(3)}<p>Kept a</p><p class=caption>Target</p>", "other"),
        (f"{ARTICLE}<figure><p>{LONGER}</figure>{TEXT}", "caption"),
        (f"{ARTICLE}<figure><h4>{LONGER}</h4></figure>{TEXT}", "other"),
        (f"{ARTICLE}<h4 class=caption>{LONGER}</h4>{TEXT}", "other"),
        (f"{ARTICLE}<figure><p><a>Target a b</a></figure>{TEXT}", "other"),
        (f"{ARTICLE}<p class=legend>{LONGER}</p>{TEXT}", "caption"),
        (f"{ARTICLE}<blockquote><p class=caption>{LONGER}</blockquote>{TEXT}", "other"),
        (f"{ARTICLE}<div class=related><p class=caption>{LONGER}</div>{TEXT}", "teaser"),
        (f"{ARTICLE}<p>{line(12, 'Kept Photo: target')}</p>".replace("Kept Photo", "Photo"),
         "caption"),
        # Bylines.
        (f"{HEAD}<p class=meta>Kept target</p>{TEXT}", "paragraph"),
        (f"{HEAD}<p class=meta>Target</p>{TEXT}", "byline"),
        (f"{HEAD}<p class=byline>Header target</p>{TEXT}", "heading"),
        (f"{HEAD}<address>Target</address>{TEXT}", "byline"),
        (f"{HEAD}<p class=share>By Target</p>{TEXT}", "other"),
        (f"{HEAD}<div class=byline><p class=share>By Target</div>{TEXT}", "byline"),
        (f"{ARTICLE}<div class=tags><p class=meta>Target</div>", "other"),
        (f"{HEAD}<div class=tags><p class=meta>Target</div>{TEXT}", "byline"),
        (f"{HEAD}<div class=cookie><p>By Target</div>{TEXT}", "other"),
        (f"{HEAD}<div class=cookie><p class=author>Target</div>{TEXT}", "byline"),
        (f"{ARTICLE}<div class=related><p class=byline>Target</div>", "teaser"),
        (f"<p>By Target</p>{TEXT}", "byline"),
        ("<p>By Target</p>", "other"),
        ("<div class=tags><p class=author>Kept target</div>", "paragraph"),
        # Standfirsts.
        (f"<meta name=description content='{kept_target(12)}'>{HEAD}<p>{kept_target(12)}",
         "paragraph"),
        (f"{HEAD}<nav><p class=subtitle>{LONGER}</nav>{TEXT}", "other"),
        (f"<p class=subtitle>{LONGER}</p>{TEXT}", "other"),
        # Teasers.
        (f"<div class=related><p>{LONGER}</div>", "teaser"),
        ("<p>Kept a b c d e f</p><div class=related><p>Kept target</div>", "paragraph"),
        (f"{ARTICLE}<div class=related><p>{kept_target(12)}</div>{TEXT}", "paragraph"),
        (f"{ARTICLE}<div class=related><p>{kept_target(12)}</div>", "teaser"),
        (f"{ARTICLE}<nav><div class=related><p>{LONGER}</div></nav>", "teaser"),
        (f"{ARTICLE}<div class=related><nav><p>{LONGER}</nav></div>", "other"),
        (f"{ARTICLE}<p>Kept <a>target a b c d e f g h</a>", "paragraph"),
        (f"{ARTICLE}<ul><li><a>Kept a b c d e f</a><p>Target</ul>", "other"),
        (f"{ARTICLE}<ul><li><p><a>a b c d</a><p>Kept target</ul>", "item"),
        (f"{ARTICLE}<article><a>a b c d</a><p>Target</article>", "teaser"),
    ],
)  # fmt: skip
def test_exceptions(body, kind):
    assert kind_of(body) == kind


# --- Headlines ------------------------------------------------------------------------------------

SIXTEEN = [f"w{letter}" for letter in "abcdefghijklmno"]


def scored(n_shared, n_words, block, distance, text=TEXT, extra=""):
    """Is a block a headline that has so many of the so many words of the title.

    Args:
        block: markup, ``*`` for the text.
        distance: how many blocks before the text it stands.
    """
    words = ["target", *SIXTEEN]
    title = f"<title>{' '.join(words[:n_words])}</title>"
    shown = block.replace("*", " ".join(words[:n_shared]))
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
            lambda n: f"<meta property=og:site_name content='{line(10)}'><title>{line(n)}</title>"
            f"<div>{line(n)}</div>{TEXT}", 8, 9, id="name-of-site"),
        pytest.param(
            lambda n: f"<title>Bees</title><meta property=og:title content='{'x ' * n} target'>"
            f"<div>Target</div>{TEXT}", 1, 2, id="title-for-sharing"),
    ],
)  # fmt: skip
def test_numbers_of_headlines(page, at, beyond):
    assert (kind_of(page(at)), kind_of(page(beyond))) == ("headline", "other")
