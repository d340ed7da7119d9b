"""Guidelines in the tool: Markdown of anybody becomes harmless HTML."""

import pytest
from lxml import html

from victor.annotate.api import OURS, guidelines, rendered
from victor.errors import ConfigError

HOSTILE = """# Rules <script>top.ran = 1</script>

### Deep

<iframe src="http://evil.example/"></iframe> <b onclick="x()">bold</b>

![picture](http://evil.example/i.png) [js](javascript:alert(1)) [data](data:text/html,x)
[here](../x)
[out](https://example.org/ "title") <https://example.org/auto>

| a | b |
|--:|:-:|
| 1 | <img src=x onerror=y> |

<style>body { display: none }</style>

    <script>code</script>
"""


def test_only_harmless_elements_are_left():
    shown = html.fragment_fromstring(rendered(HOSTILE), create_parent="div")
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


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"\xff\xfe", "not UTF-8"), (None, "cannot be")],
)
def test_a_file_that_cannot_be_shown_says_why(tmp_path, content, message):
    file = tmp_path / "own.md"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        guidelines(file)
