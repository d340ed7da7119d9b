"""The WARC of the benchmark: the same bytes each time, and every planted damage accounted for."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace

import pytest

from victor.corpus.pages import write_corpus

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "make_warc.py"


@pytest.fixture(scope="module")
def script():
    spec = spec_from_file_location("make_warc", SCRIPT)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def made(script, annotated, tmp_path):
    write_corpus(tmp_path / "corpus", annotated[:5])

    def run(name, seed=1):
        out = tmp_path / name
        corpus = tmp_path / "corpus"
        script.make(SimpleNamespace(corpus=corpus, out=out, records=60, damaged=0.5, seed=seed))
        return out

    return run


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_record_is_accounted_for(script, made, capsys, seed):
    script.check(made("a.warc.gz", seed))
    assert "pages 54 of 54 not destroyed, damages 12 of 12" in capsys.readouterr().out


def test_what_is_missing_is_noticed(script, made):
    path = made("a.warc.gz")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(SystemExit, match="accounted"):
        script.check(path)


def test_the_same_bytes_come_each_time(made):
    first, again, other = made("a.warc.gz"), made("b.warc.gz"), made("c.warc.gz", 2)
    assert first.read_bytes() == again.read_bytes()
    assert first.read_bytes() != other.read_bytes()
