"""Pages, models and runs for the tests of the runner."""

from functools import partial
from pathlib import Path

import pytest

POISON = '''
"""A feature that does harm to whoever measures a page with one of three words."""

import ctypes
import os
from pathlib import Path

import numpy as np

from victor.features.base import Column, Measure


def build():
    return Measure((Column("poison.none", "bool", "never"),), compute)


def compute(table):
    text = table.chars.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    if "POISON-EXIT" in text:
        os._exit(3)
    if "POISON-SLEEP" in text:
        Path("FOLDER", f"asleep-{os.getpid()}").touch()
        ctypes.PyDLL(None).sleep(1_000_000)  # in C, with the interpreter's lock
    if "POISON-HOARD" in text:
        hoard = []
        while True:
            hoard.append(np.empty(20_000_000))  # the limit is on what is asked for
    return {"poison.none": np.zeros(len(table), dtype=bool)}
'''


@pytest.fixture(scope="session")
def poisoned_options(poisoned_model):
    """Options of a run with that model, which may run its feature module."""
    return "-m", poisoned_model, "--trust-code"


@pytest.fixture(scope="session")
def poisoned_model(annotated, tmp_path_factory):
    """A model with a feature module that can be poisoned by the text of a page."""
    from victor.config.layers import load
    from victor.model.extractor import FeatureExtractor
    from victor.training.dataset import analyze
    from victor.training.training import train

    folder = tmp_path_factory.mktemp("poison")
    (folder / "poison.py").write_text(POISON.replace("FOLDER", str(folder)))
    overrides = [f"features=[splits, words, {folder / 'poison.py'}]", "limits.seconds=5",
                 "template=[{column: split.p}, {column: word.count}]",
                 "discretize={default: {scale: 10}}", "crf.max_iterations=5"]  # fmt: skip
    extractor = FeatureExtractor(load(None, overrides), trust_code=True)
    path = folder / "poisoned.victor"
    train(analyze(annotated[:4], extractor), extractor).save(path)
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
def crawl(process):
    """Function: arguments of `victor crawl` to the process that does it, not yet waited for."""
    return partial(process, "crawl", stdout=-1, stderr=-1, text=True)


@pytest.fixture(scope="session")
def crawled(process):
    """Function: a command and arguments to exit status and standard error of its process."""

    def run(*arguments, **options):
        with process(*arguments, stdout=-1, stderr=-1, text=True, **options) as running:
            _, messages = running.communicate()
        return running.returncode, messages

    return run


@pytest.fixture(scope="session")
def written():
    """Function: a folder to the bytes of every file that has to be the same every time."""

    def read(folder):
        files = (path for path in Path(folder).rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}

    return read
