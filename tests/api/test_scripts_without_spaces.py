"""Our own pages in scripts without spaces are cleaned rightly by the model that ships."""

import re
from pathlib import Path

import pytest

import victor
from victor.base.labels import Label
from victor.corpus.pages import canonical_table, read_marked_corpus
from victor.measures.words import word_score, words
from victor.page.table.texts import segment_texts

PAGES = tuple(read_marked_corpus(Path(__file__).parents[2] / "annotations" / "unspaced"))
LANGUAGES = {"bo", "ja", "km", "lo", "th"}


def spaced(text):
    """The same text with every Japanese character a word, as the columns count them."""
    return re.sub("([\u3040-\u30ff\u3400-\u9fff])", r" \1 ", text)


def gold(page):
    texts = segment_texts(canonical_table(page.html))
    kept = (Label.HEADER, Label.TEXT)
    return "\n".join(text for text, label in zip(texts, page.labels, strict=True) if label in kept)


def test_there_is_a_page_of_each_language():
    assert {page.language for page in PAGES} == LANGUAGES
    assert len(PAGES) == len(LANGUAGES)


@pytest.mark.parametrize("page", PAGES, ids=[page.language for page in PAGES])
def test_the_article_is_kept_and_the_rest_dropped(page):
    wanted = spaced(gold(page))
    score = word_score(spaced(victor.clean(page.html).text), wanted)
    assert len(words(wanted)) > 150
    assert score.precision >= 0.9
    assert score.recall >= 0.9
