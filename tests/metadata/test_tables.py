"""Metadata do not depend on the batch, nor on attributes that nobody recorded."""

from hypothesis import given
from hypothesis import strategies as st
from metadata_pages import meta, read

from victor.metadata.dates import days_in
from victor.metadata.page_metadata import page_metadata
from victor.metadata.page_view import PageView
from victor.metadata.texts import clean
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts


def test_tables_without_attributes_work():
    head = "<title>On bees</title>" + meta("description", "x")
    body = "<h1>On bees</h1><p class=byline>By Anna Keeper</p><p itemprop=author>Ben Waggle"
    said = read(head, body + "<p>They fly far out over the fields. ", attributes=())
    assert (said.title, said.authors) == ("On bees", ("Anna Keeper",))


def test_metadata_do_not_depend_on_the_batch():
    pages = [
        b"<title>Bees</title><h1>Bees</h1><p class='Byline x'>By A. Keeper</p><p id=date>1.5.2024",
        b"<h1>Wax</h1><p class=author>B. Waggle<time datetime=2020-01-02></time><p class=meta>May",
        b"",
        b"<div class=nav><p class='post-meta author-name' itemprop=author>C. Comb",
    ]
    table = parse_pages(pages, attributes=ATTRIBUTES)
    for number, page in enumerate(pages):
        alone = page_metadata(parse_pages([page], attributes=ATTRIBUTES), 0)
        assert page_metadata(table, number) == alone


@given(
    st.lists(st.text("19024./-٢٠\u200b &amp;#53; a年月", max_size=14)
             | st.sampled_from(["9 March 2024", "1.2.20\u200b24", "&amp;#50;024-03-09"]),
             max_size=5)
)  # fmt: skip
def test_blocks_with_a_date_may_have_one(texts):
    table = parse_pages(["".join(f"<p>{text}</p>" for text in texts).encode()])
    dated = PageView(table, 0, None, b"").dated
    for block, text in enumerate(block_texts(table)):
        assert block in dated or not days_in(clean(text), month_first=True)
