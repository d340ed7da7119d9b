"""What a block knows beside its text; headings, cells and links are rows of test_rows.py."""

import numpy as np
import pytest
from hypothesis import given
from strategies import page as pages

from victor.base.errors import PageError
from victor.base.labels import Label
from victor.page.parsing.events import record
from victor.page.places.surroundings import Surroundings, block_ids
from victor.page.table.segment import segment
from victor.page.verdict.verdict import Verdict


def surroundings(markup, labels="", url=None):
    """Columns of a page whose blocks are labelled by letters; the others are text."""
    markup = markup.encode() if isinstance(markup, str) else markup
    table = segment(record([b"<p>another page", markup]))
    of_letter = {"h": Label.HEADER, "t": Label.TEXT, "o": Label.OTHER}
    chosen = np.full(len(table), Label.TEXT, dtype=np.uint8)
    chosen[1 : 1 + len(labels)] = [of_letter[letter] for letter in labels]
    marginals = np.zeros((len(table), len(Label)))
    return Surroundings(Verdict(table, chosen, marginals, "threshold"), 1, markup, url)


def test_ids_are_of_letters_and_digits_and_of_the_place_among_equals():
    first, *others = block_ids(["Share: it!", "share it", "Share it 2", "SHARE—IT", "»", "«", ""])
    assert others[0] == f"{first}-2"
    assert others[2] == f"{first}-3"
    assert len({first, *others}) == 7


@given(page=pages())
def test_ids_do_not_depend_on_later_blocks(page):
    alone = surroundings(page).ids
    after = surroundings(page + b"<p>something else").ids
    assert len(set(alone)) == len(alone)
    assert after[: len(alone)] == alone


@given(page=pages())
def test_all_columns_have_all_blocks(page):
    given = surroundings(page, url="http://a.example/")
    columns = (given.ids, given.headings, given.cells, given.links, given.places.xpaths)
    assert {len(column) for column in columns} == {len(given.texts)}


def test_addresses_made_absolute_may_be_so_much_longer_together(monkeypatch):
    page = "<base href='http://a.example/'><p><a href=b>c</a> <a href=d>e</a>"
    longer = 2 * len("http://a.example/")
    monkeypatch.setattr("victor.page.allowance.MOST_ADDED", longer)
    assert len(surroundings(page).links[0]) == 2
    monkeypatch.setattr("victor.page.allowance.MOST_ADDED", longer - 1)
    with pytest.raises(PageError):
        _ = surroundings(page).links
