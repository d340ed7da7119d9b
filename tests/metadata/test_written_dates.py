"""Dates in many forms become ISO 8601."""

import pytest

from victor.metadata.dates import days_in, iso, month


@pytest.mark.parametrize(
    "text",
    ["2024-03-09", "20240309", "2024/03/09", "March 9, 2024", "Mar. 9th, 2024", "9 March 2024",
     "9. března 2024", "9. März 2024", "9 de marzo de 2024", "le 9 mars 2024", "9 marzo 2024",
     "9 maart 2024", "9 marca 2024", "9 марта 2024 г.", "2024年3月9日", "2024. március 9.",
     "09.03.2024", "Sat, 9 March 2024 at noon", "9 березня 2024", "9 Μαρτίου 2024",
     "2024-03-09T00:00:00", "9-Mar-2024"],
)  # fmt: skip
def test_days(text):
    assert iso(text) == "2024-03-09"


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2024-03-09T10:00:00Z", "2024-03-09T10:00:00+00:00"),
        ("2024-03-09 10:00", "2024-03-09T10:00:00"),
        ("2024-03-09T10:00:00.123+0100", "2024-03-09T10:00:00+01:00"),
        ("2024-03-09T10:00:00-05", "2024-03-09T10:00:00-05:00"),
        ("Sat, 09 Mar 2024 10:00:00 GMT", "2024-03-09T10:00:00+00:00"),
        ("Sat Mar 09 2024 10:00:00 GMT+0100 (CET)", "2024-03-09T10:00:00+01:00"),
        ("1709978400", "2024-03-09T10:00:00+00:00"),
        ("1709978400000", "2024-03-09T10:00:00+00:00"),
        ("2024-03-09T25:00:00", "2024-03-09"),
        ("20 December 2025", "2025-12-20"),
        ("December 20, 2025", "2025-12-20"),
    ],
)
def test_times(text, when):
    assert iso(text) == when


@pytest.mark.parametrize(
    "text",
    ["", "2024-02-30", "1870-01-01", "9999-01-01", "2024", "March 2024", "13/13/2024", "yesterday",
     "31 April 2024", "9" * 500, "0000000000", "3/4/2024"],
)  # fmt: skip
def test_what_is_no_likely_date_is_none(text):
    assert iso(text) is None


def test_order_of_numbers():
    assert iso("3/4/2024", month_first=True) == "2024-03-04"
    assert iso("3/4/2024", month_first=False) == "2024-04-03"
    assert iso("13/4/2024", month_first=True) == "2024-04-13"
    # Programs that write dashes write the day first.
    assert iso("3-4-2024", month_first=True) is None
    assert iso("3-4-2024", month_first=False) == "2024-04-03"


def test_words_between_day_and_month_are_no_part_of_its_name():
    assert iso("5 December 2025") == iso("5. de December 2025") == "2025-12-05"
    assert iso("5 of December 2025") == iso("le 5 d’décembre 2025") == "2025-12-05"


def test_dates_in_a_text_come_in_order():
    text = "Published 9 March 2024, updated on April 1, 2024."
    assert [(text[a:b], when) for a, b, when in days_in(text)] == [
        ("9 March 2024", "2024-03-09"), ("April 1, 2024", "2024-04-01"),
    ]  # fmt: skip


def test_months_have_names_in_many_languages():
    names = "March Mär březen mars marzo maart marzec март Μάρτιος märts kovo mart"
    assert [month(name) for name in names.split()][:8] == [3] * 8
    assert month("Monday") == 0
