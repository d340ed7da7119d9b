"""Units between kept blocks are kept, and lists have no holes."""

import pytest
from kinds.unit_verdicts import unit_verdict

from victor.api.functions import load_cleaner
from victor.page.table.texts import block_texts

PROSE = "<p>The ferry carried its first passengers on Monday, nine weeks after it had stopped.</p>"
STORY = PROSE * 3
SURE = 0.9


def verdict_of(page, p_keep=None, *, threshold=0.5, by_model=True, rest=SURE):
    """The verdict of a labeler that is sure of all blocks but some."""
    p_keep = p_keep or {}
    return unit_verdict(
        page, lambda text: 1 - p_keep.get(text, rest), threshold=threshold, by_model=by_model
    )


def dropped(verdict):
    """Texts that are not kept."""
    texts = block_texts(verdict.table)
    return [text for text, keep in zip(texts, verdict.kept, strict=True) if not keep]


ISLANDS = [
    "<ul><li>a<li>b</ul>",
    "<ol><li>a<ul><li>b</ul></ol>",
    "<dl><dt>a<dd>b</dl>",
    "<table><tr><td>a<tr><td>b</table>",
    "<pre>a b</pre>",
    "<blockquote>a b</blockquote>",
    "<details><summary>a</summary>b</details>",
    "<p><math><mi>a</mi></math></p>",
    "<div class=code><div><pre>a b</pre></div></div>",
    "<pre>a</pre><pre>b</pre>",
]
UNSURE = {"a": 0.3, "b": 0.3, "a b": 0.3}


@pytest.mark.parametrize("island", ISLANDS)
def test_a_unit_between_kept_blocks_is_kept(island):
    verdict = verdict_of(f"{STORY}{island}{STORY}", UNSURE)
    assert not dropped(verdict)
    assert "whole" in verdict.reasons()


@pytest.mark.parametrize("island", ISLANDS)
def test_labels_of_published_systems_do_not_give_way_to_neighbours(island):
    assert dropped(verdict_of(f"{STORY}{island}{STORY}", UNSURE, by_model=False))


@pytest.mark.parametrize(
    "page",
    [
        f"{STORY}<p>a b</p>{STORY}",
        f"{STORY}<pre>a b</pre>",
        f"<div>{STORY}</div><div><ul><li>a b</ul>{STORY}</div>",
        f"<div>{STORY}<ul><li>a b</ul></div>{STORY}",
    ],
)
def test_what_is_no_unit_or_stands_at_an_end_of_its_container_is_none(page):
    assert dropped(verdict_of(page, UNSURE)) == ["a b"]


@pytest.mark.parametrize(("p_keep", "is_kept"), [(0.16, True), (0.14, False)])
def test_a_unit_that_is_surely_none_of_the_text_goes(p_keep, is_kept):
    assert (not dropped(verdict_of(f"{STORY}<pre>a</pre>{STORY}", {"a": p_keep}))) == is_kept


@pytest.mark.parametrize(("n", "is_kept"), [(14, True), (17, False)])
def test_a_unit_that_is_most_of_the_page_is_judged_by_itself(n, is_kept):
    text = " ".join("a" * n)
    page = f"{STORY}<blockquote>{text}</blockquote>{PROSE}"
    assert (not dropped(verdict_of(page, {text: 0.3}))) == is_kept


@pytest.mark.parametrize(("threshold", "is_kept"), [(0.45, True), (0.35, False)])
def test_p_other_of_an_island_is_that_of_the_less_sure_neighbour(threshold, is_kept):
    page = f"{STORY}<p>c</p><blockquote>a</blockquote>{STORY}"
    verdict = verdict_of(page, {"a": 0.3, "c": 0.6}, threshold=threshold)
    assert verdict.p_other[block_texts(verdict.table).index("a")] == pytest.approx(0.4)
    assert ("a" not in dropped(verdict)) == is_kept


class TestCode:
    """Code belongs to the text around it, in whatever frame and of whatever size."""

    @pytest.mark.parametrize(("caption", "n_dropped"), [("", 0), ("<p>file", 2)])
    def test_it_goes_with_the_nearest_blocks(self, caption, n_dropped):
        frame = f"<div><div>{caption}<div><pre>a b</pre></div></div></div>"
        page = f"<div>{STORY}</div>{frame}<div>{STORY}</div>"
        assert len(dropped(verdict_of(page, {"a b": 0.3, "file": 0.2}))) == n_dropped

    def test_it_may_be_most_of_the_page(self):
        code = " ".join("a" * 99)
        assert not dropped(verdict_of(f"{PROSE}<pre>{code}</pre>{PROSE}", {code: 0.3}))

    def test_what_is_around_it_is_of_its_own_page(self):
        verdict = verdict_of(f"{STORY}<p>c</p><pre>a b</pre><p>d</p>", {"a b": 0.3, "d": 0.2})
        assert dropped(verdict) == ["a b", "d"]


ITEMS = "".join(f"<li>item {n}" for n in range(9))


