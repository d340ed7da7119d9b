"""Pages that are named: paths are read, addresses fetched on demand, names as text refused."""

from pathlib import Path

import pytest
from web_server import serving

import victor
from tests.rows import tables
from victor.config.schema import Limits
from victor.errors import ConfigError, PageError
from victor.page.source import refuse_names

ROWS = tables(__file__)

PAGE = "<nav><a href='/'>Home</a></nav><h1>On bees</h1>" + (
    "<p>Bees live in colonies, and what one of them finds the others soon know, for they dance. "
    "So does every summer pass, until the heather has gone and the nights are cold." * 3
)


@pytest.mark.parametrize(
    ("name", "message"),
    [(name, r"an address .*victor\.fetch") for name in ROWS["addresses"]]
    + [(name, r"name of a file .*Path") for name in ROWS["paths"]],
)
def test_a_name_says_what_to_do(name, message):
    with pytest.raises(PageError, match=message) as caught:
        victor.clean(name)
    assert caught.value.reason == "no-markup"


@pytest.mark.parametrize("text", ROWS["texts"])
def test_text_is_a_page(text):
    refuse_names(text)
    assert victor.clean(text).error is None


def test_bytes_are_never_a_name():
    """What was read or downloaded is a page, whatever it says."""
    assert victor.clean(b"https://example.com").error is None


def test_names_in_a_batch_cost_only_themselves():
    first, second, third = victor.clean_many([PAGE, "https://example.com", PAGE])
    assert (first.text, second.reason) == (third.text, "no-markup")
    assert "bees" in first.markdown.lower()


def test_a_path_is_read(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    expected = victor.clean(PAGE.encode())
    for result in (victor.clean(path), *victor.clean_many([path])):
        assert (result.text, result.url) == (expected.text, str(path))
    assert victor.clean(path, "https://example.com/").url == "https://example.com/"


def test_a_path_that_cannot_be_read_is_an_error_of_its_page(tmp_path):
    gone, folder = victor.clean_many([tmp_path / "gone.html", tmp_path])
    assert (gone.reason, folder.reason) == ("unreadable", "unreadable")
    assert gone.url == str(tmp_path / "gone.html")
    assert "No such file" in str(gone.error)
    assert "name its files" in str(folder.error)


def test_the_limit_holds_for_files_and_no_more_is_read(tmp_path):
    path = tmp_path / "large.html"
    path.write_bytes(b"<p>" + b"x" * 5000)
    cleaner = victor.Cleaner(victor.api.load_cleaner().labeler, limits=Limits(bytes=1000))
    (result,) = cleaner.clean_many([path])
    assert result.reason == "too-many-bytes"
    with pytest.raises(PageError, match="more than 1000 bytes"):
        cleaner.clean(path)


def test_other_types_name_what_a_page_is():
    with pytest.raises(PageError, match="bytes, str or a Path, not int"):
        victor.clean(7)


@pytest.mark.parametrize("page", [PAGE, PAGE.encode(), Path("page.html"), victor.Source(PAGE)])
def test_one_page_is_no_list_of_pages(page):
    """A str would be a page for each of its characters."""
    with pytest.raises(ConfigError, match="clean_many takes a list of pages"):
        list(victor.clean_many(page))


def test_an_address_is_fetched_when_asked_for():
    body = PAGE.replace("dance", "tančí").encode("iso-8859-2")
    routes = {
        "/old": (302, {"Location": "/page"}, b""),
        "/page": (200, {"Content-Type": "text/html; charset=iso-8859-2"}, body),
    }
    with serving(routes) as (server, asked):
        source = victor.fetch(f"{server}/old")
        assert (source.url, source.charset) == (f"{server}/page", "iso-8859-2")
        assert source.page == body
        assert asked == ["/old", "/page"]
    results = [victor.clean(source), *victor.clean_many([source])]
    for result in results:
        assert (result.url, result.metadata["encoding"]) == (source.url, "iso-8859-2")
        assert "tančí" in result.text
    assert victor.clean(source, "https://example.com/").url == "https://example.com/"


def test_a_page_that_is_larger_than_allowed_is_refused_and_not_cut():
    body = PAGE.encode()
    with serving({"/": (200, {"Content-Type": "text/html"}, body)}) as (server, _):
        assert victor.fetch(f"{server}/", most=len(body)).page == body
        with pytest.raises(PageError, match=f"larger than {len(body) - 1} bytes") as caught:
            victor.fetch(f"{server}/", most=len(body) - 1)
    assert caught.value.reason == "too-large"
