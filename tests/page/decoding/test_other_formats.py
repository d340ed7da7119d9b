"""What is no page is refused by Python as by the commands, with what it is; pages are not."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import victor
from victor import PageError
from victor.cli.pages import Input, source
from victor.page.source import other_format
from victor.sources.record import Record, refused

PAGE = b"<html><body><p>" + b"Bees live in colonies, of which each has one queen. " * 9
PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + random.Random(2).randbytes(20_000)


@pytest.mark.parametrize(
    ("body", "its_name"), [(PICTURE, "a picture (PNG)"), (bytes(5000), "binary data")]
)
def test_binaries_are_refused_by_all_three(body, its_name):
    with pytest.raises(PageError, match="not HTML; `victor crawl` reads") as caught:
        victor.clean(body)
    assert caught.value.reason == "not-html"
    assert its_name in str(caught.value)
    of_command = source(Input("-", "stdin", body), 1_000_000).page
    assert (of_command.reason, str(of_command)) == ("not-html", str(caught.value))
    assert refused(Record("a", 0, body)) == "not-html"


def test_one_that_is_refused_does_not_stop_the_others():
    results = list(victor.clean_many([PAGE, PICTURE, PAGE]))
    assert [result.reason for result in results] == ["ok", "not-html", "ok"]
    assert results[1].text == ""


@given(st.binary(max_size=300), st.text(max_size=300))
def test_what_begins_with_a_tag_is_a_page_and_anything_has_a_name_or_none(rest, text):
    assert other_format(b"\r\n <p>" + rest) is None
    assert other_format(rest) != ""
    assert other_format(text) != ""
