"""Which single changes are made of a source."""

from pathlib import Path

import pytest
import yaml
from mutation.changes import changes

LINES = yaml.safe_load(Path(__file__).with_name("changes.yaml").read_text("utf-8"))
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


@pytest.mark.parametrize("language", ["python", "c"])
def test_single_changes(language):
    for line, after in LINES[language]:
        assert [change.made(line) for change in changes(f"x.{language}", line)] == after, line
