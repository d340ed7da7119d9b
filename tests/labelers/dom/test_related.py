"""Texts of an article that name others than the rest of it does."""

from collections import Counter

import pytest

from victor.api import Cleaner

ADVERTISEMENT = "Buy Acme Shoes from Zenith Stores of London now, half the price on all sandals."
ARTICLE = (
    "<h1>A ferry</h1><p>On Monday the town of Port Ellis bought a ferry for Mill Island. Mayor Ruth"
    " Calder signed the papers on the quay. The boat carries sixty people and nine cars.</p>"
    "<p>The people of Mill Island had waited for it since the old boat sank. Until now they went to"
    " Port Ellis in boats of their own, and stayed at home whenever the wind was strong.</p>{}"
    "<p>Ruth Calder said that the office of Ruth Calder pays one half and the state the other. A "
    "ticket is two pounds. The first crossing is on Friday, from Port Ellis at noon, and back in "
    "the evening with the mayor on board, who will speak then.</p>"
)


@pytest.fixture
def stays(kept):
    """Function: some markup in the middle of the article to whether all of its text is kept."""

    def run(text, *overrides, markup="<div>{}</div>", article=ARTICLE):
        return text in kept(f"<div>{article.format(markup.format(text))}</div>", *overrides)

    return run


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        (ADVERTISEMENT, False),
        (ADVERTISEMENT.replace("London", "Port Ellis"), True),
        ("Buy Acme Shoes from Zenith Stores of London now!", False),  # a sentence, no title
        ("Buy Acme Shoes from Zenith Stores of London", True),
        ("Buy shoes from Zenith Stores now, half the price on sandals.", True),  # two entities
        ("Buy Acme Shoes from London.", True),  # five words
        ("Buy Acme Shoes from our London.", False),
        ("Buy Acme Shoes from Zenith Stores" + " and buy" * 6 + " now.", False),  # 4 of 19 words
        ("Buy Acme Shoes from Zenith Stores" + " and buy" * 7 + " now.", True),  # 4 of 21
        ("The boat sails in all weathers, and nobody has to wait for long.", True),
    ],
)
def test_blocks_that_name_others_go(stays, text, is_kept):
    assert stays(text) is is_kept


@pytest.mark.parametrize(
    ("override", "is_kept"),
    [
        ("texts.compare=false", True),
        ("texts.entities=5", False),
        ("texts.entities=6", True),
        ("texts.share=0.33", False),
        ("texts.share=0.34", True),
        ("texts.main=3", False),
        ("texts.main=4", True),
    ],
)
def test_constants_of_the_comparison(stays, override, is_kept):
    assert stays(ADVERTISEMENT, override) is is_kept


def test_a_heading_is_never_compared(stays):
    assert stays(ADVERTISEMENT, markup="<h2>{}</h2>")


@pytest.mark.parametrize(("relevance", "is_kept"), [(0.0, True), (0.2, False)])
def test_relevance_is_up_to_its_limit(stays, relevance, is_kept):
    text = "Buy Acme Shoes from Zenith Stores of London now, they told Monday."
    assert stays(text, f"texts.relevance={relevance}") is is_kept


def test_pages_without_an_article_are_left_alone(stays):
    assert stays(ADVERTISEMENT, article="<p>Then Ruth Calder left Port Ellis. {}")


@pytest.mark.parametrize(
    ("source", "caption", "is_kept"),
    [
        ("//ad.doubleclick.net/a", "Acme", False),
        ("//ad.doubleclick.net/a", "Ruth Calder", True),
        ("//ad.doubleclick.net/a", "All shoes are half the price until Sunday", False),
        ("//ad.doubleclick.net/a", "On the quay stands the mayor, Ruth Calder", True),
        ("/shoes.jpg", "All shoes are half the price until Sunday", True),
    ],
)
def test_the_caption_of_an_advertisement_goes_with_it(stays, source, caption, is_kept):
    assert stays(caption, markup=f"<div><img src={source}> {{}}</div>") is is_kept


@pytest.mark.parametrize(("n_words", "is_kept"), [(99, False), (100, True)])
def test_a_long_text_beside_an_advertisement_is_no_caption(stays, n_words, is_kept):
    text = " ".join(["sail"] * n_words) + " on"  # 498 and 503 characters
    article = ARTICLE.replace("{}", "{}<p>" + "Then Ruth sailed again. " * 40)
    image = "<div><img src=//ad.doubleclick.net/a> {}</div>"
    assert stays(text, markup=image, article=article) is is_kept


def test_what_names_the_advertised_thing_does_not_hide_in_its_caption(kept):
    added = f"<p>{ADVERTISEMENT}</p><div><img src=//ad.doubleclick.net/a> Acme</div>"
    texts = kept(f"<div>{ARTICLE.format(added)}</div>")
    assert not [text for text in texts if "Acme" in text]


def test_the_reason_is_told(dom):
    page = f"<div>{ARTICLE.format(f'<p>{ADVERTISEMENT}</p>')}</div>"
    result = Cleaner(dom()).clean(page.encode())
    assert result.metadata["removed_words"] == {"unrelated": 15}
    assert Counter(block.reason for block in result.blocks) == {"kept": 4, "unrelated": 1}


def test_many_blocks_take_a_time_that_grows_with_them(kept):
    names = ("".join(chr(97 + int(digit)) for digit in str(n)).title() for n in range(5_000))
    paragraphs = "".join(f"<p>go {name} Oak Elm Ash to {name} today" for name in names)
    assert kept(f"<div>{paragraphs}</div>", "texts.main=1")
