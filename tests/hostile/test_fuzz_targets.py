"""The fuzz targets run and find nothing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BRIEF = "warc"
"""The target that is met at every run of the tests; the others are slow tests."""
TARGETS = sorted(file.stem for file in ROOT.glob("fuzz/targets/*.py"))


@pytest.mark.parametrize(
    "target", [BRIEF, *(pytest.param(t, marks=pytest.mark.slow) for t in TARGETS if t != BRIEF)]
)
def test_a_target_finds_nothing_in_a_few_inputs(target, tmp_path):
    command = [sys.executable, "-m", "fuzz", target, "--out", str(tmp_path), "--runs", "100"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r": (\d+) inputs", done.stdout + done.stderr)[1] == "100"
