"""Authors are names, each once."""

import pytest
from metadata_pages import meta, read, script

from victor.metadata.names import is_personal, names_in


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


def test_is_personal():
    assert is_personal("Anna Keeper")
    assert is_personal("Jan de Bij")
    assert not is_personal("Personal Finance")
    assert not is_personal("Anna")


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
