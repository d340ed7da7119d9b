"""``import victor`` costs numpy and lxml; what is heavier loads where it is used."""

import subprocess
import sys

PROGRAM = """
import sys
from importlib.metadata import packages_distributions

owners = packages_distributions()
before = set(sys.modules)
import {module}
new = {{name.split(".")[0] for name in set(sys.modules) - before}}
print(*sorted({{owner for name in new for owner in owners.get(name, [])}}))
"""


def distributions_of(module, folder):
    """Names of the installed distributions that importing a module loads, in a new process."""
    run = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM.format(module=module)],
        cwd=folder, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return set(run.stdout.lower().split())


def test_import_loads_numpy_and_lxml_only(tmp_path):
    assert distributions_of("victor", tmp_path) <= {"victor", "numpy", "lxml"}


def test_heavier_modules_are_seen(tmp_path):
    """The check above can fail: this module does load more."""
    assert {"msgspec", "pyyaml"} <= distributions_of("victor.config", tmp_path)
