"""The notebooks of the docs run from the first cell to the last, and are stored without outputs.

They run as readers run them, in a kernel: cells use magics and show tables. `nbclient` and
`ipykernel` come with the extra docs, which builds the site of the same notebooks.
"""

import os
import sys
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))
LONGEST = 300
"""Seconds after which a cell is taken to hang."""

nbformat = pytest.importorskip("nbformat", reason="the extra docs is not installed")


def read(path):
    return nbformat.read(path, as_version=4)


def executed(notebook, folder):
    """The notebook with what its cells show, run by this Python."""
    nbclient = pytest.importorskip("nbclient", reason="the extra docs is not installed")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    where = {"metadata": {"path": str(folder)}}
    client = nbclient.NotebookClient(notebook, timeout=LONGEST, resources=where)
    return client.execute(env={**os.environ, "PATH": path, "NO_COLOR": "1"})


@pytest.mark.filterwarnings("default")  # those of the kernel's packages
@pytest.mark.slow  # the build of the docs runs them, too
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path):
    before = {*path.parent.iterdir()}
    cells = executed(read(path), path.parent).cells
    assert all(cell.outputs for cell in cells[2:] if cell.cell_type == "code")
    assert {*path.parent.iterdir()} == before, "it writes beside itself"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_stored_clean(path):
    notebook = read(path)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
        assert not cell.metadata
    assert notebook.cells[0].source.startswith("# ")
