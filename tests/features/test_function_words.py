"""The share of function words in blocks."""

import pytest

from victor.errors import ConfigError
from victor.features import load


def test_running_text_has_more_than_a_menu(measured):
    page = "<p>Včely žijí v úlu a na louce sbírají nektar z květů<p>Úvod Kontakt Archiv<p>5"
    shares = measured("function_words", page)["function-words.share"]
    assert shares.tolist() == [4 / 11, 0, 0]


def test_each_page_has_its_own_language(measured):
    pages = ("<p>Der Honig ist in dem Glas", "<p>The bees live in the hive")
    shares = measured("function_words", *pages, languages=["de", "en"])["function-words.share"]
    assert shares.round(2).tolist() == [0.67, 0.5]


def test_a_language_without_function_words_is_refused():
    with pytest.raises(ConfigError, match="no function words of 'xx'"):
        load("function_words", languages=["xx"])
