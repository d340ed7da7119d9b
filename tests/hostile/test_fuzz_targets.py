"""The fuzz targets run and find nothing; what a target raises is written down."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BRIEF = "warc"
"""The target that is met at every run of the tests; the others are slow tests."""
TARGETS = sorted(file.stem for file in ROOT.glob("fuzz/targets/*.py"))

RAISES = """
def seeds():
    return [b"harmless", b"a longer one, harmless as well"]

def one(data):
    if len(data) % 2:
        raise LookupError(f"odd, {len(data)} bytes")
"""


def fuzz(target, out, *words, path=()):
    """The exit code and what the command prints."""
    folders = [*map(str, path), *filter(None, [os.environ.get("PYTHONPATH")])]
    command = [sys.executable, "-m", "fuzz", target, "--out", str(out), *words]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def runs_of(printed):
    """The number of inputs that the command says it fed."""
    return int(re.search(r": (\d+) inputs", printed)[1])


@pytest.mark.parametrize(
    "target", [BRIEF, *(pytest.param(t, marks=pytest.mark.slow) for t in TARGETS if t != BRIEF)]
)
def test_a_target_finds_nothing_in_a_few_inputs(target, tmp_path):
    code, printed = fuzz(target, tmp_path, "--runs", "100")
    assert (code, runs_of(printed)) == (0, 100), printed


@pytest.mark.parametrize("guided", [True, False])
def test_what_a_target_raises_is_written_once_for_each_place(guided, tmp_path):
    targets = tmp_path / "more" / "fuzz" / "targets"
    targets.mkdir(parents=True)
    (targets / "raises.py").write_text(RAISES)
    if not guided:
        (tmp_path / "more" / "atheris.py").write_text("raise ImportError('not here')")
    code, printed = fuzz("raises", tmp_path / "out", "--runs", "60", path=[tmp_path / "more"])
    assert (code, runs_of(printed)) == (1, 60), printed
    (report,) = (tmp_path / "out" / "raises").glob("*.txt")
    assert "LookupError: odd" in report.read_text()
    assert len(report.with_suffix(".input").read_bytes()) % 2


def test_an_unknown_target_is_told_with_those_there_are(tmp_path):
    code, printed = fuzz("nothing", tmp_path)
    assert code == 2
    assert "model" in printed
