"""Whatever happens while a command writes, the old file is there or the new one, never half."""

import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("resource")  # the faults are those of POSIX systems
from hostile import writing

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of forks with threads
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere forks may not go on"),
]


@pytest.fixture(scope="session")
def inputs(annotated, tmp_path_factory):
    folder = tmp_path_factory.mktemp("writing") / "in"
    writing.prepare(folder, annotated)
    return folder


@pytest.fixture(scope="session")
def inputs_and_model(inputs):
    writing.prepare_model(inputs)
    return inputs


def check(name, inputs, tmp_path):
    with writing.small_disk(tmp_path / "disk") as is_disk:
        found = writing.outcomes(writing.COMMANDS[name], inputs, tmp_path / "disk", is_disk)
    half = {fault: each for fault, each in found.items() if each.left == "half"}
    assert not half
    assert found["again"].left == "new"
    for fault, each in found.items():
        killed = fault.startswith("kill")
        assert killed or not each.leftovers, fault
        assert each.status == -signal.SIGKILL if killed else each.status in (0, 1, 2), (fault, each)
        if each.status > 0:  # it says which file, and why
            assert "out" in each.said, (fault, each)
            assert ": " in each.said
            assert "Traceback" not in each.said
        if fault.startswith("full") and each.status:
            assert "No space left on device; free space" in each.said


@pytest.mark.parametrize("name", [name for name in writing.COMMANDS if name not in writing.SLOW])
def test_a_command(name, inputs, tmp_path):
    check(name, inputs, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(writing.SLOW))
def test_a_command_that_computes(name, inputs_and_model, tmp_path):
    check(name, inputs_and_model, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clean, a folder", "corpus build", "annotate export, jsonl"])
def test_a_command_that_is_killed_at_any_moment(name, inputs, tmp_path):
    command = writing.COMMANDS[name]
    out, seed = tmp_path / "out", random.Random(7)
    words = command.call.format(**{"in": inputs, "out": out}).split()
    call = [sys.executable, "-P", "-c", "from victor.cli import main; main()", *words]
    out.mkdir()
    started = time.monotonic()
    subprocess.run(call, check=True, capture_output=True)
    seconds, new = time.monotonic() - started, writing.contents(out)
    for _ in range(20):
        shutil.rmtree(out)
        out.mkdir()
        process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds * seed.uniform(0.4, 1.1))
        process.kill()
        process.wait()
        left = writing.compared(writing.contents(out), {}, new, command.is_whole)
        assert left != "half"
        if left == "old":
            subprocess.run(call, check=True, capture_output=True)
            assert writing.contents(out) == new
            assert not writing.leftovers(out)
