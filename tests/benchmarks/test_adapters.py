"""Adapters for benchmarks of others give the text of a page in the form that each wants.

The benchmarks are not installed: stand-ins have the few names that the adapters import.
"""

import gzip
import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace

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


def test_webmainbench(monkeypatch):
    class Extractor:
        def __init__(self):
            self._setup()

    class Result(SimpleNamespace):
        @classmethod
        def create_error_result(cls, message):
            return cls(success=False, message=message)

    names = []
    base, factory, package = (ModuleType(f"bench{part}") for part in (".base", ".factory", ""))
    base.BaseExtractor, base.ExtractionResult = Extractor, Result
    factory.extractor = lambda name: lambda made: names.append(name) or made
    package.__path__ = []
    for module in (base, factory, package):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    made = load("victor_extractor", "bench").VictorExtractor()
    assert names == ["victor"]
    result = made._extract_content(PAGE, "https://bees.example/")
    assert result.success
    assert result.content.strip().split("\n\n") == ["# On bees", *SENTENCES]
    assert (result.title, result.language) == ("On bees", "en")
    assert not made._extract_content(BROKEN).success


def test_fundus_evaluation(capsys):
    scrape = load("scrape_victor").scrape_victor
    page = {"url": "https://bees.example/", "publisher_identifier": "Bees", "crawl_date": None}
    assert scrape(html=PAGE, **page) == [*SENTENCES]
    assert scrape(html="<nav><a href=/>Home</a></nav>", **page) == []
    assert capsys.readouterr().err == ""
    assert scrape(html="page.html", **page) == []
    assert "Bees https://bees.example/: " in capsys.readouterr().err


def test_wcxb(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["wcxb_predictions.py", str(folder)])
    load("wcxb_predictions").main()
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"a": "\n\n".join(SENTENCES) + "\n", "b": ""}
    assert "b.html.gz: " in printed.err
