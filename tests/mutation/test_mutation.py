"""Which single changes are made of a source."""

from pathlib import Path

import pytest
from mutation.changes import changes

ROOT = Path(__file__).parents[2]
RULE = '''"""A rule with one number."""


def is_long(text: str, least: int = 3) -> bool:
    """Whether a text has three letters or more."""
    if not isinstance(text, str):
        raise TypeError(f"{len(text) - 1} is no text")
    return len(text) >= least
'''
CHANGES = ["3 -> 4", "3 -> 2", "not -> ", ">= -> >"]


def test_messages_types_and_docstrings_are_not_changed():
    found = [change.shown.rpartition("[")[2][:-1] for change in changes("rule.py", RULE)]
    assert sorted(found) == sorted(CHANGES)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("x = 0.5", ["x = 0.75", "x = 0.3333333333333333"]),
        ("x = 0", ["x = 1", "x = (-1)"]),
        ("x = a < b == c", ["x = a <= b == c", "x = a < b != c"]),
        ("é = a and b", ["é = a or b"]),
        ("x -= y", ["x += y"]),
        ("x = True", ["x = False"]),
        ("x = np.minimum(min(y), z)", ["x = np.maximum(min(y), z)", "x = np.minimum(max(y), z)"]),
        ("x = y[a:b]", ["x = y[(a) + 1:b]", "x = y[a:(b) - 1]"]),
        ("x: Literal[1] = zip(a, strict=True)", []),
        (f"TABLE = {tuple(range(17))}", []),
    ],
)
def test_single_changes_of_python(line, after):
    assert [change.made(line) for change in changes("x.py", line)] == after


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("if (a < 12u && b->c != 0x3f) /* 7 */", ["if (a <= 12u && b->c != 0x3f) /* 7 */",
         "if (a < 13u && b->c != 0x3f) /* 7 */", "if (a < 12u || b->c != 0x3f) /* 7 */",
         "if (a < 12u && b->c == 0x3f) /* 7 */"]),
        ("i++; j += a << k; return i + j;", ["i++; j += a << k; return i - j;"]),
        ("x = 0.5;", ["x = 0.75;"]),
        ('#define MOST 5\nchar *s = "a < 4"; // 5', []),
    ],
)  # fmt: skip
def test_single_changes_of_c(line, after):
    assert [change.made(line) for change in changes("x.c", line)] == after
