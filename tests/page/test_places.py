"""Paths to blocks: each selects its block alone, in lxml and in Chromium."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from lxml import etree
from strategies import page as pages

from tests.oracles import with_breaks
from victor.page.parsing.characters import JOINER, SPACE, class_table
from victor.page.parsing.events import record
from victor.page.places.xpaths import Places
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

CLASSES = class_table()


def visible(text):
    """A text without white space and what joins."""
    return "".join(c for c in text if CLASSES[ord(c)] not in (SPACE, JOINER))


def cut(markup, split="block", **options):
    """Texts and places of the blocks of a page."""
    markup = markup.encode() if isinstance(markup, str) else markup
    table = segment(record([markup]), split, **options)
    given = Places(table, 0, markup)
    return block_texts(table), given.xpaths


def tree(markup):
    markup = markup.encode() if isinstance(markup, str) else markup
    parser = etree.HTMLParser(huge_tree=True, encoding="utf-8")
    return etree.fromstring(with_breaks(markup), parser).getroottree()


def selected(document, xpath):
    """The text that an XPath selects, and the nodes."""
    nodes = document.xpath(xpath)
    return "".join(n if isinstance(n, str) else n.xpath("string()") for n in nodes), nodes


def check(markup, split="block"):
    """Every XPath selects its block; returns the XPaths."""
    texts, rows = cut(markup, split)
    document = tree(markup) if texts else None
    for text, row in zip(texts, rows, strict=True):
        assert visible(selected(document, row)[0]) == visible(text), row
    return rows


@pytest.mark.parametrize("split", ["block", "tag"])
@given(page=pages())
def test_every_path_selects_its_block_alone(page, split):
    rows = check(page, split)
    assert split == "tag" or len(set(rows)) == len(rows)


@pytest.mark.parametrize(
    "between",
    [
        "<!-- comment -->", "<script>var a = 1;</script>", "&nbsp;", "<b>&nbsp;</b>", "<b> </b>",
        "<svg><title>drawn</title><a>b</a></svg>", "<template>t<div>u</div></template>",
        "<applet><p>o</p></applet>", "<script type='math/tex'>x^2</script>",
        "<script type='math/tex'>x^2</script><script>y</script>", "<?pi x?>",
        "<img alt=c>", "\u200b", "<object data=x>u<p>v</p></object>",
    ],
)  # fmt: skip
def test_what_is_in_between_is_selected_if_it_is_text_of_a_block(between):
    check(f"<div>{between}<p>a</p>b{between}c<p>d</p>{between}e<div>f</div>{between}</div>")


def test_text_in_a_shadow_root_has_the_path_of_its_host():
    root = "<template shadowrootmode=open><p>u</p><template>v</template></template>"
    markup = f"<div><p>a</p><my-card>{root}b</my-card><p>c</p>d</div>"
    texts, rows = cut(markup)
    place = dict(zip(texts, rows, strict=True))
    assert place["u"] == "(//my-card)[1]"
    assert place["c"] == "(//p[not(ancestor::template)])[2]"
    for text in "abcd":
        assert selected(tree(markup), place[text])[0] == text


def test_paths_do_not_grow_with_the_depth_of_a_page():
    def longest(depth):
        _, rows = cut("".join(f"<div>{number}" for number in range(depth)))
        assert len(rows) == depth
        return max(map(len, rows))

    assert longest(4000) < longest(1000) + 10


# --- Chromium ------------------------------------------------------------------------------------

SELECT = """xpaths => xpaths.map((xpath) => {
  const nodes = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  const texts = [];
  for (let i = 0; i < nodes.snapshotLength; i++) texts.push(nodes.snapshotItem(i).textContent);
  return texts.join("");
})"""
IN_BROWSERS = yaml.safe_load(Path(__file__).with_name("in_browsers.yaml").read_text("utf-8"))


@pytest.fixture
def without_scripts(browser):
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("markup", IN_BROWSERS.values(), ids=IN_BROWSERS)
def test_browsers_select_the_same(markup, without_scripts):
    check(markup)
    texts, rows = cut(markup)
    without_scripts.set_content(markup)
    chosen = without_scripts.evaluate(SELECT, rows)
    assert [*map(visible, chosen)] == [*map(visible, texts)]
