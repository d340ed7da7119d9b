"""Text that names a page instead of being one."""

import pytest

from victor.errors import PageError
from victor.page.source import read_file, refuse_names


@pytest.mark.parametrize("start", ["http://a.org/", "/home/"])
@pytest.mark.parametrize(("size", "is_name"), [(2000, True), (2001, False)])
def test_a_name_has_at_most_two_thousand_characters(start, size, is_name):
    text = start.ljust(size - 5, "a") + ".html"
    if is_name:
        with pytest.raises(PageError) as caught:
            refuse_names(text)
        assert caught.value.reason == "no-markup"
    else:
        refuse_names(text)


@pytest.mark.parametrize("text", ["<http://a.org/>", "a.html <p>", "two words.html", "a.org", ""])
def test_what_is_no_name(text):
    refuse_names(text)


@pytest.mark.parametrize(("most", "page"), [(-1, b"<p>abc"), (6, b"<p>abc"), (3, b"<p>")])
def test_no_more_of_a_file_is_read(tmp_path, most, page):
    (tmp_path / "a.html").write_bytes(b"<p>abc")
    assert read_file(tmp_path / "a.html", most) == page
    assert read_file(tmp_path / "a.html") == b"<p>abc"
