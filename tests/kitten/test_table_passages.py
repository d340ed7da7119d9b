"""Data tables inside the text of a page."""

from victor.kitten.passages import Passage, Removals
from victor.kitten.sentences import whole_page
from victor.kitten.tables import Reading, replaced

ROWS = [("Ada", "1815", "London"), ("Emmy", "1882", "Erlangen"), ("Grace", "1906", "New York")]
TABLE = (
    "<table><caption>Mathematicians</caption><tr><th>Name<th>Born<th>Place</tr>"
    + "".join(f"<tr><td>{'<td>'.join(row)}</tr>" for row in ROWS)
    + "</table>"
)


def test_rows_of_data_are_clauses_at_their_place(lines):
    output = lines(f"<p>Before</p>{TABLE}<p>after")
    assert output[0] == "Before."
    assert output[-1] == "after."
    assert len(output) == 5
    for line, row in zip(output[1:-1], ROWS, strict=True):
        assert line.startswith("Mathematicians ;; ")
        assert all(f": {cell}" in line for cell in row[1:])
        assert line.endswith(f"{row[-1]}.")


def test_clauses_of_a_table_are_consecutive():
    text = whole_page(f"<p>Before</p>{TABLE}".encode())
    before, *clauses = text.split("\n\n")
    assert before == "Before."
    assert len(clauses) == 1
    assert len(clauses[0].splitlines()) == 3


def test_without_the_rule_tables_are_read_cell_by_cell(lines):
    output = lines(TABLE, "tables.clauses=false")
    assert output[:4] == ["Mathematicians.", "Name.", "Born.", "Place."]


def test_layout_tables_are_read_cell_by_cell(lines):
    cells = [f"This cell number {n} holds a sentence of the page. It holds two." for n in (1, 2)]
    markup = f"<table width=100%><tr><td>{'<td>'.join(cells)}</table>"
    assert len(lines(markup)) == 4


def test_tables_read_as_clauses_stand_where_they_stood_and_what_they_lack_is_archived():
    inside = [Passage("a b", table=7), Passage("c", table=7), Passage("a", table=7)]
    passages = [Passage("before"), *inside, Passage("x", table=9), Passage("after")]
    removals = Removals()
    readings = {7: Reading(("a ; b",), (("c", "neutral"),)), 8: Reading(("z",), ())}
    result = replaced(passages, readings, removals)
    assert [passage.text for passage in result] == ["before", "a ; b", "x", "after"]
    assert [passage.is_finished for passage in result] == [False, True, False, False]
    assert [*map(tuple, removals.entries)] == [("table: neutral", "c"), ("table", "a")]
