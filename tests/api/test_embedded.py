"""Cleaning pages whose content is embedded: the result is that of the recovered page."""

import json

import pytest

from victor import Cleaner
from victor.config.schema import Limits
from victor.labelers.crf import CrfLabeler

TEXT = " ".join(
    f"On the {day} forty volunteers walked out on to the mud and carried shells to the old beds, "
    "because young oysters settle on nothing that moves with the tide."
    for day in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
)
EMBEDDED = (
    "<html lang=en><head><title>Oysters</title></head><body><div id=app>Loading</div>"
    f'<script type="application/ld+json">{json.dumps({"articleBody": TEXT})}</script></body></html>'
).encode()
PLAIN = f"<html><body><p>{TEXT}</p></body></html>".encode()
SPLASH = b"<html><body><div>Loading</div><script>var a = 1;</script></body></html>"


@pytest.fixture(scope="session")
def labeler(small_model):
    return CrfLabeler(small_model)


def test_embedded_content_is_cleaned(labeler):
    result = Cleaner(labeler).clean(EMBEDDED, "http://a/")
    assert TEXT in result.text
    assert result.metadata["recovered"] == "json-ld"
    assert result.metadata["title"] == "Oysters"
    assert result.url == "http://a/"


@pytest.mark.parametrize("form", ["text", "markdown", "html", "cleaneval", "records"])
def test_every_form_is_that_of_the_recovered_page(labeler, form):
    assert "forty volunteers" in Cleaner(labeler).clean(EMBEDDED).render(form)


def test_other_pages_are_as_they_were(labeler):
    plain, embedded, splash = Cleaner(labeler).clean_many([PLAIN, EMBEDDED, SPLASH])
    assert "recovered" not in plain.metadata
    assert "recovered" not in splash.metadata
    assert [block.text for block in splash.blocks] == ["Loading"]
    assert TEXT in embedded.text


def test_a_recovered_page_beyond_the_limits_is_left_alone(labeler):
    many = json.dumps({"articleBody": "\n".join([TEXT] * 3)})
    page = EMBEDDED.replace(json.dumps({"articleBody": TEXT}).encode(), many.encode())
    cleaner = Cleaner(labeler, limits=Limits(blocks=2))
    assert "recovered" not in cleaner.clean(page).metadata