@pytest.mark.parametrize(
    ("n_kept", "p_drop", "n_words", "n_dropped"),
    [
        (8, 0.4, 0, 0),
        (5, 0.4, 0, 0),
        (4, 0.4, 0, 9),
        (4, 0.4, 5, 9),
        (4, 0.2, 4, 9),
        (4, 0.2, 5, 5),
    ],
)
def test_a_list_at_the_end_is_as_most_of_its_words_are(n_kept, p_drop, n_words, n_dropped):
    """Unless it has many words, and some items are surely content and others surely not."""
    more = " a" * n_words
    unsure = {f"item {n}{more}": p_drop for n in range(n_kept, 9)}
    items = "".join(f"<li>item {n}{more}" for n in range(9))
    assert len(dropped(verdict_of(f"{STORY * 12}<ul>{items}</ul>", unsure))) == n_dropped


def test_a_page_of_one_listing_has_nothing_beside_it():
    assert verdict_of("<pre>a b").kept.tolist() == [True]


def test_a_list_that_is_most_of_the_page_keeps_its_labels():
    unsure = {f"item {n}": 0.4 for n in range(2)}
    assert dropped(verdict_of(f"{PROSE}<ul>{ITEMS}</ul>", unsure)) == ["item 0", "item 1"]


SHORT = {
    "code": "<pre><code>def f(x):\n    return x + 1</code></pre>",
    "listing": "<pre>import sys\nfor line in sys.stdin:\n    a = line.split()\n    print(a)</pre>",
    "tokens": "<pre><span>FROM</span> golang:1.21 <span>AS</span> builder</pre>",
    "lines in a table": (
        "<table class=js-file-line-container><tr><td class=blob-num><td class=blob-code>def f(x):"
        "<tr><td class=blob-num><td class=blob-code>    return x</table>"
    ),
    "code that is a block": "<code class='hl lean block'>#check Nat</code>",
    "command": "<div class=highlight><pre><span>$ git</span> status</pre></div>",
    "table": "<table><tr><th>Year<th>A<tr><td>2001<td>11<tr><td>2002<td>13</table>",
    "small table": "<table><tr><td>Length<td>12 m<tr><td>Width<td>3 m</table>",
    "row heads": "<table><tr><th>Train<td>R 5<tr><th>Leaves<td>5:40</table>",
    "rowspan": "<table><tr><th rowspan=2>2001<td>Brno<td>12<tr><td>Praha<td>13</table>",
    "pictures": "<table><tr><td><img src=a.png>Ram<td>Ewe<tr><td>Big<td>Small</table>",
    "links": "<ul><li><a href=a>Old ferries</a><li><a href=b>New ferries</a><li>Piers</ul>",
    "nested list": "<ul><li>Tea<ul><li>Black tea<li>Green tea</ul><li>Milk</ul>",
    "terms": "<dl><dt>Pier<dd>where ships land<dt>Quay<dd>a long pier</dl>",
    "linked paragraph": "<p><a href=a>The history of the old ferry</a></p>",
    "details": "<details><summary>What it cost</summary><p>Nine crowns a day.</p></details>",
    "formula": '<p><math display="block"><mi>E</mi><mo>=</mo><mi>m</mi></math></p>',
    "quotation": "<blockquote>No ferry today.</blockquote>",
}
NOUNS = "harbour ferry sheep rope morning island captain letter winter market bridge stone".split()


@pytest.fixture(scope="module")
def cleaner():
    return load_cleaner()


@pytest.mark.parametrize("name", SHORT)
def test_the_shipped_model_keeps_short_units_between_thirteen_paragraphs(cleaner, name):
    nouns = [NOUNS[n:] + NOUNS[:n] for n in range(12)] + [NOUNS[::-1]]
    paragraphs = [
        f"<p>The {a} near the {b} was known to every {c}, and the {d} went with it. So the {e} "
        f"of the {f} stayed where the {g} had been, and the {h} was not seen again.</p>"
        for a, b, c, d, e, f, g, h, *_ in nouns
    ]
    body = "".join([*paragraphs[:6], SHORT[name], *paragraphs[6:]])
    result = cleaner.clean(f"<title>Ferry</title><article><h1>Ferry</h1>{body}</article>")
    assert all(block.kept for block in result.blocks[1:])


def test_bare_text_between_blocks_is_kept(cleaner):
    prose = (
        "<p>The ferry near the harbour was known to every captain, and nobody saw it go.</p>" * 4
    )
    page = f"<h1>Ferry</h1>{prose}<p>It came.</p>It went again<div>in the end</div>and so on{prose}"
    text = cleaner.clean(f"<title>Ferry</title><article>{page}</article>").text
    assert "It came.\n\nIt went again\n\nin the end\n\nand so on\n" in text


def test_headings_with_short_lists_are_a_text(cleaner):
    items = "<ul><li>Use short words<li>Leave jargon out<li>Write well</ul>"
    parts = "".join(f"<h2>What to do on day {n}</h2>{items}" for n in range(5))
    page = f"<title>Guide</title><main><h1>Guide</h1>{parts}</main>"
    assert cleaner.clean(page).text.count("Leave jargon out") == 5
