"""What loads when: nothing before it is used, and little for what most people do."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "annotations" / "pages" / "saltmarsh-oysters.html"
CORE = {"click", "faust-cchardet", "lxml", "msgspec", "numpy", "regex", "webencodings"} | {
    "victor-crf"
}
OPTIONAL = {"typing_extensions"}
"""What msgspec loads if it is there."""

PROGRAM = """
import sys
from importlib.metadata import packages_distributions

owners = packages_distributions()
before = set(sys.modules)
{program}
new = {{name.split(".")[0] for name in set(sys.modules) - before}}
print(*sorted({{owner for name in new for owner in owners.get(name, [])}}), file=sys.stderr)
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""
COMMAND = """
from victor.cli import main
sys.argv = ["victor", *{arguments!r}]
try:
    main()
except SystemExit:
    pass
"""


def loaded(program, folder):
    """What a program loads in a new process: names of distributions, and of modules."""
    run = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM.format(program=program)],
        cwd=folder, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    distributions, modules = run.stderr.splitlines()[-2:]
    return set(distributions.lower().split()), set(modules.split())


def test_importing_the_package_loads_nothing_else(tmp_path):
    distributions, modules = loaded("import victor", tmp_path)
    assert distributions == {"victor-crf"}
    of_victor = {name for name in modules if name.startswith("victor")}
    assert of_victor == {"victor", "victor.base", "victor.base.errors", "victor.base.lazy"}


def test_help_imports_no_command(tmp_path):
    distributions, modules = loaded(COMMAND.format(arguments=["--help"]), tmp_path)
    assert distributions == {"victor-crf", "click"}
    assert not {name for name in modules if name.startswith("victor.cli.")} - {
        "victor.cli.commands",
        "victor.cli.program",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [f"import victor; victor.clean(open({str(PAGE)!r}, 'rb').read()).text",
     COMMAND.format(arguments=["clean", str(PAGE)])],
    ids=["api", "cli"],
)  # fmt: skip
def test_cleaning_loads_the_core_only(program, tmp_path):
    distributions, modules = loaded(program, tmp_path)
    assert distributions <= CORE | OPTIONAL
    assert not {"ssl", "http.client", "urllib.request", "yaml", "numpy.ma"} & modules


def test_heavier_modules_are_seen(tmp_path):
    """The checks above can fail: this loads more."""
    distributions, modules = loaded("from victor.config.layers import load; load('crf')", tmp_path)
    assert {"msgspec", "pyyaml"} <= distributions
    assert "yaml" in modules
