"""Guidelines in the tool: Markdown of anybody becomes harmless HTML."""

import pytest
from lxml import html

from tests.rows import tables
from victor.annotate.api import OURS, guidelines, rendered
from victor.errors import ConfigError


def test_only_harmless_elements_are_left():
    shown = html.fragment_fromstring(rendered(tables(__file__)["hostile"]), create_parent="div")
    names = {element.tag for element in shown.iter()}
    assert names <= {*"div h4 h6 p b a table thead tbody tr th td pre code em strong".split()}
    attributes = {(element.tag, name) for element in shown.iter() for name in element.attrib}
    assert attributes <= {("a", name) for name in ("href", "rel", "target", "title")}
    links = {link.get("href") for link in shown.iter("a")}
    assert links == {
        "http://evil.example/i.png", "https://example.org/", "https://example.org/auto"
    }  # fmt: skip
    assert {link.get("target") for link in shown.iter("a")} == {"_blank"}
    assert "<script>top.ran = 1</script>" in shown.text_content()


def test_our_own_name_every_label(tmp_path):
    for name in ("header", "text", "other", "unlabelled", "no content"):
        assert name in guidelines()
    copy = tmp_path / "own.md"
    copy.write_bytes(OURS.read_bytes())
    assert guidelines(copy) == guidelines()


def test_a_file_that_cannot_be_shown_says_why(tmp_path):
    with pytest.raises(ConfigError, match="cannot be"):
        guidelines(tmp_path / "own.md")
    (tmp_path / "own.md").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8"):
        guidelines(tmp_path / "own.md")
