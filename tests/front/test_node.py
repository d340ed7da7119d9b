"""The tests of the front end that need no browser, run by node.

`npm test` runs the same without Python.
"""

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
FAILED = re.compile(r"^\s*not ok \d+ - (.*)$", re.MULTILINE)
PASSED = re.compile(r"^\s*ok \d+ - (.*)$", re.MULTILINE)


def bundled_node():
    """The node that Playwright brings, or None."""
    package = importlib.util.find_spec("playwright")
    folder = Path(package.origin).parent / "driver" if package else Path()
    return shutil.which("node", path=str(folder))


@pytest.fixture(scope="session")
def node():
    program = shutil.which("node") or bundled_node()
    assert program, "install node or the Python package playwright: the front end is tested in node"
    return program


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.test.js")), ids=lambda file: file.stem)
def test_front_end(node, file):
    run = subprocess.run(
        [node, "--test", "--test-reporter=tap", str(file)],
        capture_output=True,
        encoding="utf-8",
        cwd=FOLDER.parents[1],
        timeout=120,
        check=False,
    )
    failed = FAILED.findall(run.stdout)
    assert run.returncode == 0, "\n".join([*failed, run.stdout, run.stderr])
    assert not failed
    assert PASSED.search(run.stdout), f"{file.name} holds no test"


def test_the_lock_file_names_no_host():
    """Whoever installs uses their own registry."""
    text = (FOLDER.parents[1] / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity"' in text
    assert "://" not in text, "delete the `resolved` and `funding` entries of package-lock.json"
