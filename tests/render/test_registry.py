"""The formats there are."""

import pytest

from victor.errors import ConfigError
from victor.render.forms import FORMS, Page, renderer


def test_the_names_of_the_formats():
    assert set(FORMS) >= {"text", "markdown", "html", "cleaneval", "records"}


@pytest.mark.parametrize("name", FORMS)
def test_every_format_renders_any_page(name, judge):
    pages = "<p>first", "", "<p>second<p>third"
    verdict = judge(*pages, drop=[1])
    for number, page in enumerate(pages):
        whole = renderer(name)(Page(verdict, number, url="u", markup=page.encode()))
        shown = whole.partition("</style>")[2] or whole
        words = ("first" in shown, "second" in shown)
        assert words == (number == 0, False) or name == "records"
        assert ("third" in shown) == (number == 2)


def test_an_unknown_format_lists_the_known():
    with pytest.raises(ConfigError, match="'docx'; choose one of text, markdown, html"):
        renderer("docx")
