"""One page: what a result holds, where it comes from, and what thresholds do to it."""

import json
import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from msgspec import structs

import victor
from victor import Cleaner, ConfigError, ModelError, PageError, Source
from victor.api import CleanerSpec, load_cleaner
from victor.base.labels import Label
from victor.config.schema import Limits, Scope
from victor.model.decide import Decision

PARAGRAPH = "The bees of this valley fly out early, and they come home late in the evening. "
PAGE = f"""<!DOCTYPE html><html lang="en"><head><title>On bees</title>
<meta name="author" content="A. Keeper"><meta name="description" content="About bees.">
<link rel="canonical" href="https://bees.example/on"></head><body>
<ul class="menu"><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul>
<h1>On bees</h1><p>{PARAGRAPH * 3}</p><p>{PARAGRAPH * 4}</p>
<div class="footer"><a href="/c">Contact</a> | <a href="/p">Privacy</a></div></body></html>"""


@pytest.fixture(scope="module")
def result(small_model):
    return victor.clean(PAGE, "https://bees.example/", model=small_model)


def test_a_page_becomes_clean_text(result):
    assert result.reason == "ok"
    assert result.error is None
    assert result.url == "https://bees.example/"
    assert PARAGRAPH.strip() in result.text
    assert "Privacy" not in result.text


def test_every_form_is_that_of_its_renderer(result):
    assert result.text == result.render("text")
    assert result.markdown == result.render("markdown") != result.text
    assert result.html == result.render("html")
    assert PARAGRAPH.strip() in result.html
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


def test_metadata_says_what_the_page_says_of_itself(result):
    assert result.metadata == {
        "title": "On bees", "window_title": "On bees", "description": "About bees.",
        "authors": ["A. Keeper"],
        "language": "en", "canonical": "https://bees.example/on",
        "encoding": "unicode", "encoding_reason": "text",
        "sources": {
            "title": "headline", "window_title": "title", "authors": "meta", "language": "html",
            "description": "meta", "canonical": "link",
        },
    }  # fmt: skip


def test_printing_a_result_does_not_print_the_page(result):
    assert len(repr(result)) < 1000


def test_forms_are_made_when_asked_for_and_once(monkeypatch, small_model):
    made = []

    def renderer(form):
        return lambda *_, **__: made.append(form) or "made"

    monkeypatch.setattr("victor.render.forms.renderer", renderer)
    result = victor.clean(PAGE, model=small_model)
    assert made == []
    assert [result.html, result.html, result.markdown] == ["made"] * 3
    assert made == ["html", "markdown"]


def test_an_unknown_form_is_refused(result, cleaner):
    with pytest.raises(ConfigError, match="choose one of text"):
        result.render("pdf")
    (failed,) = cleaner.clean_many([PageError("gone", "it is gone")])
    with pytest.raises(ConfigError, match="choose one of text"):
        failed.render("pdf")


def test_text_is_as_good_as_its_bytes(cleaner):
    from_text, from_bytes = cleaner.clean(PAGE), cleaner.clean(PAGE.encode())
    assert from_text.text == from_bytes.text
    assert np.array_equal(from_text.marginals, from_bytes.marginals)
    assert from_bytes.metadata["encoding"] == "utf-8"


def test_every_encoding_of_a_page_gives_the_same_text(cleaner):
    page = "<html><body><h1>Včely</h1><p>Žluťoučké včely létají. Čmeláci je šidí a přelétají. </p>"
    found = {cleaner.clean(page.encode(name)).text for name in ("utf-8", "utf-16", "windows-1250")}
    assert len(found) == 1


def test_the_charset_of_the_server_counts(cleaner):
    page = "<p>Žluťoučký kůň</p>".encode("iso-8859-2")
    (told,) = cleaner.clean_many([Source(page, None, "iso-8859-2")])
    assert told.metadata["encoding"] == "iso-8859-2"
    assert told.metadata["encoding_reason"] == "declared-http"


@pytest.mark.parametrize(
    ("page", "unreadable"),
    [
        (b"<p>" + "Žluťoučký kůň ".encode() * 30, None),
        (b"<p>" + "Žluťoučký kůň ".encode() * 30 + b"\xff", 1),
        ("<p>Žluťoučký \ufffd\ufffd kůň \0</p>", 3),
    ],
)
def test_what_cannot_be_read_is_counted(cleaner, page, unreadable):
    assert cleaner.clean(page).metadata.get("unreadable") == unreadable


