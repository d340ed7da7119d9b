"""Pages, models and runs for the tests of the runner."""

import gzip
import json
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
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
            hoard.append(np.ones(1_000_000))
    return {"poison.none": np.zeros(len(table), dtype=bool)}
'''
PROGRAM = "from victor.cli import main; main()"


@pytest.fixture(scope="session")
def poisoned_options(poisoned_model):
    """Options of a run with that model, which may run its feature module."""
    return "-m", poisoned_model, "--trust-code"


@pytest.fixture(scope="session")
def poisoned_model(annotated, tmp_path_factory):
    """A model with a feature module that can be poisoned by the text of a page."""
    from victor.config import load
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
            _, messages = running.communicate()
        return running.returncode, messages

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


EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "datatrove_crawl.py"
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy, a to celý večer. "


def record(url, body, content_type="text/html; charset=utf-8"):
    block = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n".encode() + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n"
        f"WARC-Record-ID: <urn:uuid:{url}>\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", mtime=0)


@pytest.fixture(scope="session")
def crawled_folder(annotated, tmp_path_factory):
    folder = tmp_path_factory.mktemp("warcs")
    good = [page.html for page in annotated]
    czech = f"<title>Kůň</title><p>{CZECH * 10}</p>".encode("cp1250")
    first = [record(f"http://a.example/{i}", page) for i, page in enumerate(good[:12])]
    first.insert(3, record("http://a.example/cs", czech, "text/html; charset=windows-1250"))
    first.insert(5, record("http://a.example/cut", good[0])[:-90])
    second = [record(f"http://b.example/{i}", page) for i, page in enumerate(good[12:20])]
    second.insert(0, record("http://b.example/pdf", b"%PDF-1.4", "application/pdf"))
    second.append(record("http://b.example/empty", b"<p></p>"))
    (folder / "a.warc.gz").write_bytes(b"".join(first))
    (folder / "b.warc.gz").write_bytes(b"".join(second))
    return folder


@pytest.fixture(scope="session")
def lines():
    """Function: the rows of all JSONL files in a folder or its data, by their ids."""

    def read(folder):
        rows = {}
        inner = Path(folder) / "data"
        folder = inner if inner.is_dir() else folder
        for path in sorted(Path(folder).glob("*[0-9].jsonl*")):
            opened = gzip.open if path.suffix == ".gz" else open
            with opened(path, "rt", encoding="utf-8") as file:
                for row in map(json.loads, file):
                    assert rows.setdefault(row["id"], row) is row, "an id names one document"
        return rows

    return read


@pytest.fixture(scope="session")
def example():
    """The example of the documentation as a module."""
    spec = spec_from_file_location(EXAMPLE.stem, EXAMPLE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
