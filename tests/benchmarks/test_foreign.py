"""The readers of foreign suites, and exact figures of known Markdown against what they expect."""

import json

import pytest
from foreign.figures import KINDS as FIGURE_KINDS
from foreign.figures import figures, lines_found
from foreign.suites import cases
from structure.rendered import document_of

WORDS = "The old mill stands by the river where the road to the village begins, and nobody knows"
PAGE = f"""<!-- {{"url": "https://mill.example/a"}} -->
<html><head><title>The mill</title></head><body><article>
<h1>The mill</h1><p>{WORDS} <a href="/who">who built it</a>.</p>
<ul><li>One stone is left of it</li><li>Two doors are open to all</li></ul>
</article></body></html>"""
KINDS = """# One

A **b** [c](https://x.example/) $a^2$ and[^1]

- d e

> f g

| h |
| --- |
| i |

```
j k
```

![l](https://x.example/m.png)

[^1]: A note of more than a few words here to see
"""


def written(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return folder


def compared(expected, output):
    extensions = ("footnote", "dollarmath")
    return figures(document_of(expected, extensions), document_of(output, extensions))


def defuddle(folder):
    front = '```json\n{"title": "The mill", "author": "Ann", "published": ""}\n```\n\n'
    expected = f"{WORDS} [who built it](https://mill.example/who).\n\n- One stone is left of it"
    return written(
        folder,
        {"tests/fixtures/mill--a.html": PAGE, "tests/expected/mill--a.md": front + expected},
    )


def test_defuddle(tmp_path):
    (case,) = cases("defuddle", defuddle(tmp_path))
    assert case.page.url == "https://mill.example/a"
    assert case.metadata == {"title": "The mill", "author": "Ann", "date": ""}
    assert case.document.words[-3:] == ["left", "of", "it"]


def test_kinds_are_counted():
    same = compared(KINDS, KINDS)
    assert same.right == same.wanted == same.given
    assert {kind for kind in FIGURE_KINDS if same.wanted[kind]} == set(FIGURE_KINDS) - {
        "inline code",
        "italic",
    }
    assert (same.f, same.missed) == (1.0, [])
    other = compared(KINDS, "## One\n\nA b")
    assert {kind for kind in FIGURE_KINDS if other.right[kind]} == {"heading"}
    assert (other.precision, other.given.total()) == (1.0, 1)


@pytest.mark.parametrize(("line", "expected"), [("a b c d e f g", 1), ("a b c d e f", 0)])
def test_a_line_is_found_by_seven_tenths_of_its_words(line, expected):
    wanted = ["a b c d e f g h i j", "not in the page"]
    assert lines_found(wanted, f"x\n{line}\n", "<p>a b c d e f g h i j") == (expected, 1)
