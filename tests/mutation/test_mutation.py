"""The script that counts what tests notice, on a rule that is tested and on one that is not."""

import os
import subprocess
import sys
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
TEST = "from rule import is_long\ndef test_it():\n    assert is_long('abc') and not is_long('ab')\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "n_noticed", "status"),
    [
        (TEST, "4 of 4 noticed\n1.00 of 4\n", 0),
        (TEST.replace("'abc'", "'abcd'").replace("'ab'", "''"), "1 of 4 noticed\n0.25 of 4\n", 1),
        (TEST.replace("assert", "assert not"), "", 1),
    ],
    ids=["both sides", "one side", "fails of itself"],
)
def test_a_rule_that_is_tested(tmp_path, test, n_noticed, status):
    (tmp_path / "rule.py").write_text(RULE)
    (tmp_path / "test_rule.py").write_text(test)
    ended = subprocess.run(
        [sys.executable, "-m", "tests.mutation", "rule.py=test_rule.py", "--least", "0.85"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ended.returncode == status, ended.stderr
    assert ended.stdout.endswith(n_noticed)
    assert n_noticed or "before anything is changed" in ended.stderr
    assert (tmp_path / "rule.py").read_text() == RULE


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
