"""Dates in many forms become ISO 8601."""

import sys
from types import SimpleNamespace

import pytest
from metadata_pages import meta, read, script

from victor.errors import ConfigError
from victor.metadata.dates import days_in, iso
from victor.metadata.months import month


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
    american = meta("date", "3/4/2024")
    assert read(american).published is None
    assert read(american, language="en-US").published == "2024-03-04"
    assert read(american, language="en-GB").published == "2024-04-03"
    assert read(american, language="fr").published == "2024-04-03"


def test_dates_in_a_text_come_in_order():
    text = "Published 9 March 2024, updated on April 1, 2024."
    assert [(text[a:b], when) for a, b, when in days_in(text)] == [
        ("9 March 2024", "2024-03-09"), ("April 1, 2024", "2024-04-01"),
    ]  # fmt: skip


def test_months_have_names_in_many_languages():
    names = "March Mär březen mars marzo maart marzec март Μάρτιος märts kovo mart"
    assert [month(name) for name in names.split()][:8] == [3] * 8
    assert month("Monday") == 0


HEAD = "<title>On bees</title>"
TEXT = "<p>" + "They fly far out over the fields in spring and come home late. " * 3


@pytest.mark.parametrize(
    ("head", "body", "source"),
    [
        (script({"@type": "Article", "datePublished": "2024-03-09"}), "", "json-ld"),
        (meta("article:published_time", "2024-03-09"), "", "open-graph"),
        (meta("dc.date.issued", "2024-03-09"), "", "dublin-core"),
        (meta("pubdate", "9 March 2024"), "", "meta"),
        ("", "<h1>On bees</h1><span itemprop=datePublished>9 March 2024</span>", "microdata"),
        ("", "<h1>On bees</h1><p itemprop=datePublished><time datetime=2024-03-09>x</time></p>",
         "microdata"),
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


def test_htmldate_is_asked_only_with_the_switch(monkeypatch):
    asked = []

    def find_date(page, **options):
        asked.append((page, options))
        return "2024-03-09"

    monkeypatch.setitem(sys.modules, "htmldate", SimpleNamespace(find_date=find_date))
    assert read(HEAD).published is None
    assert asked == []
    said = read(HEAD, find_date=True)
    assert (said.published, said.sources["published"]) == ("2024-03-09", "htmldate")
    assert read(HEAD + meta("date", "2020-01-02"), find_date=True).published == "2020-01-02"
    assert len(asked) == 1


def test_htmldate_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "htmldate", None)
    with pytest.raises(ConfigError, match=r"victor\[dates\]"):
        read(HEAD, find_date=True)
