"""Which path cleans pages: the compiled one where it was built and nobody wants the other."""

import os
import subprocess
import sys

import pytest

from victor import core

PROGRAM = "from victor import core; print(core.path_name())"


def path_with(value, folder):
    """The path that a new process takes with a value of the variable, away from the tree."""
    environment = {name: text for name, text in os.environ.items() if name != core.PURE}
    if value is not None:
        environment[core.PURE] = value
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment, cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.strip()


def test_the_variable_keeps_the_python_path(tmp_path):
    assert path_with("1", tmp_path) == "python"


@pytest.mark.parametrize("value", [None, "", "0"])
def test_without_it_the_compiled_path_runs_where_it_was_built(value, tmp_path):
    try:
        from victor import _core
    except ImportError:
        _core = None
    assert path_with(value, tmp_path) == ("python" if _core is None else "compiled")


def test_the_path_is_shown_with_the_version(monkeypatch):
    from click.testing import CliRunner

    from victor.cli import group

    shown = CliRunner().invoke(group, ["--version"]).output
    assert f"({core.path_name()} path)" in shown
    monkeypatch.setattr(core, "compiled", None)
    assert "(python path)" in CliRunner().invoke(group, ["--version"]).output
