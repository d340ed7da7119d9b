"""Titles come without the name of the site."""

import pytest
from metadata_pages import meta, read, script

SITE = meta("og:site_name", "Hive News")


@pytest.mark.parametrize(
    "declared",
    ["On bees - Hive News", "On bees | Hive News", "Hive News: On bees", "On bees — HIVE NEWS",
     "On bees :: Nature :: Hive News", "Hive News » On bees", "On bees | Nature | Hive News"],
)  # fmt: skip
def test_the_site_is_cut_off(declared):
    title = f"<title>{declared}</title>"
    heading = "<h2>On bees</h2>" if "Nature" not in declared else "<h1>On bees</h1>"
    assert read(SITE + title, heading).title == "On bees"


def test_the_site_is_known_by_its_host_and_by_its_publisher():
    title = "<title>On bees - Hivenews</title>"
    assert read(title, url="https://www.hivenews.co.uk/a").title == "On bees"
    site = {"@type": "WebSite", "name": "Hivenews"}
    assert read(title + script(site)).title == "On bees"
    assert read("<title>On bees - a story</title>", url="https://hive.cz/").title == (
        "On bees - a story"
    )


def test_a_heading_like_the_title_is_the_title():
    head = "<title>Bees in spring: all you need to know - Hive</title>"
    body = "<h1>Hive</h1><h1>Bees in spring</h1><h1>Wasps</h1>"
    said = read(head, body)
    assert (said.title, said.sources["title"]) == ("Bees in spring", "headline")


def test_a_heading_unlike_the_title_is_not():
    said = read("<title>On bees</title>", "<h1>Welcome!</h1>")
    assert (said.title, said.sources["title"]) == ("On bees", "title")


def test_the_name_of_the_site_is_no_title_of_a_page():
    said = read(SITE + "<title>On bees | Hive News</title>", "<h1>Hive News</h1><p>Text")
    assert said.title == "On bees"


def test_capitals_are_those_of_the_declared_title():
    assert read("<title>On bees</title>", "<h1>ON BEES</h1>").title == "On bees"


def test_the_headline_that_the_caller_knows_counts():
    said = read("<title>On bees - x</title>", "<p>On bees</p>", headline="On bees")
    assert (said.title, said.sources["title"]) == ("On bees", "headline")


def test_a_page_without_title_has_none():
    assert read("", "<p>Text").title is None
    assert read("<title> </title>" + meta("og:title", "&nbsp;")).title is None
