"""The trained model: what it learns, how modes combine, and its file."""

import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load_as
from victor.corpus.pages import annotate, canonical_table
from victor.errors import CorpusError, ModelError
from victor.labelers.density.chunks import Chunks
from victor.labelers.density.labeler import candidates, labeler, probabilities
from victor.labelers.density.model import DensityModel, evidence
from victor.labelers.density.settings import Settings
from victor.labelers.labeler import Labeler, build_labeler
from victor.training.dataset import label_blocks
from victor.training.density import _prior, train, train_on

PROSE = "Bees live in hives, and they fly a lot when the sun shines on the flowers of the garden."
NOTICE = "Copyright notice: all rights reserved, terms and conditions, privacy policy, cookies, map"
PAGE = f"<h1>Bees</h1><p>{PROSE}</p><ul><li>Home</li></ul><p>{NOTICE}</p><p>The bees fly.</p>"


@pytest.fixture(scope="module")
def model(annotated):
    return train(annotated, Settings())


@pytest.fixture(scope="module")
def path(model, tmp_path_factory):
    file = tmp_path_factory.mktemp("density") / "small.victor"
    model.save(file)
    return file


def kept(model, mode, page=PAGE):
    lab = labeler(Settings(mode=mode), model)
    return lab.label(lab.table([page.encode()])).kept.tolist()


def test_density_chooses_candidates_and_the_model_decides_on_them(model):
    assert kept(model, "density") == [False, True, False, True, False]
    assert kept(model, "both")[:1] + kept(model, "both")[2:] == [False] * 4
    assert kept(model, "both")[1]


def test_without_density_short_blocks_may_be_kept(model):
    lab = labeler(Settings(mode="ngram"), model)
    table = lab.table([f"<p>{PROSE[:40]}</p>".encode()])
    assert lab.label(table).marginals[0, Label.TEXT] == pytest.approx(
        model.keep(table, np.array([0]), are_candidates=False)[0]
    )


def test_what_is_no_candidate_has_half_its_density(model):
    table = labeler(Settings()).table([PAGE.encode()])
    density = Chunks.of(table).block_density
    passing = candidates(table, Settings())
    keep = probabilities(table, Settings(), model)
    assert keep[~passing] == pytest.approx(density[~passing] / 2)
    chosen = np.flatnonzero(passing)
    assert keep[passing].tolist() == model.keep(table, chosen, are_candidates=True).tolist()


def test_probabilities_rise_with_what_the_models_say(model, annotated):
    table = labeler(Settings()).table([page.html for page in annotated[:8]])
    blocks = np.arange(len(table))
    raw = evidence(model.characters, table.chars, table.start, table.end)
    for which in (True, False):
        keep = model.keep(table, blocks, are_candidates=which)
        assert (np.diff(keep[np.argsort(raw)]) >= -1e-12).all()
        assert ((keep >= 0) & (keep <= 1)).all()


def test_log_odds_count_by_the_root_of_the_length(model):
    chars = np.array([ord(char) for char in PROSE], dtype=np.uint32)
    start, end = np.array([0]), np.array([len(PROSE)])
    odds = model.characters.log_odds(chars, start, end)
    raw = evidence(model.characters, chars, start, end)
    assert np.log(raw / (1 - raw)) == pytest.approx(odds / np.sqrt(len(PROSE) + 1))


def test_training_tells_prose_of_other_pages_from_boilerplate(annotated):
    settings = Settings()
    learnt, tested = annotated[::2], annotated[1::2]
    model = train(learnt, settings)
    data = label_blocks(tested, labeler(settings))
    keep = np.concatenate(
        [probabilities(table, settings.replace(mode="ngram"), model)
         for table in data.tables]
    )  # fmt: skip
    labelled = data.labels != UNLABELLED
    gold = data.labels != Label.OTHER
    assert keep[labelled & gold].mean() > keep[labelled & ~gold].mean() + 0.15


def test_only_chosen_blocks_are_learnt_from(annotated):
    settings = Settings()
    pages = [replace(page, site="") for page in annotated[:12]]
    data = label_blocks(pages, labeler(settings))
    chosen = data.labels != UNLABELLED
    chosen[::3] = False
    part = train_on(data, settings, chosen)
    spoiled = replace(data, labels=np.where(chosen, data.labels, np.uint8(Label.TEXT)))
    again = train_on(spoiled, settings, chosen)
    for name, array in part.characters.to_arrays().items():
        assert array.tolist() == again.characters.to_arrays()[name].tolist()
    assert part.all_blocks == again.all_blocks


