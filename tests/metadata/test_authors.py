"""Authors are names, each once."""

import pytest
from metadata_pages import meta, read, script

from victor.metadata.authors import names_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("By Anna Keeper", ("Anna Keeper",)),
        ("by Anna Keeper and Ben Waggle", ("Anna Keeper", "Ben Waggle")),
        ("Anna Keeper, Ben Waggle & Cy Drone", ("Anna Keeper", "Ben Waggle", "Cy Drone")),
        ("ByAnna Keeper", ("Anna Keeper",)),
        ("Written by: Dr. Anna Keeper, PhD | March 9, 2024", ("Dr. Anna Keeper, PhD",)),
        ("Anna Keeper, Staff Writer", ("Anna Keeper",)),
        ("Anna Keeper on March 9, 2024", ("Anna Keeper",)),
        ("9 March 2024 | Anna Keeper", ("Anna Keeper",)),
        ("Von Anna Imker und Bernd Stock", ("Anna Imker", "Bernd Stock")),
        ("Par Anne Ruche et Jean Miel", ("Anne Ruche", "Jean Miel")),
        ("Autor: Jana Včelařová", ("Jana Včelařová",)),
        ("Por Ana Colmena", ("Ana Colmena",)),
        ("Di Maria Rossi", ("Maria Rossi",)),
        ("Door Jan de Bij", ("Jan de Bij",)),
        ("Автор: Анна Пасечник", ("Анна Пасечник",)),
        ("作者：张三", ("张三",)),
        ("Anna Keeper (anna@hive.example)", ("Anna Keeper",)),
        ("Anna Keeper, Anna  Keeper", ("Anna Keeper",)),
        ("Saul Ben-Ami, AFP", ("Saul Ben-Ami",)),
        ("Von DPA", ("DPA",)),
        ("Anna Keeper, docent of the chair of hives", ("Anna Keeper",)),
        ("Anna Keeper, Benny of hives Waggle", ("Anna Keeper", "Benny of hives Waggle")),
        ("Honey and Wax", ("Honey and Wax",)),
        ("Honey Keeper and Waggle", ("Honey Keeper", "Waggle")),
        ("Anna Keeper @ Hives", ("Anna Keeper",)),
        ("ANNA KEEPER AP Science Writer", ("ANNA KEEPER",)),
        ("Anna Keeper Senior Hive Correspondent", ("Anna Keeper",)),
        ("Anna Keeper WordPress No Comments", ("Anna Keeper",)),
        ("Anna May Keeper Editor", ("Anna May Keeper Editor",)),
        ("Maria de la Cruz Reporter", ("Maria de la Cruz Reporter",)),
        ("Staff Writer", ("Staff Writer",)),
        ("Beeford State University", ("Beeford State University",)),
        ("Par Anne Ruche Publié le", ("Anne Ruche",)),
        ("see https://hive.example/members/bee12/", ()),
        ("Image: Bees/iStock)", ()),
        ("admin", ()),
        ("Administrator", ()),
        ("jkeeper", ()),
        ("https://hive.example/anna", ()),
        ("anna@hive.example", ()),
        ("By", ()),
        ("", ()),
        ("x" * 5_000, ()),
        ("5 min read", ()),
    ],
)
def test_names_in_a_byline(text, names):
    assert names_in(text) == names


def test_names_that_begin_like_a_byline_stay_whole():
    for name in ("Di Yang", "De Niro", "Von Miller", "Byron James", "James E Smith"):
        assert names_in(name, is_declared=True) == (name,)


def test_log_ins_are_names_in_forums_only():
    assert names_in("jkeeper", logins=True) == ("jkeeper",)
    posting = {"@type": "DiscussionForumPosting", "headline": "Why?", "author": {"name": "bee12"}}
    assert read(script(posting)).authors == ("bee12",)
    assert read(script({**posting, "@type": "Article"})).authors == ()


@pytest.mark.parametrize(
    ("head", "source"),
    [
        (meta("author", "Anna Keeper"), "meta"),
        (meta("article:author", "https://a.example/") + meta("author", "Anna Keeper"), "meta"),
        (meta("article:author", "Anna Keeper"), "open-graph"),
        (meta("dc.creator", "Anna Keeper"), "dublin-core"),
        (meta("citation_author", "Keeper, Anna"), "meta"),
        (meta("twitter:label1", "Written by") + meta("twitter:data1", "Anna Keeper"), "meta"),
        (script({"@type": "Article", "author": ["Anna Keeper"]}), "json-ld"),
        (script({"@type": "Article", "author": {"givenName": "Anna", "familyName": "Keeper"}}),
         "json-ld"),
    ],
)  # fmt: skip
def test_declared_authors(head, source):
    said = read(head)
    assert (said.authors, said.sources["authors"]) == (("Anna Keeper",), source)


