"""Gold structure of small pages, and the exact figures of known Markdown against it."""

import pytest

from tests.rows import tables, written_out

ROWS = tables(__file__)

INTRO = "The old mill stands by the river where the road to the village begins."
OUTRO = "Nobody has ground any flour there since the spring of that long year."


def page(body):
    return (
        f"<html><head><base href='/b/'><title>Mill</title></head><body><nav><a href=/>Home</a> "
        f"<ul><li>Prices<li>Flour</ul></nav><p>{INTRO}</p>{body}<p>{OUTRO}</p></body></html>"
    )


def gold(body, text):
    from structure.gold import gold_of

    return gold_of(page(body), f"{INTRO}\n{text}\n{OUTRO}")


def keys(body, text, kind):
    return [item.keys[0] for item in gold(body, text).items if item.kind == kind]


def scored(body, text, markdown, extensions=()):
    from structure.items import items
    from structure.rendered import document_of
    from structure.scores import score

    document = document_of(f"{INTRO}\n\n{markdown}\n\n{OUTRO}", extensions)
    return score(gold(body, text), items(document), document.words)


def figures(result, kind):
    return (*result.counts[kind],)


def test_lists_have_depths():
    body = (
        "<ul><li>Stone and sand<ul><li>Granite</ul>or clay<li>Wood</ul>"
        "<ol><li>Fetch<li>Carry<li>Grind<ol><li>Sieve</ol></ol>"
    )
    text = "Stone and sand\nGranite\nor clay\nWood\nFetch\nCarry\nGrind\nSieve"
    assert keys(body, text, "list item")[:3] == [
        ("stone", "and", "sand", "or", "clay"), ("granite",), ("wood",)
    ]  # fmt: skip
    assert keys(body, text, "nested item") == [(2, ("granite",)), (2, ("sieve",))]
    markdown = "- Stone and sand\n  - Granite\n\n  or clay\n- Wood\n\n1. Fetch\n\nGrind\nSieve"
    result = scored(body, text, markdown)
    assert figures(result, "list item") == (6, 4)
    assert figures(result, "nested item") == (2, 1)


def test_rows_and_cells():
    body = (
        "<table><tr><th>Town<th>People<tr><td>Brno<td>400 000<tr><td colspan=2>Nothing else"
        "<tr><td rowspan=2>Prague<td>many<tr><td>more</table>"
    )
    text = "Town People Brno 400 000 Nothing else Prague many more"
    assert keys(body, text, "table row")[1] == (("brno",), ("400", "000"))
    whole = "|Town|People|\n|--|--|\n|Brno|400 000|\n|Nothing else||\n|Prague|many|\n|{}|more|"
    for cell in ("", "Prague"):  # a cell that spans two rows stands in one of them or in both
        result = scored(body, text, whole.format(cell))
        assert figures(result, "table cell") == (8, 8)
        assert result.tables == {"kept": 1, "flattened": 0, "with holes": 0}


@pytest.mark.parametrize("table", ROWS["layout_is_no_table"])
def test_layout_is_no_table(table):
    from lxml import html
    from structure.items import data_tables
    from structure.walk import Document

    assert data_tables(Document(html.fromstring(page(written_out(table))))) == []


CODE = "def mill(wheel):\n    return wheel + 1\n\nprint(mill(2))"


@pytest.mark.parametrize(
    "body",
    ROWS["code_is_its_lines"],
    ids=["plain", "divs", "br", "spans", "table", "gutter", "numbered"],
)  # fmt: skip
def test_code_is_its_lines(body):
    assert keys(body, CODE, "code") == [CODE]
    assert figures(scored(body, CODE, f"```\n{CODE}\n```"), "code") == (1, 1)
    lost = CODE.replace("    return", "return")
    assert figures(scored(body, CODE, f"```\n{lost}\n```"), "code") == (1, 0)
