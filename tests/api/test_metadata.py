"""Metadata of a result are made when they are asked for."""

import json

import victor.metadata.page_metadata
from victor.api import Cleaner
from victor.errors import PageError
from victor.labelers.labeler import build_labeler

PAGE = "<title>On bees</title><p>They live in hives and fly out early in the morning."
TEXT = " ".join(
    f"On day {day} forty volunteers walked out on to the mud and carried shells to the old beds, "
    "because young oysters settle on nothing that moves with the tide."
    for day in ("one", "two", "three", "four", "five", "six", "seven", "eight")
)


def test_metadata_are_lazy_and_made_once(monkeypatch):
    made = []
    original = victor.metadata.page_metadata.page_metadata

    def counted(*arguments, **options):
        made.append(1)
        return original(*arguments, **options)

    monkeypatch.setattr(victor.metadata.page_metadata, "page_metadata", counted)
    result = Cleaner(build_labeler("none")).clean(PAGE)
    assert result.text
    assert made == []
    assert result.metadata["title"] == result.metadata["title"] == "On bees"
    assert made == [1]


def test_metadata_are_plain_data():
    result = Cleaner(build_labeler("none")).clean(PAGE, "https://hive.example/")
    assert json.loads(json.dumps(result.metadata)) == result.metadata


def test_an_error_has_no_metadata():
    (result,) = Cleaner(build_labeler("none")).clean_many([PageError("gone", "it is gone")])
    assert result.metadata == {}


def test_every_page_of_a_batch_has_its_own():
    pages = [f"<title>Page {n}</title><p itemprop=author>Anna B{'c' * n}</p>" for n in range(1, 5)]
    results = [*Cleaner(build_labeler("none")).clean_many(pages)]
    assert [each.metadata["title"] for each in results] == [f"Page {n}" for n in range(1, 5)]


def test_a_recovered_page_has_the_metadata_of_the_page_itself():
    article = {
        "@type": "Article", "headline": "Oysters", "articleBody": TEXT,
        "author": {"@type": "Person", "name": "Anna Keeper"}, "datePublished": "2024-03-09",
    }  # fmt: skip
    page = (
        "<html lang=en><head><title>Oysters</title></head><body><div id=app>Loading</div>"
        f'<script type="application/ld+json">{json.dumps(article)}</script></body></html>'
    )
    result = Cleaner(build_labeler("none")).clean(page)
    assert TEXT in result.text
    assert result.metadata["recovered"] == "json-ld"
    assert result.metadata["authors"] == ["Anna Keeper"]
    assert result.metadata["published"] == "2024-03-09"
    assert result.metadata["encoding"] == "unicode"
