"""Paths to blocks: each selects its block alone, in lxml and in Chromium."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from lxml import etree
from strategies import page as pages

from tests.oracles import with_breaks
from victor.page.markup.elements import MarkupElements
from victor.page.parsing.characters import JOINER, SPACE, class_table
from victor.page.parsing.events import record
from victor.page.places.xpaths import Places
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

INVISIBLE = re.compile(
    "["
    + "".join(
        f"\\U{code:08x}" for code, kind in enumerate(class_table()) if kind in (SPACE, JOINER)
    )
    + "]"
)


def visible(text):
    """A text without white space and what joins."""
    return INVISIBLE.sub("", text)


def cut(markup, split="block", **options):
    """Texts and places of the blocks of a page."""
    markup = markup.encode() if isinstance(markup, str) else markup
    table = segment(record([markup]), split, **options)
    given = Places(table, 0, MarkupElements.of_page(table, 0, markup), markup)
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
def test_every_path_selects_its_block(page, split):
    check(page, split)


@given(page=pages())
def test_no_two_blocks_have_one_path(page):
    _, rows = cut(page)
    assert len(set(rows)) == len(rows)


def test_a_block_that_fills_an_element_is_that_element():
    xpaths = check("<div id=story><p>one<p>two <b>bold</b></div><p>three")
    assert xpaths == [
        "(//*[@id='story']//p)[1]",
        "(//*[@id='story']//p)[2]",
        "(//p)[3]",
    ]


def test_empty_paragraphs_do_not_count_where_only_browsers_have_some():
    assert check("<p></p><p>one</p>") == ["(//p)[2]"]
    assert check("<p></p><div></p></div><p>one</p>") == ["(//p[normalize-space()])[1]"]


def test_text_between_children_and_lines_are_text_nodes():
    xpaths = check("<div id=a>before<p>inside</p>after <i>it</i><br><br>line</div>")
    texts = "(//*[@id='a']//text()[normalize-space()])"
    assert xpaths[::2] == [f"{texts}[1]", f"{texts}[position()>=3 and position()<=4]"]


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


def test_namesakes_in_dropped_elements_are_not_counted():
    xpaths = check("<applet><div>hidden</div></applet><div>shown</div>")
    assert xpaths == ["(//div[not(ancestor::applet)])[1]"]


def test_ids_that_occur_twice_or_are_odd_are_no_start():
    odd = """<div id=a>1<p>2</div><div id=a>3<p>4</div><div id="it's &quot;odd&quot;">5<p>6</div>"""
    xpaths = check(odd + "<div id=''>7<p>8</div><a id=link><p>9</a>")
    assert not [xpath for xpath in xpaths if "@id" in xpath]


def test_nested_tables_and_unknown_elements():
    cell = "<table><tr><td>{}<td>x</table>"
    check(cell.format("a" + cell.format("b" + cell.format("c"))))
    xpaths = check("<div><o:p>a</o:p><my-card>b</my-card><unheard>c</unheard>d</div>")
    assert not [xpath for xpath in xpaths if "o:p" in xpath or "unheard" in xpath]


def test_lines_of_one_text_node_have_the_path_of_what_is_around():
    texts, rows = cut("<pre id=code>one\ntwo</pre>", "tag", pre_lines=True)
    assert texts == ["one", "two"]
    assert set(rows) == {"(//pre)[1]"}


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
