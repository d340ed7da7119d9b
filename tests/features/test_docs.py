"""The example of docs/reference/columns.md is a feature, and a block table has what it says."""

import re
from pathlib import Path

from victor import features
from victor.page.table.segment import parse_pages

DOCUMENT = (Path(__file__).parents[2] / "docs" / "reference" / "columns.md").read_text(
    encoding="utf-8"
)


def test_the_example_is_a_feature(tmp_path):
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    file = tmp_path / "questions.py"
    file.write_text(code, encoding="utf-8")
    table = parse_pages(["<p>Who? Why?<p>¿Cómo<p>No"])
    for sign, expected in (("?", [2, 0, 0]), ("¿", [0, 1, 0])):
        (loaded,) = features.from_config([{str(file): {"sign": sign}}], trust_code=True).features
        assert loaded(table)["questions"].tolist() == expected


OFFERS = re.findall(r"^\| `(table\.[^`]+)` \| ([^|]+) \|", DOCUMENT, re.MULTILINE)
"""What the document says that a block table offers, with shapes."""


def test_a_block_table_offers_what_the_document_says():
    table = parse_pages(
        [b"<h1>Bees</h1><nav><a>Home</a></nav><p>One", "<p>They <b>live</b> in hives."]
    )
    lengths = {"n": len(table), "P": table.n_pages, "P + 1": table.n_pages + 1,
               "E": len(table.elements), "N": len(table.chars)}  # fmt: skip
    assert len(set(lengths.values())) == len(lengths), "each length is told from the others"
    assert len(OFFERS) > 20
    for expression, shape in OFFERS:
        value = eval(expression, {"table": table})
        if match := re.fullmatch(r"\(([^,]+),\) (\w+)", shape):
            assert value.shape == (lengths[match[1]],), expression
            assert value.dtype.name.startswith(match[2]), expression
        elif shape.startswith("list"):
            assert len(value) == table.n_pages, expression
        else:
            assert [each.shape for each in value] == [(len(table),)] * 3, expression
