"""JSON-LD is read leniently, and only what it says of the page's main thing counts."""

import pytest
from metadata_pages import read, script

ARTICLE = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "On bees",
    "datePublished": "2024-03-09T10:00:00+01:00",
    "dateModified": "2024-03-10",
    "author": {"@type": "Person", "name": "Anna Keeper"},
    "publisher": {"@type": "Organization", "name": "Hive News"},
    "articleSection": "Nature",
    "keywords": "bees, honey",
    "image": [{"@type": "ImageObject", "url": "/bee.jpg"}],
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "inLanguage": "en-GB",
}


def test_an_article_fills_the_fields():
    said = read(script(ARTICLE), url="https://hive.example/a")
    assert said.as_dict() == {
        "title": "On bees", "authors": ["Anna Keeper"], "published": "2024-03-09T10:00:00+01:00",
        "modified": "2024-03-10", "site": "Hive News", "publisher": "Hive News",
        "language": "en-GB", "image": "https://hive.example/bee.jpg", "section": "Nature",
        "tags": ["bees", "honey"], "type": "newsarticle",
        "licence": "https://creativecommons.org/licenses/by/4.0/",
        "sources": dict.fromkeys(
            ["title", "authors", "published", "modified", "site", "publisher", "language",
             "image", "section", "tags", "type", "licence"], "json-ld"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "wrap",
    [
        lambda node: [node],
        lambda node: {"@graph": [{"@type": "WebSite", "name": "Hive"}, node]},
        lambda node: [{"@type": "BreadcrumbList", "name": "Start"}, [node]],
        lambda node: {"@type": "WebPage", "name": "x | Hive", "mainEntity": node},
        lambda node: {"@graph": [{"@type": "WebPage", "mainEntity": {"@id": "#a"}},
                                 {**node, "@id": "#a"}]},
    ],
)  # fmt: skip
def test_the_article_is_found_wherever_it_stands(wrap):
    said = read(script(wrap(ARTICLE)))
    assert (said.title, said.authors) == ("On bees", ("Anna Keeper",))


def test_references_are_followed():
    graph = [
        {**ARTICLE, "author": [{"@id": "#anna"}, {"@id": "#nobody"}], "publisher": {"@id": "#o"}},
        {"@type": "Person", "@id": "#anna", "name": "Anna Keeper"},
        {"@type": "Organization", "@id": "#o", "name": "Hive News"},
    ]
    said = read(script({"@graph": graph}))
    assert (said.authors, said.publisher) == (("Anna Keeper",), "Hive News")


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "Article", "headline": "On\n\tbees",}',
        '{"@type": "Article", "headline": "On bees", "keywords": ["a", ], }',
        '<!-- {"@type": "Article", "headline": "On bees"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "On bees"}\n//]]>',
        "{&quot;@type&quot;: &quot;Article&quot;, &quot;headline&quot;: &quot;On bees&quot;}",
        '{"@type": "Article", /* the title */ "headline": "On bees"};',
        r'{"@type": "Article", "headline": "On bees", "name": "a keeper\'s \x"}',
        '{"@type": "Thing"} {"@type": "Article", "headline": "On bees"}',
        '{"@type": "Article", "headline": "On bees", "wordCount": NaN}',
        '{"@type": "http://schema.org/Article", "headline": "On &amp;amp;#32;bees"}'.replace(
            "&amp;amp;#32;", " "
        ),
    ],
)
def test_broken_scripts_are_mended(text):
    assert read(script(text)).title == "On bees"


def test_teasers_and_reviews_are_not_the_main_thing():
    teasers = [{"@type": "NewsArticle", "headline": f"Teaser {n}", "url": f"/{n}",
                "author": "Some Body"} for n in range(5)]  # fmt: skip
    page = "<title>News - Hive</title>"
    assert read(page + "".join(map(script, teasers))).authors == ()
    product = {"@type": "Product", "name": "Honey", "review": {**ARTICLE, "@type": "Review"}}
    said = read(script(product))
    assert (said.title, said.authors, said.type) == ("Honey", (), "product")


def test_of_several_articles_the_one_of_the_page_counts():
    others = [{**ARTICLE, "headline": f"Wasps {n}", "author": "O. Ther"} for n in range(4)]
    scripts = "".join(map(script, [*others, ARTICLE]))
    assert read("<title>On bees</title>" + scripts).authors == ("Anna Keeper",)
    at = [{**each, "url": f"https://hive.example/{n}"} for n, each in enumerate(others)]
    at[2]["author"] = "The Right"
    said = read("".join(map(script, at)), url="https://www.hive.example/2?from=x#top")
    assert said.authors == ("The Right",)


def test_a_site_is_not_the_main_thing():
    said = read(script({"@type": "WebSite", "name": "Hive", "author": "W. Ebmaster"}))
    assert said.as_dict() == {"site": "Hive", "sources": {"site": "json-ld"}}
