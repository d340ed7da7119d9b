"""Names that packages load from their modules when they are first used."""

import subprocess
import sys
from importlib import import_module

import pytest

PACKAGES = ("victor", "victor.api", "victor.crawl")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_offered_name_can_be_loaded(package):
    module = import_module(package)
    assert all(getattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_that_is_not_offered_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'klean'"):
        import_module(package).klean  # noqa: B018


COMPLETION = """
import sys
sys.modules.update(dict.fromkeys({missing!r}))
import rlcompleter
import {package}
completer = rlcompleter.Completer({{"{package}": {package}}})
number = 0
while word := completer.complete("{package}.", number):
    print(word.removeprefix("{package}.").rstrip("()"))
    number += 1
"""


def completed(missing=()):
    """What a shell offers behind ``victor.``, in a new process without some packages."""
    program = COMPLETION.format(package="victor", missing=missing)
    run = [sys.executable, "-c", program]
    printed = subprocess.run(run, capture_output=True, text=True, check=True, timeout=60).stdout
    return {word for word in printed.split() if not word.startswith("__")}


@pytest.mark.parametrize("package", PACKAGES)
def test_dir_lists_what_a_package_offers_and_no_import(package):
    module = import_module(package)
    assert dir(module) == sorted(module.__all__)


def test_a_shell_completes_the_names_of_victor():
    offered = {name for name in import_module("victor").__all__ if name != "__version__"}
    assert completed() == offered
    assert completed(missing=("sklearn",)) == offered - {"VictorCRF"}
