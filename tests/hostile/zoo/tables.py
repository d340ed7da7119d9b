"""Tables: large, uneven, spanning, tiny, nested and broken."""

from __future__ import annotations

from typing import Final

from hostile.zoo.inputs import Group
from hostile.zoo.texts import SENTENCE, TEXT, page

GROUP: Final = Group("tables")

_ROW: Final = "<tr><th>Lamp</th><td>9</td><td>gas</td></tr>"
_TABLES: Final = {
    "one-row": lambda n: "<table><tr>" + "<td>1</td>" * n(150_000) + "</table>",
    "one-column": lambda n: "<table>" + "<tr><td>1</td></tr>" * n(150_000) + "</table>",
    "rows": lambda n: f"<table>{_ROW * n(50_000)}</table>",
    "rows-of-words": lambda n: (
        "<table>"
        + "".join(f"<tr><th>Lamp {i}<td>burns {i} hours<td>of gas" for i in range(n(30_000)))
        + "</table>"
    ),
    "square": lambda n: "<table>" + ("<tr>" + "<td>12</td>" * n(400) + "</tr>") * n(400),
    "stairs": lambda n: (
        "<table>" + "".join("<tr>" + "<td>1</td>" * i + "</tr>" for i in range(1, n(600)))
    ),
    "tiny": lambda n: "<table><tr><td>1<td>2</table>" * n(30_000),
    "tiny-with-heads": lambda n: "<table><tr><th>a<th>b<tr><td>1<td>2</table>" * n(20_000),
    "layout": lambda n: f"<table><tr><td>{SENTENCE}</table>" * n(20_000),
    "spans": lambda n: (
        "<table>"
        + ("<tr>" + '<td rowspan="65534" colspan="1000">1</td>' * 20 + "</tr>") * n(500)
        + "</table>"
    ),
    "tall-spans": lambda n: "<table>" + "<tr><td rowspan=65534>a<td>b" * n(5_000) + "</table>",
    "wide-spans": lambda n: "<table>" + "<tr><td colspan=1000>a<td>b" * n(20_000) + "</table>",
    "rowspans": lambda n: "<table>" + "<tr><td rowspan=2>a<td>b<tr><td>c" * n(30_000),
    "absurd-spans": lambda n: (
        "<table>" + '<tr><td rowspan="-1" colspan="99999999999999999999">a' * n(50_000)
    ),
    "zero-spans": lambda n: "<table>" + '<tr><td rowspan="0" colspan="0">a' * n(50_000),
    "spans-of-other-digits": lambda n: "<table>" + '<tr><td rowspan="٣" colspan="²">a' * n(50_000),
    "empty-rows": lambda n: "<table>" + "<tr></tr>" * n(500_000) + "<tr><td>x</table>",
    "empty-cells": lambda n: "<table>" + "<tr><td><td><td>" * n(100_000) + "<tr><td>x</table>",
    "bodies": lambda n: "<table>" + "<tbody><tr><td>x<tfoot><tr><td>y" * n(50_000),
    "captions": lambda n: "<table>" + "<caption>c</caption>" * n(100_000) + _ROW,
    "columns": lambda n: "<table>" + '<col span="1000">' * n(100_000) + _ROW * 3 + "</table>",
    "headers": lambda n: (
        "<table>" + '<tr><th id="a" headers="a b c">h<td headers="a a a">d' * n(50_000)
    ),
    "lists-in-cells": lambda n: (
        "<table>" + "<tr><td><ul><li>a<li>b</ul><td><p>c<p>d" * n(25_000) + "</table>"
    ),
    "pipes-in-cells": lambda n: "<table>" + "<tr><td>a | b<td>c \\| d" * n(50_000) + "</table>",
    "cells-without-rows": lambda n: "<table>" + "<td>a" * n(150_000) + "</table>",
    "cells-without-tables": lambda n: "<td>a<tr>b" * n(90_000),
    "long-cells": lambda n: (
        f"<table><tr><td>{SENTENCE * n(4_000)}<td>{SENTENCE * n(4_000)}</table>"
    ),
    "same-words": lambda n: "<table>" + "<tr><td>gas gas gas<td>gas gas" * n(40_000) + "</table>",
    "divs-as-cells": lambda n: (
        '<div role="table">' + '<div role="row"><div role="cell">a</div></div>' * n(90_000)
    ),
}  # fmt: skip
for _name, _table in _TABLES.items():
    GROUP.add(_name, lambda n, table=_table: page(TEXT + table(n)))
