"""Code that a model or a configuration names by path runs only where the call names it, too."""

import json
import pickle
import shutil
import subprocess
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import victor as package
from victor.annotate.assist.suggestion_worker import load_suggester
from victor.annotate.page_processes import PageProcesses
from victor.api import CleanerSpec, load_cleaner
from victor.config import load
from victor.crawl.documents.crawl_spec import CrawlSpec
from victor.errors import FeatureError
from victor.evaluation.evaluation import evaluate
from victor.explain import edge_kinds, explain, strongest
from victor.features import from_config
from victor.labelers.load import load_model
from victor.model.extractor import FeatureExtractor
from victor.training.estimator import VictorCRF

ANNOTATIONS = Path(__file__).parents[2] / "annotations"
PAGE = b"<title>Bees</title><h1>Bees</h1><p>Bees live in colonies, each of which has one queen."
NOTES = """
from pathlib import Path

import numpy as np

from victor.features.base import Column, Measure

with Path("ran").open("a") as file:
    file.write("x")


def build(number=1):
    def compute(table):
        return {"notes.number": np.full(len(table), number, dtype=np.int64)}

    return Measure((Column("notes.number", "count", "a number"),), compute)
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A working directory with a module, a model and a configuration that name it, and pages."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.py").write_text(NOTES)
    model = load_model("crf")
    config = model.config.replace(features=(*model.config.features, {"./notes.py": {"number": 3}}))
    replace(model, config=config).save(tmp_path / "nice.victor")
    (tmp_path / "below.yaml").write_text(
        "base: crf\nfeatures: [words, ./notes.py]\ndiscretize: null\n"
        "template: [{column: notes.number}, {column: word.count}]\n"
    )
    (tmp_path / "nice.yaml").write_text("base: below.yaml\nsplit: block\n")
    (tmp_path / "page.html").write_bytes(PAGE)
    rows = (ANNOTATIONS / "pages.jsonl").read_text(encoding="utf-8").splitlines()[:6]
    (tmp_path / "corpus" / "pages").mkdir(parents=True)
    (tmp_path / "corpus" / "pages.jsonl").write_text("\n".join(rows), encoding="utf-8")
    for row in rows:
        shutil.copy(ANNOTATIONS / "pages" / f"{json.loads(row)['id']}.html", "corpus/pages")
    return tmp_path


def in_python(files):
    """What in Python runs features of a model or a configuration: name to a call without words."""
    spec = CleanerSpec("nice.victor", feature_files=tuple(files))
    crawl = CrawlSpec("nice.victor", feature_files=tuple(files))
    more = {"feature_files": files}

    def suggesting():
        with closing(PageProcesses(1)) as processes:
            return load_suggester("nice.victor", processes, feature_files=tuple(files))

    def explained():
        model = load_model("nice.victor")
        table = FeatureExtractor(load("crf")).table([PAGE])
        return explain(model, table, **more)

    return {
        "clean": lambda: package.clean(PAGE, model="nice.victor", **more),
        "clean_many": lambda: [*package.clean_many([PAGE], model="nice.victor", **more)],
        "load_cleaner": lambda: load_cleaner(Path("nice.victor"), **more),
        "loaded model": lambda: load_cleaner(load_model("nice.victor"), **more),
        "spec": lambda: pickle.loads(pickle.dumps(spec)).cleaner(),
        "crawl": lambda: pickle.loads(pickle.dumps(crawl)).configured(None).load(),
        "suggestions": suggesting,
        "from_config": lambda: from_config(["words", "./notes.py"], files),
        "extractor": lambda: FeatureExtractor(load("nice.yaml"), **more),
        "override": lambda: FeatureExtractor(load("crf", ["features=[./notes.py]"]), **more),
        "estimator": lambda: VictorCRF("nice.yaml", **more).blocks([PAGE]),
        "evaluate a model": lambda: evaluate("corpus", model=load_model("nice.victor"), **more),
        "evaluate a configuration": lambda: evaluate("corpus", config="nice.yaml", k=2, **more),
        "explain": explained,
        "strongest": lambda: strongest(load_model("nice.victor"), **more),
        "edge_kinds": lambda: edge_kinds(load_model("nice.victor"), **more),
    }


IN_PYTHON = [*in_python([])]
COMMANDS = {
    "clean": ["clean", "-m", "nice.victor", "page.html"],
    "clean in two processes": ["clean", "-m", "nice.victor", "-j", "2", "corpus/pages"],
    "crawl": ["crawl", "page.html", "-m", "nice.victor", "-o", "out"],
    "train": ["train", "corpus", "-c", "nice.yaml", "-o", "new.victor"],
    "evaluate a model": ["evaluate", "corpus", "-m", "nice.victor"],
    "evaluate a configuration": ["evaluate", "corpus", "-c", "nice.yaml", "-k", "2"],
    "hold out": ["evaluate", "corpus", "-c", "nice.yaml", "--holdout", "0.4"],
    "sweep": ["sweep", "corpus", "-m", "nice.victor"],
    "ablate": ["ablate", "corpus", "-c", "nice.yaml", "-k", "2"],
    "features": ["features", "page.html", "-c", "nice.yaml"],
    "codes": ["features", "page.html", "-m", "nice.victor"],
    "list": ["features", "--list", "-c", "nice.yaml"],
    "explain a page": ["explain", "page.html", "-m", "nice.victor"],
    "explain a model": ["explain", "-m", "nice.victor"],
    "compare": ["compare", "crf", "nice.victor", "page.html"],
    "annotate": ["annotate", "serve", "page.html", "-m", "nice.victor", "--store", "s.sqlite",
                 "--no-open"],
}  # fmt: skip


@pytest.mark.parametrize("name", IN_PYTHON)
def test_in_python_nothing_runs_that_the_call_does_not_name(here, name):
    for files in ([], ["other.py"], [str(here / "corpus")]):
        with pytest.raises(FeatureError, match=r"'\./notes\.py'.*nothing was run.*feature_files"):
            in_python(files)[name]()
    assert not Path("ran").exists()


@pytest.mark.parametrize("name", IN_PYTHON)
def test_in_python_it_runs_where_the_call_names_it(here, name):
    in_python([str(here / "notes.py")])[name]()
    assert Path("ran").exists()


def test_a_permission_is_of_one_call_only(here):
    """Labelers stay loaded; one that may run code is not lent to a call that may not."""
    allowed = load_cleaner("nice.victor", feature_files=["notes.py"])
    assert allowed.clean(PAGE).text
    with pytest.raises(FeatureError):
        load_cleaner("nice.victor")
    with pytest.raises(FeatureError):
        package.clean(PAGE, model="nice.victor")


def test_a_file_of_that_name_elsewhere_is_another_file(here, tmp_path_factory, monkeypatch):
    """Paths start at the working directory, wherever the model lies."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copy("nice.victor", elsewhere)
    shutil.copy("notes.py", elsewhere)
    monkeypatch.chdir(elsewhere)
    with pytest.raises(FeatureError):
        load_cleaner("nice.victor", feature_files=[here / "notes.py"])
    assert not (elsewhere / "ran").exists()
    load_cleaner("nice.victor", feature_files=["./notes.py"])
    assert (elsewhere / "ran").exists()


