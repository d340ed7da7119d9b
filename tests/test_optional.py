"""A missing optional package is named together with the extra that installs it."""

import subprocess
import sys

import pytest

from victor.base import optional
from victor.errors import ConfigError
from victor.measures.words import edit_score

BLOCKED = (
    *("jinja2", "joblib", "matplotlib", "pycrfsuite", "rapidfuzz", "rich", "scipy", "sklearn"),
    "sklearn_crfsuite",
)
PROGRAM = """
import sys
sys.modules.update(dict.fromkeys({blocked}))
import victor.cli.ablate, victor.cli.clean, victor.cli.evaluate, victor.cli.explain
import victor.cli.sweep, victor.cli.train, victor.evaluation.report
from victor.errors import ConfigError
try:
    import victor
    victor.VictorCRF
except ConfigError as error:
    print(error)
"""


def test_an_installed_module_is_returned():
    assert optional.load("pyarrow.parquet", extra="crawl").ParquetFile


@pytest.mark.parametrize("module", ["no_such_package_here", "no_such_package_here.inner"])
def test_a_missing_one_is_a_configuration_error(module):
    with pytest.raises(
        ConfigError,
        match=r"needs the package no_such_package_here: pip install 'victor-crf\[crawl\]'",
    ):
        optional.load(module, extra="crawl")


def test_one_that_a_command_can_do_without(monkeypatch):
    assert optional.is_installed("rich")
    monkeypatch.setitem(sys.modules, "rich", None)
    assert not optional.is_installed("rich")
    assert not optional.is_installed("no_such_package_here")
    assert not optional.is_installed("no_such_package_here.inner")


def test_a_measure_names_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(ConfigError, match=r"package rapidfuzz: pip install 'victor-crf\[train\]'"):
        edit_score("a", "b")


def test_commands_start_without_them():
    """What a command does not need it does not import, and the estimator says what it needs."""
    program = PROGRAM.format(blocked=BLOCKED)
    run = subprocess.run([sys.executable, "-P", "-c", program], stdout=-1, text=True, check=True)
    assert "needs the package sklearn: pip install 'victor-crf[train]'" in run.stdout
