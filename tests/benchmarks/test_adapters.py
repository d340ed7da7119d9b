"""Adapters for benchmarks of others give the text of a page in the form that each wants.

The benchmarks are not installed: stand-ins have the few names that the adapters import.
"""

import gzip
import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ADAPTERS = Path(__file__).resolve().parents[2] / "benchmarks/adapters"
SENTENCES = (
    "Bees live in colonies, and each colony has one queen.",
    "Workers feed the larvae and guard the door.",
)
PAGE = (
    "<html lang=en><title>On bees</title><nav><a href=/>Home</a> <a href=/b>About us</a></nav>"
    f"<main><h1>On bees</h1><p>{SENTENCES[0]}<p>{SENTENCES[1]}</main>"
    "<footer>All rights reserved</footer>"
)
BROKEN = b"%PDF-1.4 no page"


def load(name, package=None):
    full_name = name if package is None else f"{package}.{name}"
    module = module_from_spec(spec_from_file_location(full_name, ADAPTERS / f"{name}.py"))
    module.__loader__.exec_module(module)
    return module


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "html").mkdir()
    (tmp_path / "html/a.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    (tmp_path / "html/b.html.gz").write_bytes(gzip.compress(BROKEN))
    return tmp_path


def test_article_extraction_benchmark(folder, monkeypatch, capsys):
    written = {}
    stand_in = ModuleType("output_util")
    stand_in.python_dist_version = lambda name: f"{name} 1"
    stand_in.write_output_json = lambda path, output, version: written.update(
        path=path, output=output, version=version
    )
    monkeypatch.setitem(sys.modules, "output_util", stand_in)
    load("run_victor").main()
    assert written["path"] == Path("output/victor.json")
    assert written["output"]["a"]["articleBody"].strip().split("\n\n") == [*SENTENCES]
    assert written["output"]["b"] == {"articleBody": ""}
    assert "b.html.gz: " in capsys.readouterr().err


def test_wcxb(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["wcxb_predictions.py", str(folder)])
    load("wcxb_predictions").main()
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"a": "\n\n".join(SENTENCES) + "\n", "b": ""}
    assert "b.html.gz: " in printed.err
