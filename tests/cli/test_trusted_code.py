"""Code that a model or a configuration brings runs only where the call says that it is trusted."""

import pickle
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

import victor as package
from tests.rows import tables
from victor.annotate.suggestions import load_suggester
from victor.api import CleanerSpec, load_cleaner
from victor.base.processes import Calls
from victor.config.layers import load
from victor.documents.process import CrawlSpec
from victor.errors import FeatureError
from victor.evaluation.evaluation import evaluate
from victor.explain.contributions import explain
from victor.explain.model_summary import learnt
from victor.features import from_config
from victor.labelers.crf import load_model
from victor.model.extractor import FeatureExtractor
from victor.training.estimator import VictorCRF

COMMANDS = tables(__file__)["commands"]
SAME = ("annotate", "evaluate corpus -m", "compare")
"""One serves until it is stopped, others say the same again."""
PAGE = (
    b"<title>Bees</title><h1>Bees</h1>" + 9 * b"<p>Bees live in colonies, and one queen is in each."
)
TABLE = {"base": "crf", "features+": ["./mine/notes.py"], "crf.max_iterations": 2,
         "template+": [{"column": "notes.number"}]}  # fmt: skip
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


@pytest.fixture(autouse=True)
def stock(here):
    """A working directory with a configuration that names a module, a model with it, and pages.

    The module itself lies elsewhere: a configuration finds it, a model does not need it.
    """
    (here / "mine").mkdir()
    (here / "mine" / "notes.py").write_text(NOTES)
    config = load("crf", ["features+=./mine/notes.py: {number: 3}"])
    replace(load_model("crf"), config=config).save(here / "nice.victor")
    (here / "mine" / "below.yaml").write_text(
        "base: crf\nfeatures: [words, ./notes.py]\ndiscretize: null\n"
        "template: [{column: notes.number}, {column: word.count}]\n"
    )
    (here / "nice.yaml").write_text("base: mine/below.yaml\nsplit: block\n")
    (here / "page.html").write_bytes(PAGE)


def in_python(trusted):
    """What in Python runs features of a model or a configuration: name to a call without words."""
    spec = CleanerSpec("nice.victor", trust_code=trusted)
    crawl = CrawlSpec("nice.victor", trust_code=trusted)
    more = {"trust_code": trusted}

    def suggesting():
        with closing(Calls(1)) as processes:
            return load_suggester("nice.victor", processes, trust_code=trusted)

    def explained():
        model = load_model("nice.victor")
        table = FeatureExtractor(load("crf")).table([PAGE])
        return explain(model, table, **more)

    return {
        "clean": lambda: package.clean(PAGE, model="nice.victor", **more),
        "load_cleaner": lambda: load_cleaner(Path("nice.victor"), **more),
        "loaded model": lambda: load_cleaner(load_model("nice.victor"), **more),
        "spec": lambda: pickle.loads(pickle.dumps(spec)).cleaner(),
        "crawl": lambda: pickle.loads(pickle.dumps(crawl)).configured(None).load(),
        "suggestions": suggesting,
        "from_config": lambda: from_config(["words", "./mine/notes.py"], trusted),
        "extractor": lambda: FeatureExtractor(load("nice.yaml"), **more),
        "override": lambda: FeatureExtractor(load("crf", ["features=[./mine/notes.py]"]), **more),
        "estimator": lambda: VictorCRF("nice.yaml", **more).blocks([PAGE]),
        "evaluate a model": lambda: evaluate("corpus", model=load_model("nice.victor"), **more),
        "evaluate a configuration": lambda: evaluate("corpus", config="nice.yaml", k=2, **more),
        "explain": explained,
        "train by a table": lambda: package.train("corpus", TABLE, **more),
        "learnt": lambda: learnt(load_model("nice.victor"), **more),
    }


def test_in_python_nothing_runs_without_the_say_so():
    for name, call in in_python(False).items():
        with pytest.raises(FeatureError, match=r"'notes\.py'.*trust_code=True"):
            call()
        assert not Path("ran").exists(), name


def test_in_python_it_runs_where_the_call_trusts_it():
    for call in in_python(True).values():
        call()
    assert Path("ran").read_text() >= "xxx"  # what is loaded stays so


def test_nothing_else_is_run():
    """Neither one of two files, nor a file where the model lies, nor an installed module."""
    shutil.copy("mine/notes.py", "more.py")
    with pytest.raises(FeatureError, match=r"'notes\.py', 'more\.py'"):
        from_config(["./mine/notes.py", "./more.py"])
    for name in ("notes", "os", "json.tool", "victor.cli", "..notes", "mine/notes.py/", "notes.PY"):
        for trusted in (False, True):
            with pytest.raises(FeatureError):
                from_config([name], trusted)
    assert not Path("ran").exists()
    for file in (Path("notes.py"), Path("mine", "notes.py")):
        file.write_text("raise RuntimeError")
    assert package.clean(PAGE, model="nice.victor", trust_code=True).text


def test_trust_is_of_one_call_only():
    """Labelers stay loaded; one that may run code is not lent to a call that may not."""
    allowed = load_cleaner("nice.victor", trust_code=True)
    assert allowed.clean(PAGE).text
    with pytest.raises(FeatureError):
        load_cleaner("nice.victor")
    with pytest.raises(FeatureError):
        package.clean(PAGE, model="nice.victor")


def test_looking_at_a_model_runs_nothing_and_shows_the_code(victor):
    assert victor("models", "nice.victor").status == 0
    shown = victor("models", "--config", "nice.victor").out
    assert 'with Path("ran").open("a") as file:' in shown
    assert not Path("ran").exists()
    Path("shown.yaml").write_text(shown)
    assert load("shown.yaml") == load_model("nice.victor").config


def test_no_configuration_runs_the_source_that_it_holds_itself():
    """As that of a model does when it is written as YAML."""
    Path("shown.yaml").write_text(load_model("nice.victor").config.dump())
    with pytest.raises(FeatureError, match="nothing was run"):
        FeatureExtractor(load("shown.yaml"))
    assert not Path("ran").exists()
    FeatureExtractor(load("shown.yaml"), trust_code=True)
    assert Path("ran").exists()


def test_no_command_runs_anything_without_the_say_so(victor):
    for command in COMMANDS:
        run = victor(*command.split())
        assert (run.status, "'notes.py'" in run.err, "--trust-code" in run.err) == (2, True, True)
        assert not Path("ran").exists(), command


def test_commands_run_what_they_are_told_to_trust(victor):
    """Those of a model do not need the file."""
    for command in sorted(COMMANDS, key=lambda command: "nice.yaml" not in command):
        if "nice.yaml" not in command:
            shutil.rmtree("mine", ignore_errors=True)
        if not command.startswith(SAME):
            Path("ran").unlink(missing_ok=True)
            run = victor(*command.split(), "--trust-code")
            assert (run.status, Path("ran").exists()) == (0, True), (command, run.err)
