"""The full record against the lean events, on our own pages, on trouble, and on random soup."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import page as pages

from victor.errors import ConfigError
from victor.page.markup.full_record import Kind, markup_of, record_full
from victor.page.parsing.tags import NAMES, tag_id
from victor.page.table.segment import read_pages
from victor.page.table.texts import block_texts

ROOT = Path(__file__).parents[2]
SPECIMENS = (
    "",
    "text only",
    "<p>a<script>if (a < b) { '</p>' }</script>b<style>p > a {}</style></p>",
    "<applet><p>gone</p><applet>gone<svg><title>t</title></svg></applet></applet><p>stays",
    "<pre>\n a\n\n<b>b\n</b> c</pre><br><p>d<br><br>e<img alt='f' src=g>h<wbr>i",
    "<p>a</html> b <div>c</div></body><p>d",
    "<ul><li>a<li>b<ul><li>c</ul></ul><table>d<tr><td>e<td>f</table></table>g",
    "<svg><p>gone</svg><template><p>gone</template><noscript><p>stays</noscript>",
    "<title>t</title><p>a<textarea>gone <b></textarea><title>u</title><p>b",
    "<p>a<embed>b</p>c<plaintext>d</p>",
    "<pre>a\n<img alt='q r'>b\nc&#13;d</pre>",
    "<div>" * 5000 + "deep",
)
OWN = [*ROOT.glob("tests/golden/*/page.html"), *ROOT.glob("annotations/pages/*.html")]
PAGES = [page.encode() for page in SPECIMENS] + [path.read_bytes() for path in sorted(OWN)[::3]]

OPTIONS = (
    {"split": "block"},
    {"split": "tag"},
    {"split": "tag", "alt_text": True},
    {"split": "tag", "alt_text": True, "pre_lines": True},
)


def check_numbering(page, options):
    """Tags have the ordinals of the lean stream, and texts the blocks that hold them."""
    table = read_pages([b"<p>before<br>", page], **options)
    full = markup_of(table, 1, page)
    first = table.elements.open[table.page_roots[1]]
    for item in full.items:
        if item.kind in (Kind.START, Kind.END) and not item.dropped:
            assert NAMES[table.tags.id[first + item.tag]] == NAMES[tag_id(item.text)]
    blocks = full.blocks(table, 1).tolist()
    texts = dict.fromkeys(range(1, len(table)), "")
    for block, item in zip(blocks, full.items, strict=True):
        if block >= 0:
            texts[block] += item.text if item.kind is Kind.TEXT else item.attributes["alt"]
    solid = {block: plain(text) for block, text in texts.items()}
    assert solid == dict(list(enumerate(map(plain, block_texts(table))))[1:])


def plain(text):
    """Text without anything that counts as white space."""
    return "".join(c for c in text if c.isprintable() and c not in " \xa0\u200b\ufeff")


@pytest.mark.parametrize("options", OPTIONS)
def test_full_and_lean_number_pages_alike(options):
    for page in PAGES:
        check_numbering(page, options)


@given(pages(), st.sampled_from(OPTIONS))
def test_full_and_lean_number_soup_alike(page, options):
    check_numbering(page, options)


def test_the_markup_of_another_page_is_refused():
    table = read_pages([b"<p>a", b"<p>b<p>c"])
    with pytest.raises(ConfigError, match="8 tags but page 1 of the table 10"):
        record_full(b"<p>a").blocks(table, 1)
