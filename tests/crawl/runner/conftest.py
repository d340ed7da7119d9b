"""Pages, models and runs for the tests of the runner."""

import subprocess
import sys
from pathlib import Path

import pytest

POISON = '''
"""A feature that does harm to whoever measures a page with one of three words."""

import ctypes
import os
from pathlib import Path

import numpy as np

from victor.columns import Column, Measure


def build():
    return Measure((Column("poison.none", "bool", "never"),), compute)


def compute(table):
    text = table.chars.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    if "POISON-EXIT" in text:
        os._exit(3)
    if "POISON-SLEEP" in text:
        Path(__file__).with_name(f"asleep-{os.getpid()}").touch()
        ctypes.PyDLL(None).sleep(1_000_000)  # in C, with the interpreter's lock
    if "POISON-HOARD" in text:
        hoard = []
        while True:
            hoard.append(np.ones(1_000_000))
    return {"poison.none": np.zeros(len(table), dtype=bool)}
'''
PROGRAM = "from victor.cli import main; main()"


@pytest.fixture(scope="session")
def poisoned_model(annotated, tmp_path_factory):
    """A model with a feature module that can be poisoned by the text of a page."""
    from victor.analysis import Analyzer
    from victor.config import load
    from victor.dataset import analyze
    from victor.training import train

    folder = tmp_path_factory.mktemp("poison")
    (folder / "poison.py").write_text(POISON)
    overrides = [f"features=[splits, words, {folder / 'poison.py'}]", "limits.seconds=5",
                 "template=[{column: split.p}, {column: word.count}]",
                 "discretize={default: {scale: 10}}", "crf.max_iterations=5"]  # fmt: skip
    analyzer = Analyzer(load(None, overrides))
    path = folder / "poisoned.victor"
    train(analyze(annotated[:4], analyzer), analyzer).save(path)
    return path


@pytest.fixture(scope="session")
def pages(annotated, tmp_path_factory):
    """Sixty pages, in sixty files of a folder."""
    folder = tmp_path_factory.mktemp("pages")
    for number in range(60):
        page = annotated[number % len(annotated)]
        (folder / f"{number:03d}.html").write_bytes(page.html)
    return folder


@pytest.fixture(scope="session")
def crawl():
    """Function: arguments of `victor crawl` to the process that does it, not yet waited for."""

    def start(*arguments, **options):
        command = [sys.executable, "-P", "-c", PROGRAM, "crawl", *map(str, arguments)]
        return subprocess.Popen(command, stdout=-1, stderr=-1, text=True, **options)

    return start


@pytest.fixture(scope="session")
def crawled(crawl):
    """Function: the same to exit status and standard error of a run that ended by itself."""

    def run(*arguments, **options):
        with crawl(*arguments, **options) as running:
            _, said = running.communicate()
        return running.returncode, said

    return run


@pytest.fixture(scope="session")
def written():
    """Function: a folder to the bytes of every file that has to be the same every time."""

    def read(folder):
        files = (path for path in Path(folder).rglob("*") if path.is_file())
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in files
            if path.name != "timing.json"
        }

    return read
