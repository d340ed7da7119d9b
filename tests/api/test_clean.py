"""One page: what a result holds, where it comes from, and what thresholds do to it."""

import json
import pickle
from dataclasses import replace
from inspect import signature
from itertools import pairwise
from pkgutil import resolve_name

import numpy as np
import pytest
from msgspec import structs

import victor
from tests.rows import tables, written_out
from victor import Cleaner, ConfigError, PageError, Source
from victor.api import CleanerSpec, load_cleaner
from victor.base.labels import Label
from victor.config.schema import Limits
from victor.labelers.labeler import build_labeler
from victor.model.decide import Decision

ROWS = tables(__file__)
PAGE = written_out(ROWS["page"])


@pytest.fixture(scope="module")
def result(small_model):
    return victor.clean(PAGE, "https://bees.example/", model=small_model)


def test_every_form_is_that_of_its_renderer(result):
    assert result.text == result.render("text")
    assert result.markdown == result.render("markdown") != result.text
    assert result.html == result.render("html")
    assert "The bees of this valley fly out early" in result.html
    assert "Privacy" not in result.html
    assert '"url":"https://bees.example/"' in result.render("records").splitlines()[0]


def test_blocks_are_the_arrays_in_words(result):
    assert [block.text for block in result.blocks][:3] == ["Home", "Shop", "On bees"]
    assert result.labels.shape == (len(result.blocks),)
    assert result.marginals.shape == (len(result.blocks), len(Label))
    for block, label, row in zip(result.blocks, result.labels, result.marginals, strict=True):
        assert block.label == Label(label).lower_name
        assert list(block.marginals) == ["header", "text", "other"]
        assert list(block.marginals.values()) == row.tolist()
        assert (block.reason == "kept") == (block.label != "other")


def test_the_charset_of_the_server_counts(cleaner):
    page = "<p>Žluťoučký kůň</p>".encode("iso-8859-2")
    (told,) = cleaner.clean_many([Source(page, None, "iso-8859-2")])
    assert told.metadata["encoding"] == "iso-8859-2"
    assert told.metadata["encoding_reason"] == "declared-http"


# --- thresholds ----------------------------------------------------------------------------------


def test_a_higher_threshold_keeps_more(annotated, small_model):
    pages = [page.html for page in annotated]
    kept = []
    for threshold in (0.0, 0.01, 0.2, 0.5, 0.8, 0.99, 1.0):
        results = victor.clean_many(pages, model=small_model, threshold=threshold)
        kept.append(np.concatenate([result.labels != Label.OTHER for result in results]))
    assert not kept[0].any()
    for strict, loose in pairwise(kept):
        assert not (strict & ~loose).any()
        assert strict.sum() < loose.sum()


def test_without_a_threshold_the_configuration_decides(annotated, small_model):
    assert small_model.config.decide.method == "expected-f"
    own = load_cleaner(small_model, decision=small_model.config.decide)
    pages = [page.html for page in annotated]
    found = [result.text for result in victor.clean_many(pages, model=small_model)]
    assert found == [result.text for result in own.clean_many(pages)]
    by_threshold = victor.clean_many(pages, model=small_model, threshold=0.05)
    assert found != [result.text for result in by_threshold]


# --- models --------------------------------------------------------------------------------------


def test_a_model_is_a_name_a_path_or_an_object(small_model, small_model_file):
    by_object = victor.clean(PAGE, model=small_model)
    for model in (small_model_file, str(small_model_file), victor.load_model(small_model_file)):
        assert np.array_equal(victor.clean(PAGE, model=model).marginals, by_object.marginals)


def test_a_model_trained_again_is_another_model(small_model, small_model_file, tmp_path):
    path = tmp_path / "my.victor"
    path.write_bytes(small_model_file.read_bytes())
    before = victor.clean(PAGE, model=path)
    potentials = small_model.potentials
    bias = np.add(potentials.weights.bias, [5, 0, 0])
    other = replace(potentials, weights=replace(potentials.weights, bias=bias))
    structs.replace(small_model, potentials=other).save(path)
    assert not np.allclose(victor.clean(PAGE, model=path).marginals, before.marginals)


# --- systems -------------------------------------------------------------------------------------


def test_a_labeler_is_named_or_a_model(small_model_file, tmp_path):
    model = CleanerSpec(small_model_file)
    assert CleanerSpec().build().name == model.build().name == "crf"
    assert model.build().limits == load_cleaner(small_model_file).limits
    path = tmp_path / "strict.yaml"
    path.write_text("base: density\ndensity: {characters: 100}\n")
    plain, strict = CleanerSpec(None, "density"), CleanerSpec(None, "density", path)
    page = b"<p>Bees live in colonies, and so do ants of many kinds in all our woods.</p>"
    assert [spec.cleaner().clean(page).text != "" for spec in (plain, strict)] == [True, False]
    assert CleanerSpec.named("density") == plain
    assert victor.clean(page, labeler="density").text == plain.cleaner().clean(page).text
    assert CleanerSpec.named(str(small_model_file)) == CleanerSpec(str(small_model_file))


