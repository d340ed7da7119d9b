"""Exact figures of known Markdown against what they expect."""

from foreign import KINDS as FIGURE_KINDS
from foreign import figures
from structure.rendered import document_of

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


def compared(expected, output):
    extensions = ("footnote", "dollarmath")
    return figures(document_of(expected, extensions), document_of(output, extensions))


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