def test_calibration_is_of_pages_that_were_not_learnt():
    """Texts without any sense are known by heart where they were learnt, and nowhere else."""
    random = np.random.default_rng(0)
    pages = []
    for site in range(6):
        letters = random.choice([*"abcdefghij"], size=(40, 70))
        html = "".join(f"<p>{''.join(row)}</p>" for row in letters.tolist()).encode()
        labels = random.choice([Label.TEXT, Label.OTHER], size=40).astype(np.uint8)
        pages.append(annotate(f"p{site}", html, labels, site=f"s{site}"))
    for given in (pages, pages[:1]):
        knots = train(given, Settings(ngram_least_count=1)).all_blocks.knots_y
        assert knots[-1] - knots[0] < 6


def test_training_is_deterministic(annotated, model):
    again = train(annotated, Settings())
    assert again.all_blocks == model.all_blocks
    assert again.candidates == model.candidates


def test_pages_of_one_site_are_enough(annotated):
    one = [page for page in annotated if page.site == annotated[0].site][:1]
    assert train(one, Settings(ngram_least_count=1)).card["training"]["sites"] == 1


def noisy(labels_of_short):
    """Pages whose long blocks make sense, and whose short ones have any labels."""
    short = "".join(f"<p>{text}</p>" for text in ("Bees in the sun", "Terms of use", "Honey"))
    html = f"<p>{PROSE}</p><p>{NOTICE}</p>{short}".encode()
    labels = np.array([Label.TEXT, Label.OTHER, *labels_of_short], dtype=np.uint8)
    return [annotate(f"p{n}", html, labels, site=f"s{n}") for n in range(4)]


def test_the_model_learns_from_candidates_where_it_decides_on_them():
    short = [Label.TEXT, Label.OTHER, Label.TEXT], [Label.OTHER, Label.TEXT, Label.OTHER]
    for mode, are_equal in (("both", True), ("ngram", False), ("density", False)):
        models = [train(noisy(labels), Settings(mode=mode)).characters for labels in short]
        first, second = ({k: v.tolist() for k, v in m.to_arrays().items()} for m in models)
        assert (first == second) is are_equal


def test_as_published_the_higher_probability_decides(annotated, tmp_path):
    settings = load_as(Settings, "density-paper").replace(split="block")
    model = train(annotated[:12], settings)
    table = labeler(settings, model).table([PAGE.encode()])
    start, end = table.start, table.end
    odds = model.characters.log_odds(table.chars, start, end)
    keep = model.keep(table, np.arange(len(table)), are_candidates=True)
    assert model.prior != 0
    assert ((keep > 0.5) == (odds + model.prior > 0)).all()
    model.save(tmp_path / "paper.victor")
    again = DensityModel.load(tmp_path / "paper.victor")
    assert again.keep(table, np.arange(len(table)), are_candidates=False) == pytest.approx(keep)


@pytest.mark.parametrize(("kept", "prior"), [([True] * 3, np.log(4)), ([True, False], 0.0)])
def test_the_prior_has_one_more_text_on_each_side(kept, prior):
    assert _prior(np.array(kept)) == pytest.approx(prior)


def test_no_candidates_are_not_enough():
    html = b"<p>Bees</p><p>Terms</p>"
    page = annotate("bees", html, np.array([Label.TEXT, Label.OTHER], dtype=np.uint8))
    with pytest.raises(CorpusError, match="in mode both among the candidates"):
        train([page], Settings())


def test_a_model_of_lines_of_the_source():
    lines = f"{NOTICE}\n{NOTICE}\n<p>{PROSE}\n{PROSE}".encode()
    labels = np.array([Label.OTHER, Label.TEXT], dtype=np.uint8)
    pages = [annotate(f"p{n}", lines, labels, site=f"s{n}") for n in range(4)]
    settings = load_as(Settings, "density-paper")
    lab = labeler(settings, train(pages, settings))
    verdict = lab.label(lab.table([f"{PROSE}\n{NOTICE}<p>bees\n{PROSE}".encode()]))
    assert verdict.kept.tolist() == [True, False, True]


def test_one_side_is_not_enough():
    html = f"<p>{PROSE}</p>".encode()
    labels = np.full(len(canonical_table(html).segments), Label.TEXT, dtype=np.uint8)
    with pytest.raises(CorpusError, match="kept and discarded blocks"):
        train([annotate("bees", html, labels)], Settings())
    with pytest.raises(CorpusError, match="no page"):
        train([], Settings())


def test_nothing_frequent_is_not_enough(annotated):
    with pytest.raises(CorpusError, match=r"lower ngram\.least_count"):
        train(annotated[:4], Settings(ngram_least_count=10**9))


def test_settings_reach_the_model(annotated):
    small = Settings(ngram_order=3, ngram_alphabet=20, ngram_most_grams=500, ngram_weight=2.0)
    model = train(annotated[:8], small)
    assert model.characters.order == 3
    assert len(model.characters.alphabet.characters) == 20
    assert len(model.characters.grams) <= 500
    assert model.characters.weight == 2.0


