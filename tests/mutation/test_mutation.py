"""The script that counts what tests notice, on a rule that is tested and on one that is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mutation.changes import changes, compiled

ROOT = Path(__file__).parents[2]

RULE = '''"""A rule with one number."""


def is_long(text: str, least: int = 3) -> bool:
    """Whether a text has three letters or more."""
    if not isinstance(text, str):
        raise TypeError(f"{len(text) - 1} is no text")
    return len(text) >= least
'''
CHANGES = ["3 -> 4", "3 -> 2", "not -> ", ">= -> >"]
BOTH_SIDES = """
from rule import is_long
def test_both_sides():
    assert is_long("abc") and not is_long("ab")
"""
ONE_SIDE = """
from rule import is_long
def test_one_side():
    assert is_long("abcd")
"""


def counted(folder, test, *options):
    (folder / "rule.py").write_text(RULE)
    (folder / "test_rule.py").write_text(test)
    return subprocess.run(
        [sys.executable, "-m", "tests.mutation", "rule.py=test_rule.py", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_rule_that_is_tested_on_both_sides(tmp_path):
    ended = counted(tmp_path, BOTH_SIDES, "--least", "1")
    assert (ended.returncode, ended.stdout) == (0, "rule.py=test_rule.py: 4 of 4 noticed, 1.00\n")
    assert (tmp_path / "rule.py").read_text() == RULE


def test_a_rule_that_is_tested_on_one_side(tmp_path):
    ended = counted(tmp_path, ONE_SIDE, "--least", "0.85")
    assert ended.returncode == 1
    assert ended.stdout.splitlines() == [
        "rule.py:4: def is_long(text: str, least: int = 3) -> bool: [3 -> 4]",
        "rule.py:4: def is_long(text: str, least: int = 3) -> bool: [3 -> 2]",
        "rule.py:8: return len(text) >= least [>= -> >]",
        "rule.py=test_rule.py: 1 of 4 noticed, 0.25",
    ]


def test_tests_that_fail_of_themselves_count_nothing(tmp_path):
    ended = counted(tmp_path, ONE_SIDE.replace("assert", "assert not"))
    assert ended.returncode == 1
    assert "before anything is changed" in ended.stderr


def test_messages_types_and_docstrings_are_not_changed():
    assert [change.text.rpartition("[")[2][:-1] for change in changes("rule.py", RULE)] == CHANGES


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("x = 0.5", ["x = 0.75", "x = 0.3333333333333333"]),
        ("x = a < b == c", ["x = a <= b == c", "x = a < b != c"]),
        ("x = a and b", ["x = a or b"]),
        ("x -= y", ["x += y"]),
        ("x = True", ["x = False"]),
        ("x = np.minimum(min(y), z)", ["x = np.maximum(min(y), z)", "x = np.minimum(max(y), z)"]),
        ("x = y[a:b]", ["x = y[a + 1:b]", "x = y[a:b - 1]"]),
        ("x: Literal[1] = zip(a, strict=True)", []),
        (f"TABLE = {tuple(range(17))}", []),
    ],
)
def test_single_changes(line, after):
    listed = changes("x.py", line)
    expected = [compile(text, "x.py", "exec").co_code for text in after]
    made = [compiled(change, line, "x.py") for change in listed]
    assert [code.co_code for code in made] == expected
    assert len({code.co_consts for code in made}) <= len(after) == len(listed)
