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


def scored(of_page, markdown):
    from structure.items import items
    from structure.rendered import document_of
    from structure.scores import score

    document = document_of(f"{INTRO}\n\n{markdown}\n\n{OUTRO}", ())
    return score(of_page, items(document), document.words)


def as_lists(keys):
    """Keys of items as rows have them."""
    return [*map(as_lists, keys)] if isinstance(keys, tuple | list) else keys


@pytest.mark.parametrize("case", ROWS["structure"].values(), ids=ROWS["structure"])
def test_structure(case):
    of_page = gold(case["body"], case["text"])
    for kind, expected in case["items"].items():
        keys = [item.keys[0] for item in of_page.items if item.kind == kind]
        assert as_lists(keys)[: len(expected)] == expected
    for written in case["markdown"]:
        result = scored(of_page, written["of"])
        for kind, figures in written["figures"].items():
            assert [*result.counts[kind]] == figures
        assert result.tables == result.tables | written.get("tables", {})


@pytest.mark.parametrize("table", ROWS["layout_is_no_table"])
def test_layout_is_no_table(table):
    from lxml import html
    from structure.items import data_tables
    from structure.walk import Document

    assert data_tables(Document(html.fromstring(page(written_out(table))))) == []
