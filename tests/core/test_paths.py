"""Which path cleans pages: the compiled one where it was built and nobody wants the other."""

import os
import subprocess
import sys

import pytest

from victor.base import core

PATH_NAME = "from victor.base import core; print(core.path_name())"
BUILT = "from importlib.util import find_spec; print(find_spec('victor._core') is not None)"


def printed_with(value, program, folder):
    """What a new process prints with a value of the variable, away from the tree.

    Both questions go to the same installed package: in the tree, ``victor`` may be another one.
    """
    environment = {name: text for name, text in os.environ.items() if name != core.PURE}
    if value is not None:
        environment[core.PURE] = value
    run = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env=environment, cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.strip()


def test_the_variable_keeps_the_python_path(tmp_path):
    assert printed_with("1", PATH_NAME, tmp_path) == "python"


@pytest.mark.parametrize("value", [None, "", "0"])
def test_without_it_the_compiled_path_runs_where_it_was_built(value, tmp_path):
    built = printed_with(value, BUILT, tmp_path) == "True"
    assert printed_with(value, PATH_NAME, tmp_path) == ("compiled" if built else "python")


def test_the_path_is_shown_with_the_version(monkeypatch):
    from click.testing import CliRunner

    from victor.cli import group

    shown = CliRunner().invoke(group, ["--version"]).output
    assert f"({core.path_name()} path)" in shown
    monkeypatch.setattr(core, "compiled", None)
    assert "(python path)" in CliRunner().invoke(group, ["--version"]).output
