"""What is HTML and what is not, by media type and first bytes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import tables, written_out
from victor.sources.record import Record, refused

ROWS = tables(__file__)

PAGE = b"<!DOCTYPE html><html><body><p>Text</p></body></html>"


def reason(body, media_type=None):
    return refused(Record("a", 0, body, media_type=media_type))


@pytest.mark.parametrize("body", ROWS["others"])
@pytest.mark.parametrize("media_type", [None, "text/html", "application/octet-stream"])
def test_other_formats_whatever_the_declaration_says(body, media_type):
    assert reason(body, media_type) == "not-html"


@pytest.mark.parametrize("body", [*ROWS["pages"], PAGE, PAGE.decode()])
@pytest.mark.parametrize("media_type", [None, "", "text/html", "application/xhtml+xml", "*/*"])
def test_pages(body, media_type):
    assert reason(body, media_type) is None


@pytest.mark.parametrize("root", ["urlset", "sitemapindex", "sm:urlset"])
@pytest.mark.parametrize(
    "start", ["", '<?xml version="1.0" encoding="UTF-8"?>\n<?style x?>\n<!-- - -->']
)
@pytest.mark.parametrize("media_type", [None, "text/html", "text/xml"])
def test_sitemaps(root, start, media_type):
    body = f'{start}<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></{root}>'
    assert reason(body.encode(), media_type) == "sitemap"
    assert reason(body, media_type) == "sitemap"


@settings(derandomize=True, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60), st.none() | st.text(max_size=12))
def test_anything_goes(body, media_type):
    assert reason(body, media_type) in (None, "not-html", "sitemap")


@pytest.mark.parametrize("start", ["<?", "<!--", "<!-- -", "<!doctype ", "<?xml ", " ", "<!--->"])
def test_long_beginnings_take_linear_time(start):
    assert reason(start * 1_000_000) in (None, "not-html")


@pytest.mark.parametrize(("written", "encoding", "media_type", "expected"), ROWS["limits"])
def test_limits_of_what_is_sniffed(written, encoding, media_type, expected):
    text = written_out(written)
    assert reason(text.encode(encoding) if encoding else text, media_type) == expected