# --- reasons -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (b"", "no-text"),
        (b" \n\t ", "no-text"),
        (b"<!-- <p>nothing</p> -->", "no-text"),
        (b"<html><head><title>Only a title</title></head><body></body>", "no-text"),
        (b"<script>document.write('<p>nothing')</script>", "no-text"),
        (b"<frameset cols=2><frame src=a.html><frame src=b.html></frameset>", "frames"),
        (PAGE.encode(), "ok"),
    ],
)
def test_reasons(cleaner, page, reason):
    result = cleaner.clean(page)
    assert result.reason == reason
    assert bool(result.text) == (reason == "ok")


def test_a_page_of_which_nothing_is_kept(labeler):
    result = Cleaner(labeler, decision=Decision("threshold", 0.0)).clean(PAGE)
    assert result.reason == "no-content"
    assert result.text == ""
    assert {block.reason for block in result.blocks} == {"below-threshold"}


def test_clean_raises_what_a_batch_would_note(labeler):
    with pytest.raises(PageError, match=r"raise limits\.blocks") as caught:
        Cleaner(labeler, limits=Limits(blocks=2)).clean(PAGE)
    assert caught.value.reason == "too-many-blocks"


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


def test_threshold_one_keeps_all_that_is_not_surely_other(small_model):
    scope = Scope(headline=True)
    result = victor.clean(PAGE, model=small_model, threshold=1, scope=scope)
    assert ((result.labels != Label.OTHER) == (result.marginals[:, Label.OTHER] < 1)).all()


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_thresholds_out_of_range(small_model, threshold):
    with pytest.raises(ConfigError, match="threshold: "):
        victor.clean(PAGE, model=small_model, threshold=threshold)


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


@pytest.mark.parametrize("name", ["no-such-model", "", "."])
def test_models_that_are_not_there(name):
    with pytest.raises(ModelError):
        victor.load_model(name)
    with pytest.raises(ModelError):
        victor.clean(PAGE, model=name)
    with pytest.raises(ModelError):
        victor.clean_many([], model=name)  # at once, not at the first page


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
    assert CleanerSpec.named(str(small_model_file)) == CleanerSpec(str(small_model_file))


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"model": "default", "labeler": "kimatu"}, "both say what labels; leave one out"),
        ({"config": "kimatu"}, "name a --labeler"),
        ({"model": "default", "config": "kimatu"}, "name a --labeler"),
        ({"labeler": "btee"}, "no labeler 'btee'"),
    ],
)
def test_names_that_are_not_one_system(named, message):
    with pytest.raises(ConfigError, match=message):
        CleanerSpec(**named).build()


def test_limits_and_decision_go_with_the_names_to_another_process(small_model_file):
    spec = CleanerSpec(small_model_file, limits=Limits(bytes=9), decision=Decision("threshold", 1))
    cleaner = pickle.loads(pickle.dumps(spec)).cleaner()
    assert (cleaner.limits, cleaner.decision) == (spec.limits, spec.decision)
    assert hash(spec) == hash(pickle.loads(pickle.dumps(spec)))


def test_a_cleaner_names_what_can_be_pickled_in_its_place():
    with pytest.raises(ConfigError, match="CleanerSpec"):
        pickle.dumps(CleanerSpec.named("none").cleaner())


class TestPlaces:
    PAGE = (
        "<html><head><title>Mills</title></head><body><h1>Mills</h1>"
        + "<p>The old mill stands by the river, and its <b>wheel</b> turns all day long.</p>" * 3
        + "<nav><a href=/a>Home</a> <a href=/b>News</a></nav></body></html>"
    )

    def test_blocks_are_where_their_ranges_say(self):
        result = victor.clean(self.PAGE, "http://x.cz/", model="default")
        kept = [block for block in result.blocks if block.kept]
        assert kept
        for block in kept:
            start, end = block.text_range
            assert result.text[start:end] == block.text
            start, end = block.markdown_range
            assert result.markdown[start:end].replace("*", "") == block.text
        for block in result.blocks:
            assert (block.text_range is None) == (not block.kept)

    def test_json_has_what_is_declared_on_request(self):
        fields = ("posts", "schema_org")
        value = json.loads(victor.clean(self.PAGE).render("json", fields=fields))
        assert [value[name] for name in fields] == [[], []]
        assert "text" not in value
        recipe = {"@type": "Recipe", "recipeIngredient": ["2 eggs"]}
        page = f"<script type=application/ld+json>{json.dumps(recipe)}</script><p>a"
        value = json.loads(victor.clean(page).render("json", fields=fields))
        assert value["schema_org"] == [recipe]