@pytest.mark.parametrize(
    "call", [victor.clean, victor.clean_many, victor.train, victor.evaluate, victor.adapt,
             victor.VictorCRF, load_cleaner, CleanerSpec],
)  # fmt: skip
def test_nothing_runs_code_that_a_model_brings_unless_it_is_told_to(call):
    assert signature(call).parameters["trust_code"].default is False


def test_limits_and_decision_go_with_the_names_to_another_process(small_model_file):
    spec = CleanerSpec(small_model_file, limits=Limits(bytes=9), decision=Decision("threshold", 1))
    cleaner = pickle.loads(pickle.dumps(spec)).cleaner()
    assert (cleaner.limits, cleaner.decision) == (spec.limits, spec.decision)
    assert hash(spec) == hash(pickle.loads(pickle.dumps(spec)))


def test_a_cleaner_names_what_can_be_pickled_in_its_place():
    with pytest.raises(ConfigError, match="CleanerSpec"):
        pickle.dumps(CleanerSpec.named("none").cleaner())


def test_blocks_are_where_their_ranges_say(result):
    assert any(block.kept for block in result.blocks)
    for block in result.blocks:
        assert (block.text_range is None) == (not block.kept)
        if block.kept:
            assert result.text[slice(*block.text_range)] == block.text


def test_json_has_what_is_declared_on_request():
    fields = ("posts", "schema_org")
    value = json.loads(victor.clean(PAGE).render("json", fields=fields))
    assert [value[name] for name in fields] == [[], []]
    assert "text" not in value
    recipe = {"@type": "Recipe", "recipeIngredient": ["2 eggs"]}
    page = f"<script type=application/ld+json>{json.dumps(recipe)}</script><p>a"
    value = json.loads(victor.clean(page).render("json", fields=fields))
    assert value["schema_org"] == [recipe]


CALLS = {
    "clean": lambda **options: victor.clean(PAGE, **options),
    "clean a page beyond a limit": lambda: Cleaner(
        build_labeler("none"), limits=Limits(blocks=2)
    ).clean(PAGE),
    "clean_many": lambda **options: victor.clean_many([], **options),  # at once
    "Cleaner": lambda name: victor.Cleaner(victor.load_model(name)),
    "CleanerSpec": lambda **options: CleanerSpec(**options).build(),
    "load_model": victor.load_model,
    "render": lambda form: victor.clean(PAGE).render(form),
}


@pytest.mark.parametrize(("call", "options", "error"), ROWS["wrong"].values(), ids=ROWS["wrong"])
def test_what_is_wrong_is_one_error_of_ours(call, options, error):
    with pytest.raises(getattr(victor, error)) as caught:
        CALLS[call](**options)
    assert str(caught.value).isprintable()


# --- what is made when it is asked for -----------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "ask"),
    [("victor.render.forms.renderer", lambda result: result.html),
     ("victor.metadata.page_metadata.page_metadata", lambda result: result.metadata)],
)  # fmt: skip
def test_forms_and_metadata_are_made_when_asked_for_and_once(monkeypatch, where, ask):
    made, original = [], resolve_name(where)
    monkeypatch.setattr(where, lambda *given, **more: made.append(1) or original(*given, **more))
    result = victor.clean(PAGE, labeler="none")
    assert made == []
    assert ask(result) == ask(result)
    assert made == [1]


def test_metadata_are_plain_data_and_those_of_the_page():
    pages = [f"<title>Page {n}</title><p itemprop=author>Anna B{'c' * n}</p>" for n in range(1, 5)]
    gone = PageError("gone", "it is gone")
    *results, failed = victor.clean_many([*pages, gone], labeler="none")
    assert [each.metadata["title"] for each in results] == [f"Page {n}" for n in range(1, 5)]
    assert json.loads(json.dumps(results[0].metadata)) == results[0].metadata
    assert (failed.metadata, failed.error) == ({}, gone)


@pytest.mark.parametrize(("blocks", "recovered"), [(2, "json-ld"), (1, None)])
def test_a_recovered_page_beyond_the_limits_is_left_alone(blocks, recovered):
    """Its headline and one paragraph are two blocks."""
    body = " ".join(f"On day {n} young oysters settled on nothing that moves." for n in range(30))
    script = f"<script type=application/ld+json>{json.dumps({'articleBody': body})}</script>"
    cleaner = Cleaner(build_labeler("none"), limits=Limits(blocks=blocks))
    found = cleaner.clean(f"<title>Oysters</title><div>Loading</div>{script}")
    assert found.metadata.get("recovered") == recovered


# --- the names of the package ---------------------------------------------------------------------


def test_the_names_are_there():
    assert sorted(victor.__all__) == sorted(
        "Block Cleaner ConfigError CorpusError FeatureError Label ModelError PageError Result "
        "Source TemplateError VictorCRF VictorError __version__ adapt clean clean_many evaluate "
        "fetch load_corpus load_model model_names sweep train".split()
    )
    assert all(getattr(victor, name) is not None for name in victor.__all__)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="no attribute 'klean'"):
        victor.klean  # noqa: B018