def test_none_of_two_files_runs_if_one_may_not(here):
    shutil.copy("notes.py", "more.py")
    with pytest.raises(FeatureError, match=r"more\.py"):
        from_config(["./notes.py", "./more.py"], ["notes.py"])
    assert not Path("ran").exists()


def test_names_of_installed_modules_are_no_way_around(here):
    for name in ("notes", "os", "json.tool", "victor.cli", "..notes", "notes.py/", "notes.PY"):
        with pytest.raises(FeatureError):
            from_config([name], ["notes"])
    assert not Path("ran").exists()


def test_looking_at_a_model_runs_nothing(here, victor):
    assert victor("models", "nice.victor").status == 0
    assert "./notes.py" in victor("models", "--config", "nice.victor").out
    assert not Path("ran").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs_nothing_that_it_is_not_told(here, victor, command):
    run = victor(*COMMANDS[command])
    assert run.status == 2
    assert "'./notes.py'" in run.err
    assert "--feature-file" in run.err
    assert not Path("ran").exists()


@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in ("annotate", "crawl")])
def test_a_command_runs_what_it_is_told(here, victor, command):
    run = victor(*COMMANDS[command], "--feature-file", "notes.py")
    assert run.status == 0, run.err
    assert Path("ran").exists()


def test_workers_of_a_crawl_run_it_and_going_on_wants_the_same_code(here, process):
    """Its workers are sent the permission; a module that changed would change the rest alone."""

    def crawl():
        words = [*COMMANDS["crawl"], "--feature-file", "notes.py"]
        running = process(*words, stderr=subprocess.PIPE, text=True)
        return running.communicate()[1], running.returncode

    err, code = crawl()
    assert code == 0, err
    assert "Bees live in colonies" in next(Path("out").rglob("part-*.jsonl")).read_text()
    Path("notes.py").write_text(NOTES + "\n# other code\n")
    err, code = crawl()
    assert code == 2
    assert "feature files" in err
