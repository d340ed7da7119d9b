"""What `VictorCRF` refuses, and how: one page for a list, things that are no pages or labels."""

import inspect
from pathlib import Path

import numpy as np
import pytest

import victor
from victor import VictorCRF
from victor.config.layers import load
from victor.errors import ConfigError, CorpusError, PageError
from victor.training.estimator import DECISION, HYPERPARAMETERS

PAGE = b"<h1>Bees</h1><p>Bees live in colonies, each of which has one queen.</p><p>Home</p>"
LABELS = ["header", "text", "other"]
CORPUS = [PAGE] * 4, [LABELS] * 4


@pytest.fixture(scope="module")
def fitted():
    return VictorCRF(c2=10, max_iterations=3).fit(*CORPUS)


# --- pages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["<p>hello", b"<p>hello", Path("page.html")])
@pytest.mark.parametrize("method", ["predict", "predict_proba", "blocks"])
def test_one_page_is_not_a_list_of_pages(fitted, method, page):
    with pytest.raises(ConfigError, match=r"list of pages; put a single page into a list: \[page"):
        getattr(fitted, method)(page)


def test_things_that_are_no_pages(fitted):
    with pytest.raises(PageError, match="page 1 is int; a page is bytes, text or the Path") as one:
        fitted.predict([PAGE, 7])
    assert one.value.reason == "not-a-page"
    with pytest.raises(PageError, match="page 0 is ndarray"):
        fitted.predict(np.array([[PAGE], [PAGE]], dtype=object))


@pytest.mark.parametrize("name", ["https://bees.example/", "pages/bees.html"])
def test_text_that_only_names_a_page(fitted, name):
    with pytest.raises(PageError, match=r"page 1: it is (an address|the name of a file) and no"):
        fitted.predict([PAGE, name])


def test_files_are_pages(fitted, tmp_path):
    file = tmp_path / "page.html"
    file.write_bytes(PAGE)
    assert np.array_equal(fitted.predict([file])[0], fitted.predict([PAGE])[0])
    assert fitted.blocks([file]) == fitted.blocks([PAGE])
    with pytest.raises(PageError, match=r"page 1: .*none\.html cannot be read: No such file"):
        fitted.predict([file, tmp_path / "none.html"])


# --- labels --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, "y is a list with the labels"),
        ("text", "y is a list with the labels"),
        (["text"], "page 0 has 'text' for labels; give a list, one for each block"),
        ([None], "page 0 has None for labels"),
        ([["text"] * 2], "page 0 has 3 blocks but 2 labels; `blocks` shows how it is split"),
    ],
)
def test_labels_that_are_none(fitted, labels, message):
    with pytest.raises(CorpusError, match=message):
        VictorCRF().fit([PAGE], labels)
    with pytest.raises(CorpusError, match=message):
        fitted.score([PAGE], labels)


# --- parameters ----------------------------------------------------------------------------------


def test_every_parameter_is_described():
    names = [*inspect.signature(VictorCRF.__init__).parameters][1:]
    assert names == ["config", *HYPERPARAMETERS, *DECISION, "overrides", "trust_code"]
    for name in names:
        assert f"        {name}: " in VictorCRF.__doc__
    for path in HYPERPARAMETERS.values():
        assert f"``{path}``" in VictorCRF.__doc__


def test_parameters_are_what_the_model_is_trained_with():
    given = {"split": "tag", "c1": 0.5, "c2": np.float64(3), "max_iterations": np.int64(2)}
    crf = VictorCRF(**given, overrides=("crf.c2=7", "crf.transitions=false")).fit(*CORPUS)
    config = crf.model_.config
    assert (config.split, config.crf.c1, config.crf.c2) == ("tag", 0.5, 3)
    assert (config.crf.max_iterations, config.crf.transitions) == (2, False)
    trees = VictorCRF("default", trees=2, depth=1, learning_rate=0.5, l2=1).fit(*CORPUS)
    options = trees.model_.config.trees
    assert (options.count, options.depth, options.learning_rate, options.l2) == (2, 1, 0.5, 1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"c2": -1}, "crf.c2: Expected `float` >= 0"),
        ({"c2": "much"}, "crf.c2: Expected `float`, got"),
        ({"split": "word"}, "split: should be 'tag' or 'block'"),
        ({"depth": 9, "trees": 1}, "trees.depth: Expected `int` <= 8"),
        ({"threshold": 2}, "decide: threshold: Expected `float` <= 1"),
        ({"method": "best"}, "decide: method: should be 'threshold'"),
        ({"depth": 3}, "depth changes nothing, .* of linear potentials"),
        ({"config": "default", "c2": 3}, "c2 changes nothing, .* of trees"),
        ({"trees": 3, "c1": 3}, "c1 changes nothing"),
        ({"threshold": 0.4, "method": "viterbi"}, "threshold is of the method threshold"),
        ({"threshold": 0.4, "temperature": 2}, "leave out one of them"),
    ],
)
def test_parameters_that_are_wrong_or_change_nothing(parameters, message):
    with pytest.raises(ConfigError, match=message):
        VictorCRF(**parameters).fit(*CORPUS)


# --- configurations ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "config",
    [
        {"base": "crf", "crf": {"c2": 5}, "decide": {"method": "viterbi"}},
        {"base": "crf", "crf.c2": 5, "decide.method": "viterbi"},
        load("crf", ["crf.c2=5", "decide.method=viterbi"]),
    ],
    ids=["table", "paths", "object"],
)
def test_a_configuration_may_be_a_table(config):
    wanted = load("crf", ["crf.c2=5", "decide.method=viterbi"])
    assert VictorCRF(config)._extractor().config == wanted


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"base": "crf", "crf": {"c3": 5}}, "crf.c3: unknown key, did you mean c"),
        ({"base": "crff"}, "did you mean crf"),
        ({"base": "crf", "features": {1, 2}}, "what YAML cannot"),
        (3, "a configuration is a name, a path, a table or a Config, not 3"),
    ],
)
def test_wrong_configurations(config, message):
    with pytest.raises(ConfigError, match=message):
        VictorCRF(config).fit(*CORPUS)


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("decision", [{}, {"threshold": 0.02}, {"method": "viterbi"}])
def test_what_is_saved_decides_alike(fitted, annotated, tmp_path, decision):
    pages = [page.html for page in annotated[:4]]
    file = tmp_path / "m.victor"
    estimator = VictorCRF(max_iterations=3, **decision).fit(*CORPUS)
    estimator.save(str(file))
    for page, labels in zip(pages, estimator.predict(pages), strict=True):
        # Rules of the page outrank labels: tables are kept whole, copies of a text are dropped.
        decided = [
            (block.label, label)
            for block, label in zip(victor.clean(page, model=file).blocks, labels, strict=True)
            if block.reason in ("kept", "below-threshold", "expected-f", "viterbi")
        ]
        assert len(decided) > 10
        assert all(saved == label for saved, label in decided)


def test_the_card_says_what_it_was_trained_on(fitted):
    assert fitted.model_.card["training"] == {
        "pages": 4, "sites": 4, "blocks": {"header": 4, "text": 4, "other": 4},
    }  # fmt: skip
