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


def test_a_page_without_title_has_none():
    assert read("", "<p>Text").title is None
    assert read("<title> </title>" + meta("og:title", "&nbsp;")).title is None


SLOGAN = (
    "<title>Work plans for connecting bees to goals | Hive</title>",
    "<h1>Bring your work to life</h1>",
)


def test_a_slogan_with_few_words_of_the_title_gives_way_to_it():
    said = read(*SLOGAN)
    assert said.title == "Work plans for connecting bees to goals"
    assert said.sources["title"] == "title"


@pytest.mark.parametrize(
    "written",
    [script({"@type": "NewsArticle"}), meta("og:type", "article"), meta("date", "2024-03-09")],
)
def test_the_headline_of_a_written_work_does_not(written):
    title, heading = SLOGAN
    assert read(title + written, heading).title == "Bring your work to life"


def test_a_short_title_gives_way_to_no_slogan():
    said = read("<title>Work - Hive</title>", "<h1>Bring all of your work to life today</h1>")
    assert said.title == "Bring all of your work to life today"


def test_what_follows_a_colon_is_the_site_only_where_it_is_just_its_name():
    assert read(SITE + "<title>On bees: Hive News</title>").title == "On bees"
    title = "On bees: read all in Hive News"
    assert read(f"{SITE}<title>{title}</title>").title == title
    assert read(f"{SITE}<title>{title}</title>", f"<h1>{title}</h1>").title == title


def test_a_title_that_is_given_as_name_of_the_site_stays_whole():
    title = "How to keep bees: a complete guide for everybody"
    head = meta("og:site_name", title) + f"<title>{title}</title>"
    said = read(head, f"<h1>{title}</h1>")
    assert (said.title, said.sources["title"]) == (title, "headline")


@pytest.mark.parametrize(
    ("heading", "declared", "title"),
    [
        ("Thread: On bees", "On bees", "On bees"),
        ("Life in hives - On bees", "On bees", "On bees"),
        ("Dec 18 2025 On bees", "On bees", "On bees"),
        ("All On bees", "On bees", "All On bees"),
        ("On bees: a life in hives", "On bees", "On bees: a life in hives"),
        ("Webpack 3: On bees", "Bees and Webpack 3", "Webpack 3: On bees"),
    ],
)
def test_a_label_before_the_declared_title_goes(heading, declared, title):
    head = f"<title>{declared}</title>" + meta("og:site_name", "webpack")
    assert read(head, f"<h1>{heading}</h1>").title == title


@pytest.mark.parametrize(
    ("heading", "declared", "title"),
    [
        ("<i>On bees</i><b>A story</b>", "On bees, a story", "On bees A story"),
        ("<i>On bees</i><b>A story</b>", "On bees / A story", "On bees / A story"),
        ("<i>On bees.</i><b>A story</b>", "On bees", "On bees. A story"),
        ("<i>H</i>ow bees live", "How bees live", "How bees live"),
        ("<i>Bee</i>hives", "Beehives", "Beehives"),
        ("On bees, a story", "On bees - a story", "On bees, a story"),
    ],
)
def test_words_of_two_elements_do_not_touch(heading, declared, title):
    assert read(f"<title>{declared}</title>", f"<h1>{heading}</h1>").title == title


@pytest.mark.parametrize("title", ["«On bees»", "Bees: «They sting»", "On «bees»", "« On bees »"])
def test_marks_of_quotations_part_no_title(title):
    assert read(f"<title>{title}</title>", f"<h1>{title}</h1>").title == title


def test_the_title_of_the_window_tells_what_the_site_is_called():
    head = "<title>Ann's Bee Log: On bees</title>" + meta("og:title", "On bees")
    assert read(head, "<h1>Ann's Bee Log</h1>").title == "On bees"
    assert read(head, "<h1>Ann's Bee Log, volume 2: On bees</h1>").title == (
        "On bees"
    )  # a label in front of what is declared
    assert read("<title>Ann | On bees</title>" + meta("og:title", "Ann"), "<h1>Ann</h1>").title == (
        "Ann"
    )


@pytest.mark.parametrize(
    ("window", "title"),
    [
        ("How all bees live | Ann's Log", "How all bees live"),
        ("On bees | Ann's Log", "Ann's Log"),
        ("How bees live: Ann's Log", "Ann's Log"),
    ],
)
def test_a_heading_that_ends_the_title_behind_a_longer_part_is_the_site(window, title):
    assert read(f"<title>{window}</title>", "<h1>Ann's Log</h1>").title == title


def test_data_on_another_thing_give_no_title():
    other = script({"@type": "BroadcastEvent", "name": "Evening live"})
    thing = script({"@type": "VideoObject", "name": "Evening live"})
    for data in (other, thing):
        assert read("<title>On bees</title>" + data).title == "On bees"
    assert read(thing).title == "Evening live"
    work = script({"@type": "Article", "headline": "On bees"})
    assert read("<title>The Hive</title>" + work).title == "On bees"
