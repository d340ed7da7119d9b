"""Dates of publication and change: where pages say them."""

import pytest
from metadata_pages import meta, read, script


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
