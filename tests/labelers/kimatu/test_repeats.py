"""Kimatu: function elements, quotes, and texts frequent on a site."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.labelers.kimatu.areas import group, looks
from victor.labelers.kimatu.repeats import (
    Words,
    common_length,
    functions,
    quotes,
)
from victor.labelers.labeler import build_labeler

LONG = "the tide comes in over the flats twice a day and takes the young shells with it"


def paragraphs(*texts, look="p"):
    return "".join(f"<{look}>{text}</{look}>" for text in texts)


@pytest.fixture
def is_function(table, with_):
    """Function: are the list items of a page a function area."""

    def of_last(*texts, **changes):
        settings = with_({f"functions.{key}": value for key, value in changes.items()})
        page = table("<h1>Title</h1>" + paragraphs(*texts, look="li"))
        areas = group(looks(page), page.page, 3)
        gone = functions(Words.of(page), areas, settings)
        assert not gone[areas.block_look[0]]
        return bool(gone[areas.block_look[-1]])

    return of_last


POSTED = ("Posted by Ann on 3 May", "posted by Bo on 12 May", "Posted by Cy on 7 June")


def test_short_elements_that_share_most_words_are_functions(is_function):
    assert is_function(*POSTED)
    assert not is_function("Boil the water", "Salt the beans", "Serve them hot")


@pytest.mark.parametrize(("words", "expected"), [(6.0, True), (5.9, False)])
def test_function_elements_are_short(is_function, words, expected):
    assert is_function(*POSTED, words=words) is expected


@pytest.mark.parametrize(("elements", "expected"), [(3, True), (4, False)])
def test_function_elements_are_several(is_function, elements, expected):
    assert is_function(*POSTED, elements=elements) is expected


@pytest.mark.parametrize(("shared", "expected"), [(0.77, True), (0.78, False)])
def test_numbers_count_as_one_word(is_function, shared, expected):
    # Shared are posted, by, on, and the number in each of three, and may in two: 14 of 18 words.
    assert is_function(*POSTED, shared=shared) is expected


@pytest.mark.parametrize(("shared", "expected"), [(0.49, True), (0.5, False)])
def test_function_elements_share_more_than_a_share_of_their_words(is_function, shared, expected):
    assert is_function("go north", "go south", "go home", shared=shared) is expected


@pytest.mark.parametrize(("common", "expected"), [(0.49, True), (0.5, False)])
def test_a_shared_word_is_in_more_than_a_share_of_the_elements(is_function, common, expected):
    assert is_function("reply", "reply", "quote", "quote", common=common) is expected


def test_a_word_twice_in_one_element_is_in_one_element(is_function):
    assert not is_function("bye bye bye bye", "one", "two")


@pytest.fixture
def is_quote(table, with_):
    """Function: is the appearance of the last block of a page that of quotes."""

    def of_last(markup, *, sure=(0,), **changes):
        settings = with_({f"quotes.{key}": value for key, value in changes.items()})
        page = table(markup)
        areas = group(looks(page), page.page, 0)
        is_sure = np.isin(areas.first, sure)
        gone = quotes(Words.of(page), areas, is_sure, settings)
        return bool(gone[areas.block_look[-1]])

    return of_last


def page_of(*quoted, text=LONG):
    return paragraphs(text) + paragraphs(*quoted, look="blockquote")


def test_repetitions_of_an_earlier_sure_area_are_quotes(is_quote):
    assert is_quote(page_of("twice a day and takes the young shells"))
    assert is_quote(page_of("Twice a day, and takes the YOUNG shells!"))
    assert not is_quote(page_of("a sentence that nobody has written before"))


def test_what_comes_before_the_sure_area_is_no_quote(is_quote):
    quoted = paragraphs("twice a day and takes the young shells", look="blockquote")
    assert not is_quote(quoted + paragraphs(LONG) + quoted.replace("y", "z"), sure=(1,))
    assert not is_quote(page_of("twice a day and takes the young shells"), sure=())


TEN = "one two three four five six seven eight nine ten"


@pytest.mark.parametrize(("similarity", "expected"), [(0.79, True), (0.8, False)])
def test_quotes_are_similar(is_quote, similarity, expected):
    changed = "one two three four here five six seven eight instead"
    assert is_quote(page_of(changed, text=TEN), similarity=similarity) is expected


def test_order_counts(is_quote):
    shuffled = "eight nine ten seven six five four three two one"
    assert not is_quote(page_of(shuffled, text=TEN))


@pytest.mark.parametrize(("most", "expected"), [(0.33, True), (0.34, False)])
def test_most_of_an_appearance_are_quotes(is_quote, most, expected):
    markup = page_of(
        "twice a day and takes the young shells",
        "a sentence that nobody has written before",
        "and this is another one of that kind",
    )
    assert is_quote(markup, most=most) is expected


@pytest.mark.parametrize(("words", "expected"), [(8, True), (9, False)])
def test_short_texts_are_no_quotes(is_quote, words, expected):
    assert is_quote(page_of("twice a day and takes the young shells"), words=words) is expected


def test_short_texts_count_neither_for_nor_against(is_quote):
    markup = page_of("twice a day and takes the young shells", "yes", "no", "I agree")
    assert is_quote(markup)


@pytest.mark.parametrize(("cap", "expected"), [(16, True), (12, False)])
def test_only_so_many_words_are_compared(is_quote, cap, expected):
    # The quote begins with the tenth word of the text and has eight.
    assert is_quote(page_of("day and takes the young shells with it"), word_cap=cap + 1) is expected


@pytest.mark.parametrize(("cap", "expected"), [(2, True), (1, False)])
def test_only_so_many_pairs_of_a_page_are_compared(is_quote, cap, expected):
    markup = page_of("twice a day and takes the young shells", "day and takes the young shells")
    assert is_quote(markup, pair_cap=cap) is expected


def test_quotes_have_another_look_than_what_they_quote(is_quote):
    quoted = "twice a day and takes the young shells"
    assert not is_quote(paragraphs(LONG, quoted), sure=(0,))
    assert is_quote(paragraphs(LONG) + f"<p class=quote>{quoted}</p>")


def test_another_sure_text_of_another_look_is_quoted_instead(is_quote):
    # The first sure area with these words has the look of the quote, the second has not.
    markup = (
        f"<blockquote>{LONG}</blockquote><p>{LONG}</p>"
        "<blockquote>twice a day and takes the young shells</blockquote>"
    )
    assert is_quote(markup, sure=(0, 1), most=0.4)
    assert not is_quote(markup, sure=(0,), most=0.4)


def test_a_page_of_nearly_equal_paragraphs_of_one_class_survives():
    line = "The {} train to the coast leaves the old station at noon, and it arrives before two."
    texts = [line.format(day) for day in ("Monday", "Tuesday", "Friday", "Sunday")]
    page = "".join(f"<p class=body>{text}</p>" for text in texts).encode()
    system = build_labeler("kimatu")
    table = system.table([page])
    assert system.label(table).kept.tolist() == [True] * 4


def test_quotes_of_another_page_are_none(table, with_):
    page = table(paragraphs(LONG), paragraphs(LONG))
    areas = group(looks(page), page.page, 0)
    are_quotes = quotes(Words.of(page), areas, np.array([True, True]), with_())
    assert are_quotes.tolist() == [False, False]


@settings(deadline=None, derandomize=True)
@given(*[st.lists(st.integers(0, 5), max_size=40)] * 2)
def test_common_length_is_that_of_a_reference(a, b):
    reference = pytest.importorskip("rapidfuzz.distance").LCSseq
    assert common_length(a, b) == reference.similarity(a, b)