def test_a_file_gives_the_same_model(model, path):
    again = DensityModel.load(path)
    assert again.settings == model.settings
    assert (again.all_blocks, again.candidates) == (model.all_blocks, model.candidates)
    assert again.card == model.card
    assert again.card["training"]["sites"] > 1
    table = labeler(Settings()).table([PAGE.encode()])
    for mode in ("ngram", "both"):
        settings = Settings(mode=mode)
        keep = [probabilities(table, settings, each).tolist() for each in (model, again)]
        assert keep[0] == keep[1]


def test_the_same_model_is_the_same_bytes(model, path, tmp_path):
    model.save(tmp_path / "again.victor")
    assert (tmp_path / "again.victor").read_bytes() == path.read_bytes()
    assert [*tmp_path.iterdir()] == [tmp_path / "again.victor"]


def test_a_model_is_under_ten_bytes_an_ngram(model, path):
    """So that the most that are stored, 900,000, are less than 10 MB."""
    assert path.stat().st_size < 10 * len(model.characters.grams) + 5000
    assert Settings(ngram_most_grams=900_000).ngram_most_grams == 900_000


def test_a_configuration_names_its_model(path):
    named = build_labeler("density", None, [f"model={path}", "mode=ngram"])
    assert isinstance(named, Labeler)
    bare = build_labeler("density")
    pages = [PAGE.encode()]
    marginals = [each.label(each.table(pages)).marginals.tolist() for each in (named, bare)]
    assert marginals[0] != marginals[1]


def rewritten(path, target, change):
    """A copy of a model file whose document a function changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members["model.json"])
    members["model.json"] = json.dumps(change(document) or document).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format=2), "train it again"),
        (lambda d: d.pop("labeler"), "no model of the labeler density"),
        (lambda d: d.pop("settings") and None, "damaged"),
        (lambda d: d.update(settings=[]), "damaged"),
        (lambda d: d["settings"].update(ngram_order=5), None),
        (lambda d: d["settings"].update(ngram_order=60), "damaged"),
        (lambda d: d["calibration"].pop("candidates") and None, "damaged"),
        (lambda d: d["calibration"].update(prior="x"), "prior is no number"),
        (lambda d: d["calibration"].update(all_blocks={"knots_x": [1], "knots_y": []}), "knots"),
        (lambda d: d.update(card=3), "damaged"),
        (lambda _: [1], "not an object"),
    ],
)
def test_a_damaged_document_is_refused(path, tmp_path, change, message):
    def changed(document):
        new = change(document)
        return new if isinstance(new, list) else None

    target = rewritten(path, tmp_path / "damaged.victor", changed)
    if message is None:
        assert DensityModel.load(target).characters.order == 5
        return
    with pytest.raises(ModelError, match=message):
        DensityModel.load(target)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"<html>"])
def test_what_is_no_archive_is_refused(tmp_path, content):
    target = tmp_path / "no.victor"
    target.write_bytes(content)
    with pytest.raises(ModelError, match="is not a model file"):
        DensityModel.load(target)
    with pytest.raises(ModelError, match="no model at"):
        DensityModel.load(tmp_path / "missing.victor")


def test_a_torn_file_is_refused(path, tmp_path):
    whole = path.read_bytes()
    for part in (0.2, 0.5, 0.99):
        target = tmp_path / "torn.victor"
        target.write_bytes(whole[: int(len(whole) * part)])
        with pytest.raises(ModelError):
            DensityModel.load(target)


def test_pickled_arrays_are_refused(path, tmp_path):
    target = tmp_path / "pickled.victor"
    rewritten(path, target, lambda _: None)
    with (tmp_path / "codes.npy").open("wb") as file:
        np.save(file, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(target) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["codes1.npy"] = (tmp_path / "codes.npy").read_bytes()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(ModelError, match="damaged"):
        DensityModel.load(target)


HOSTILE = (
    "<p>" + "\U0010ffff" * 100, "<p>" + "漢字" * 5000, "<p>" + "a" * 100_000,
    "<p>\u0301\u200b\u00ad" + "é" * 70, "<p>a</p>" * 5000, "<pre>\n\n a \n\n\t b</pre>",
)  # fmt: skip


@pytest.mark.parametrize("page", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("mode", ["ngram", "both"])
def test_hostile_texts(model, page, mode):
    lab = labeler(Settings(mode=mode), model)
    verdict = lab.label(lab.table([page.encode(), b""]))
    assert np.isfinite(verdict.marginals).all()
    assert verdict.marginals.sum(axis=1) == pytest.approx(1.0)


def test_a_page_is_labelled_alike_in_any_batch(model):
    lab = labeler(Settings(), model)
    alone = lab.label(lab.table([PAGE.encode()])).marginals
    beside = lab.label(lab.table([b"<p>x" * 50, PAGE.encode(), b""]))
    assert beside.marginals[beside.page(1)].tolist() == alone.tolist()
