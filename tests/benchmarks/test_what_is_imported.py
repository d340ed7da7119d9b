"""Benchmarks are run once a release: what they import of Victor is there all the same."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted([*ROOT.glob("benchmarks/**/*.py"), *ROOT.glob("docs/**/*.py")])


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_are_there(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "victor":
            module = import_module(node.module)
            for name in (alias.name for alias in node.names):
                inside = f"{node.module}.{name}"
                assert hasattr(module, name) or find_spec(inside), f"{inside} is gone"