TEXT = "<p>" + "They fly far out over the fields in spring and come home late. " * 3


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ("<div itemprop=author>By <span itemprop=name>Anna Keeper</span>, 3 posts</div>",
         "microdata"),
        ("<h1>On bees</h1><p class='post-author-name'>Anna Keeper</p>", "byline"),
        ("<h1>On bees</h1><p class=byline>By <a>Anna Keeper</a> in Nature</p>", "byline"),
        ("<h1>On bees</h1><p>Posted by Anna Keeper on 9 March 2024", "byline"),
        ("<h1>On bees</h1><p>March 9, 2024 · 3 min read · By Anna Keeper", "byline"),
        ("<h1>On bees</h1><p>Anna Keeper</p><p>9 March 2024", "byline"),
    ],
)  # fmt: skip
def test_authors_in_the_page(body, source):
    said = read("<title>On bees</title>", body + TEXT)
    assert (said.authors, said.sources["authors"]) == (("Anna Keeper",), source)


@pytest.mark.parametrize(
    "body",
    [
        "<p>Play Game</p>", "<p>Sort By</p>", "<p>Hive Frames</p><p>Buy a frame of a hive</p>",
        "<p>from django.db import models</p>", "<p>By the Manufacturer</p>",
        "<p>Von Bienen lernen</p>", "<p>I'm hopeful we'll build</p><p>9 March 2024</p>",
        "<p>HiveStanding Frames</p><p>9 March 2024</p>",
    ],
)  # fmt: skip
def test_what_is_no_byline(body):
    assert read("<title>On bees</title>", f"<h1>On bees</h1>{body}").authors == ()


def test_a_byline_without_mark_needs_a_date_beside_it():
    head, body = "<title>On bees</title>", "<h1>On bees</h1><p>Anna Keeper</p>"
    assert read(head, body).authors == ()
    assert read(head, f"{body}<p>9 March 2024").authors == ("Anna Keeper",)
    assert read(head, body.replace("</p>", ", @akeeper</p>")).authors == ("Anna Keeper",)


def test_a_byline_by_the_name_of_its_element_needs_an_article_a_date_or_the_headline():
    head, far = "<title>On bees</title>", "<h1>On bees</h1>" + "<p>menu</p>" * 9
    body = f"{far}<p class=byline>Anna Keeper"
    assert read(head, body).authors == ()
    assert read(head, f"{body}<p>9 March 2024").authors == ("Anna Keeper",)
    assert read(head + meta("og:type", "article"), body).authors == ("Anna Keeper",)
    assert read(head, "<h1>On bees</h1><p class=byline>Anna Keeper").authors == ("Anna Keeper",)


def test_bylines_of_products_are_those_of_reviews():
    body = "<h1>On bees</h1><p class=author-name>Anna Keeper</p><p>9 March 2024"
    assert read("<title>On bees</title>", body).authors == ("Anna Keeper",)
    assert read(meta("og:type", "product.item") + "<title>On bees</title>", body).authors == ()


def test_the_name_of_an_author_far_from_the_headline_needs_an_article_or_a_date():
    name, title = "<p class=author-name>Anna Keeper</p>", "<title>On bees</title>"
    near, far = ("<h1>On bees</h1>" + "<p>menu</p>" * n + name for n in (24, 25))
    assert read(title, near).authors == ("Anna Keeper",)
    assert read(title, far).authors == ()
    assert read(title, f"{far}<p>9 March 2024").authors == ("Anna Keeper",)
    assert read(title + meta("og:type", "article"), far).authors == ("Anna Keeper",)


def test_the_name_of_the_site_is_not_cut():
    site = meta("og:site_name", "hive.example")
    for name in ("hive.example", "Hive and Wax", "Hive et AFP"):
        head = (
            site if "." in name else meta("og:site_name", name.removesuffix(" et AFP"))
        ) + script({"@type": "Article", "author": {"@type": "Person", "name": name}})
        assert read(head).authors == (name,)


def test_a_list_of_questions_is_no_forum():
    types = "<i itemtype=https://schema.org/Question></i>"
    line = "<h1>On bees</h1><p>By bee12</p>"
    assert read("<title>On bees</title>", types + line).authors == ("bee12",)
    types += "<i itemtype=https://schema.org/FAQPage></i>"
    assert read("<title>On bees</title>", types + line).authors == ()


def test_authors_of_comments_and_teasers_are_not_those_of_the_page():
    body = (
        "<h1>On bees</h1>" + TEXT * 8 + "<div class=comments><p class=comment-author>Ben Waggle</p>"
        "<p itemprop=author>Cy Drone</p></div><div class='related'><p class=byline>By Dee Wing</p>"
    )
    assert read("<title>On bees</title>", body).authors == ()


def test_the_site_is_the_author_only_where_nobody_else_is():
    site = meta("og:site_name", "Hive News") + meta("author", "Hive News")
    assert read(site).authors == ("Hive News",)
    said = read(site + "<title>On bees</title>", "<h1>On bees</h1><p>By Anna Keeper" + TEXT)
    assert said.authors == ("Anna Keeper",)


def test_a_table_without_attributes_has_texts_and_heads_only():
    body = "<h1>On bees</h1><p class=byline>By Anna Keeper</p><p itemprop=author>Ben Waggle"
    said = read("<title>On bees</title>", body + TEXT, attributes=())
    assert said.authors == ("Anna Keeper",)
