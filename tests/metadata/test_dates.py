"""Dates: where pages say them, and how they are written."""

from datetime import UTC, datetime, timedelta

import pytest
from metadata_pages import meta, read, script

from victor.metadata.dates import days_in, is_date, iso, month, month_first_in, month_first_of


def test_the_language_tells_the_order_of_numbers():
    american = meta("date", "3/4/2024")
    assert read(american).published is None
    assert read(american, language="en-US").published == "2024-03-04"
    assert read(american, language="en-GB").published == "2024-04-03"
    assert read(american, language="fr").published == "2024-04-03"


HEAD = "<title>On bees</title>"
TEXT = "<p>" + "They fly far out over the fields in spring and come home late. " * 3


@pytest.mark.parametrize(
    ("head", "body", "source"),
    [
        (script({"@type": "Article", "datePublished": "2024-03-09"}), "", "json-ld"),
        (meta("article:published_time", "2024-03-09"), "", "open-graph"),
        (meta("dc.date.issued", "2024-03-09"), "", "dublin-core"),
        (meta("pubdate", "9 March 2024"), "", "meta"),
        ("", "<h1>On bees</h1><span itemprop=datePublished>9 March 2024</span>", "byline"),
        ("", "<h1>On bees</h1><p itemprop=datePublished><time datetime=2024-03-09>x</time></p>",
         "time"),
        ("", "<h1>On bees</h1><time datetime=2024-03-09>Saturday</time>", "time"),
        ("", "<h1>On bees</h1><p class=post-date>Saturday, 9 March 2024</p>", "byline"),
        ("", "<h1>On bees</h1><p>Saturday, 9 March 2024</p>", "text"),
        ("", "<h1>On bees</h1>" + TEXT * 40 + "<p>Published on 9 March 2024</p>", "text"),
    ],
)  # fmt: skip
def test_sources_of_the_date(head, body, source):
    said = read(HEAD + head, body + TEXT)
    assert (said.published, said.sources["published"]) == ("2024-03-09", source)


def test_the_address_may_hold_the_date():
    assert read(HEAD, url="https://hive.example/2024/03/09/bees").published == "2024-03-09"
    assert read(HEAD, url="https://hive.example/2024/33/09/bees").published is None


def test_dates_of_changes_are_not_those_of_the_publication():
    said = read(HEAD, "<h1>On bees</h1><p>Last updated: 9 March 2024</p>" + TEXT)
    assert (said.published, said.modified) == (None, "2024-03-09")
    both = "<h1>On bees</h1><p>Published 9 March 2024, updated April 1, 2024</p>"
    said = read(HEAD, both + TEXT)
    assert (said.published, said.modified) == ("2024-03-09", "2024-04-01")


def test_dates_of_comments_teasers_and_prose_do_not_count():
    body = (
        "<h1>On bees</h1>" + TEXT * 8 + "<p>" + "It was on 9 March 2024 that bees flew. " * 5
        + "<div class=comments><time datetime=2024-03-09>x</time></div>"
        "<div class=related><p class=post-date>9 March 2024</p></div>"
    )  # fmt: skip
    assert read(HEAD, body).published is None


TIME = "<p><time{} datetime=2024-03-09>x</time></p>"


@pytest.mark.parametrize(
    ("body", "is_change"),
    [
        (TIME.format(""), False),
        (TIME.format("") + "<p class=updated>bees", False),
        (TIME.format(" class=updated"), True),
        ("<p class=x>bees" + TIME.format(" class=last-updated"), True),
    ],
)
def test_a_time_goes_by_its_own_name(body, is_change):
    said = read(HEAD, "<h1>On bees</h1>" + body)
    assert (said.published is None, said.modified is not None) == (is_change, is_change)


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


@pytest.mark.parametrize(
    ("written", "month_first", "day"),
    [
        ("1990-01-01", None, "1990-01-01"),
        ("1989-12-31", None, None),
        ("2024-03-09T23:59:59", None, "2024-03-09T23:59:59"),
        ("2024-03-09T24:00:00", None, "2024-03-09"),
        ("2024-03-09T23:60:00", None, "2024-03-09"),
        ("2024-03-09T23:59:60", None, "2024-03-09T23:59:59"),
        ("2024-03-09T23:59:61", None, "2024-03-09"),
        ("2024-03-09T00:00:00", None, "2024-03-09"),
        ("2024-03-09T00:00:01", None, "2024-03-09T00:00:01"),
        ("2024-03-09T08:00+15:59", None, "2024-03-09T08:00:00+15:59"),
        ("2024-03-09T08:00+15:60", None, "2024-03-09T08:00:00"),
        ("2024-03-09T08:00+16:00", None, "2024-03-09T08:00:00"),
        ("Sat, 09 Mar 2024 23:59:00 +1559", None, "2024-03-09T23:59:00+15:59"),
        ("Sat, 09 Mar 2024 24:00:00 +0100", None, "2024-03-09"),
        ("Sat, 09 Mar 2024 23:60:00 +0100", None, "2024-03-09"),
        ("Sat, 09 Mar 2024 08:00:00 -1600", None, "2024-03-09"),
        ("Sat, 09 Mar 2024 08:00:00 -1500", None, "2024-03-09T08:00:00-15:00"),
        ("Sat, 09 Mar 2024 08:00:00 +0160", None, "2024-03-09"),
        ("13/3/2024", None, "2024-03-13"),
        ("12/3/2024", None, None),
        ("3/13/2024", None, "2024-03-13"),
        ("3/12/2024", None, None),
        ("3/3/2024", None, "2024-03-03"),
        ("3/4/2024", True, "2024-03-04"),
        ("3/4/2024", False, "2024-04-03"),
        ("3.4.2024", True, "2024-04-03"),
        ("3-4-2024", True, None),
        ("3-4-2024", False, "2024-04-03"),
        ("3/4/24", True, "2024-03-04"),
        ("3/4/24", None, None),
        ("13-4-24", False, None),
        ("3/4/90", True, "1990-03-04"),
        ("x " * 94 + "9 March 2024", None, "2024-03-09"),
        ("x " * 94 + " 9 March 2024", None, None),
    ],
)
def test_which_dates_are_read(written, month_first, day):
    assert iso(written, month_first=month_first) == day


def test_dates_are_at_most_a_year_and_a_day_ahead():
    today = datetime.now(UTC).date()
    days = [(today + timedelta(days=n)).isoformat() for n in (366, 367)]
    assert [*map(iso, days)] == [days[0], None] or datetime.now(UTC).date() != today


def test_dates_in_threads():
    texts = ("8:15", "8:15 a b c d e f", "8:15 a b c d e f g", "May 2", "Joined May 2", "May", "2")
    assert [*map(is_date, texts)] == [True, True, False, True, False, False, False]
    assert [*map(is_date, ("2 May", "2nd May", "2 Bees", "Bees 2"))] == [True, True, False, False]
    first = ("3/13/2019", "3/12/2019", "13/3/2019", "12/3/2019")
    assert [month_first_of([text]) for text in first] == [True, None, False, None]
    assert [*map(month_first_in, ("en", "en_US", "en-GB", "fr", "", None))] == [
        *(True, True, False, False, None, None)
    ]
