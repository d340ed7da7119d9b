"""All words of a table come out once and in order, whatever blocks stand in its cells."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from victor.api import load_cleaner

TEXT = "<p>The boats came back in spring, and the children on the quay counted them.</p>" * 3
_WORD = re.compile(r"w\d+")
_SHAPES = (
    *("{}", "<div>{}</div>", "<p>{}</p>", "<h3>{}</h3>", "<b>{}</b>", "<code>{}</code>", "{}<br>"),
    *("<pre>{}</pre>", "<ul><li>{}</ul>", "<ol><li><p>{}</p></ol>", "<blockquote>{}</blockquote>"),
    *("<dl><dt>{}<dd>so</dl>", "<div><div>{}</div></div>", "<img src=a.png><span>{}</span>"),
    *("<hr>{}", "<table><tr><td>{}</table>", "<table><tr><td>so<td>{}<tr><td>so<td>so</table>"),
)
_CELLS = st.lists(st.sampled_from(_SHAPES), max_size=3)
_ROWS = st.lists(_CELLS, min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(st.lists(_ROWS, min_size=1, max_size=4), st.sampled_from(["td", "th"]))
def test_words_come_out_once_and_in_order(rows, name):
    """No two blocks of a cell are joined to one word."""
    numbers = iter(range(1000))

    def cell(shapes):
        return "".join(shape.format(f"w{next(numbers)}") for shape in shapes)

    lines = ("".join(f"<{name}>{cell(shapes)}</{name}>" for shapes in row) for row in rows)
    markup = "".join(f"<tr>{line}</tr>" for line in lines)
    page = f"<title>Boats</title>{TEXT}<table>{markup}</table>{TEXT}"
    expected = [f"w{n}" for n in range(next(numbers))]
    result = load_cleaner(labeler="none").clean(page)
    for form in ("text", "markdown", "html", "article"):
        assert _WORD.findall(result.render(form)) == expected, form
