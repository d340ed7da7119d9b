"""What is HTML and what is not, by media type and first bytes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.sources.record import Record, refused

PAGE = b"<!DOCTYPE html><html><body><p>Text</p></body></html>"


def reason(body, media_type=None):
    return refused(Record("a", 0, body, media_type=media_type))


OTHERS = [
    *(b"%PDF-1.7\n", b"\r\n %PDF-1.7", b"\x89PNG\r\n\x1a\n\0", b"GIF89a..", b"PK\3\4\x14\0"),
    *(b"PK\5\6" + bytes(18), b"\x1f\x8b\x08\0", b"BZh91AY&SY", b"RIFF\1\2\3\4WEBPVP8"),
    *(b"\0\0\0\x18ftypmp42", b"ID3\4\0\0", b"OggS\0", b"wOF2\0\1", b"{\\rtf1\\ansi", b"\x7fELF\2"),
    *(b'{"a": "<p>x</p>"}', b' [{"html": 1}]\n', b"[]", b"{}", b'["a", "b"]'),
    *(b'<?xml version="1.0"?><rss version="2.0"></rss>', b"<feed xmlns='a'></feed>"),
    *(b'<?xml version="1.0"?><!-- c --><svg width="1"></svg>', b"<svg:svg></svg:svg>"),
    *(b'<?xml version="1.0"?>\n<unknown/>', b"<rdf:RDF></rdf:RDF>"),
]
HTML = [
    *(PAGE, PAGE.decode(), b"\xef\xbb\xbf" + PAGE, "\ufeff" + PAGE.decode(), b"", ""),
    *("\ufeff<html>x".encode("utf-16-le"), b"\xfe\xff" + "<p>x".encode("utf-16-be"), b"<p>x"),
    *(b"plain words", b"<custom-element>x", b"{ a brace", b"[1] a note<p>", b"{{ x }}"),
    *(b'<?xml version="1.0"?><!DOCTYPE html><html xmlns="x">', b"<?xml version='1.0'?><div>"),
    *(b"<!-- c --><!DOCTYPE html PUBLIC 'x'><head>", b"OTTO sells <b>things</b>", b"BZh <p>"),
    b"<p><svg></svg>",
]


@pytest.mark.parametrize("body", OTHERS)
@pytest.mark.parametrize("media_type", [None, "text/html", "application/octet-stream"])
def test_other_formats_whatever_the_declaration_says(body, media_type):
    assert reason(body, media_type) == "not-html"


@pytest.mark.parametrize("body", HTML)
@pytest.mark.parametrize("media_type", [None, "", "text/html", "application/xhtml+xml", "*/*"])
def test_pages(body, media_type):
    assert reason(body, media_type) is None


@pytest.mark.parametrize("media_type", ["text/plain", "application/xml", "text/xml"])
def test_text_and_xml_are_pages_if_they_begin_as_pages_do(media_type):
    assert reason(PAGE, media_type) is None
    assert reason(b"<html><p>x", media_type) is None
    assert reason(b"Some text <b>about</b> tags", media_type) == "not-html"


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


HEAD = 4096


@pytest.mark.parametrize(
    ("body", "media_type", "expected"),
    [
        (b" " * (HEAD - 4) + b"<svg x", None, "not-html"),
        (b" " * (HEAD - 3) + b"<svg x", None, None),
        (" " * (HEAD - 4) + "<svg x", None, "not-html"),
        (" " * (HEAD - 3) + "<svg x", None, None),
        (("\ufeff" + " " * (HEAD // 2 - 4) + "<svg x").encode("utf-16-le"), None, "not-html"),
        (("\ufeff" + " " * (HEAD // 2 - 3) + "<svg x").encode("utf-16-le"), None, None),
        (("\ufeff" + " " * (HEAD // 2 - 4) + "<svg x").encode("utf-16-be"), None, "not-html"),
        (b"\xef\xbb\xbf" + b" " * (HEAD - 4) + b"<svg x", None, "not-html"),
        (b"\xef\xbb\xbf" + b" " * (HEAD - 3) + b"<svg x", None, None),
        # JSON opens and closes as such; a closing bracket stands in the last 64 bytes.
        (b"[1" + b" " * 99 + b"]" + b" " * 63, "text/html", "not-html"),
        (b"[1" + b" " * 99 + b"]" + b" " * 64, "text/html", None),
        ("[1" + " " * 99 + "]" + " " * 63, "text/html", "not-html"),
        ("[1" + " " * 99 + "]" + " " * 64, "text/html", None),
        (b"[1 and so on", "text/html", None),
        (b"[link] and {more}", "text/html", None),
        # Text and XML are pages only if they begin as these do.
        (b" <!DOCTYPE html>", "text/plain", None),
        (b" <!DOCTYPE html x", "text/plain", None),
        (b"<!DOCTYPE htm", "text/plain", "not-html"),
        (b"<!DOCTYPE html>", "image/png", "not-html"),
        (b"<?xml version='1.0'?><unknown>", None, "not-html"),
        (b"<unknown>", None, None),
        (b"<unknown>", "text/xml", "not-html"),
        (b"<?xml version='1.0'?>", None, None),
    ],
)
def test_limits_of_what_is_sniffed(body, media_type, expected):
    assert reason(body, media_type) == expected
