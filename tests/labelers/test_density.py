"""Text density, its threshold and least length; n-grams; the trained model and its file."""

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import tables
from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load_as
from victor.corpus.pages import annotate, canonical_table
from victor.errors import ConfigError, CorpusError
from victor.labelers.density.labeler import (
    Chunks,
    DensityModel,
    Settings,
    labeler,
    probabilities,
)
from victor.labelers.density.ngrams import (
    LONGEST,
    MOST_CHARACTERS,
    UNKNOWN,
    Alphabet,
    CharacterModel,
    Grams,
    quantized,
    quantized_values,
)
from victor.labelers.labeler import build_labeler
from victor.training.dataset import label_blocks
from victor.training.density import train


def cut(*pages, split="block"):
    return labeler(Settings(split=split)).table([page.encode() for page in pages])


# --- Density --------------------------------------------------------------------------------------


def page_of(*densities_of):
    """One page per argument; its blocks are lists of (characters, markup)."""
    return cut(
        *(
            "".join(f"<p class='{'x' * (m - 12)}'>{'b' * n}</p>" for n, m in blocks)
            for blocks in densities_of
        )
    )


def test_threshold_is_half_less_the_sample_deviation_of_the_page():
    table = page_of([(99, 100), (99, 25), (99, 25)], [(59, 60), (99, 25)], [(99, 25)], [])
    chunks = Chunks.of(table)
    assert chunks.block_density == pytest.approx([0.5, 0.8, 0.8, 0.5, 0.8, 0.8])
    sample, pair = np.std([0.5, 0.8, 0.8], ddof=1), np.std([0.5, 0.8], ddof=1)
    of_all = chunks.thresholds(Settings(density_characters=0))
    assert of_all == pytest.approx([0.5 - sample, 0.5 - pair, 0.5, 0.5])
    # Blocks that are too short do not count, and a single one deviates from nothing.
    assert chunks.thresholds(Settings()) == pytest.approx([0.5 - sample, 0.5, 0.5, 0.5])


@pytest.mark.parametrize(("characters", "kept"), [(59, False), (60, True)])
def test_least_characters(characters, kept):
    lab = labeler(Settings())
    text = "b" * characters
    verdict = lab.label(lab.table([f"<h2>{text}</h2><p>{text}</p><h2>Bees</h2>".encode()]))
    expected = [Label.HEADER, Label.TEXT, Label.OTHER] if kept else [Label.OTHER] * 3
    assert verdict.labels.tolist() == expected


def test_without_a_model_there_is_density_alone():
    table = page_of([(100, 30), (50, 30)])
    both, density = (probabilities(table, Settings(mode=mode)) for mode in ("both", "density"))
    assert both.tolist() == density.tolist()
    with pytest.raises(ConfigError, match="mode ngram needs a model"):
        build_labeler("density", None, ["mode=ngram"])
    for wrong in ("density.base=1.1", "ngram.order=7", "ngram.alphabet=1022", "split=word"):
        with pytest.raises(ConfigError):
            build_labeler("density", None, [wrong])


@given(data=st.data())
def test_densities_of_any_pages(data):
    pages = data.draw(st.lists(strategies.markup(), max_size=3))
    split = data.draw(st.sampled_from(("tag", "block")))
    density = Chunks.of(cut(*pages, split=split)).block_density
    assert ((density > 0) & (density <= 1)).all()
    alone = [Chunks.of(cut(page, split=split)).block_density for page in pages]
    assert density.tolist() == np.concatenate([np.zeros(0), *alone]).tolist()


# --- N-grams --------------------------------------------------------------------------------------

KEPT = ("the bees live in hives", "the bees fly a lot", "abababab")
DISCARDED = ("home | about", "login | home", "")


def laid_out(*texts):
    """Code points of texts, where each begins, and where it ends."""
    chars = np.array([ord(char) for text in texts for char in text], dtype=np.uint32)
    end = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return chars, end - np.array([len(text) for text in texts], dtype=np.int64), end


def counted(*, order=LONGEST):
    """The alphabet and all n-grams of some texts."""
    texts = laid_out(*KEPT, *DISCARDED)
    alphabet = Alphabet.fit(texts[0], MOST_CHARACTERS)
    symbols = alphabet.layout(*texts)
    n_kept = sum(map(len, KEPT)) + len(KEPT)
    return alphabet, Grams.count(symbols, np.arange(len(symbols)) > n_kept, order)


def trained(*, weight=1.0, order=LONGEST):
    alphabet, grams = counted(order=order)
    return CharacterModel(alphabet, grams.pruned(1, 10**6), weight)


@pytest.mark.parametrize(("order", "weight", "expected"), tables(__file__)["log_odds"])
def test_log_odds_are_those_of_the_formula(order, weight, expected):
    found = trained(order=order, weight=weight).log_odds(*laid_out(*expected))
    assert found == pytest.approx([*expected.values()], rel=1e-9)


def test_a_text_says_the_same_beside_any_other(monkeypatch):
    model, texts = trained(), ["the bees", "home", "", "x" * 40, "the\nbees"] * 7
    whole = model.log_odds(*laid_out(*texts)).tolist()
    assert whole[0] == model.log_odds(*laid_out("the bees"))[0] == whole[4]
    monkeypatch.setattr("victor.labelers.density.ngrams._PORTION", 30)
    assert model.log_odds(*laid_out(*texts)).tolist() == whole
    assert model.log_odds(*laid_out()).shape == (0,)


def test_only_frequent_characters_are_told_apart():
    alphabet = Alphabet.fit(laid_out("aaabbbcc d")[0], 2)
    assert alphabet.characters.tolist() == [ord("a"), ord("b")]
    assert alphabet.layout(*laid_out("abc")).tolist()[1:4] == [3, 4, UNKNOWN]
    wide = Alphabet.fit(np.arange(0x4E00, 0x4E00 + 5000, dtype=np.uint32), 5000)
    assert len(wide.characters) == MOST_CHARACTERS, "a symbol has ten bits"


def test_pruning_on_both_sides_of_its_limits():
    alphabet, grams = counted()
    totals = np.concatenate([counts.sum(axis=1) for counts in grams.counts])
    assert len(grams.pruned(1, len(grams))) == len(grams) == len(totals)
    assert len(grams.pruned(2, 10**6)) == (totals >= 2).sum()
    fewer = grams.pruned(1, len(grams) - 1)
    assert len(fewer) == (totals >= 2).sum(), "equally rare n-grams go together"
    CharacterModel(alphabet, fewer)


def test_one_byte_says_counts_exactly_where_small_and_to_six_percent():
    values, counts = quantized_values(), np.arange(100_000)
    assert values[:17].tolist() == [*range(17)]
    read = values[quantized(counts)]
    assert (read <= counts).all()
    assert (counts <= read * 1.065).all()


# --- The trained model ----------------------------------------------------------------------------

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


def test_density_chooses_candidates_and_the_model_decides_on_them(model):
    table = cut(PAGE)
    passing, density = Chunks.of(table).candidates(Settings()), Chunks.of(table).block_density
    assert passing.tolist() == [False, True, False, True, False]
    keep = probabilities(table, Settings(), model)
    assert (keep > 0.5).tolist() == [False, True, False, False, False]
    assert keep[~passing] == pytest.approx(density[~passing] / 2)
    chosen = np.flatnonzero(passing)
    assert keep[passing].tolist() == model.keep(table, chosen, are_candidates=True).tolist()
    by_itself = probabilities(table, Settings(mode="ngram"), model)
    all_blocks = np.arange(len(table))
    assert by_itself.tolist() == model.keep(table, all_blocks, are_candidates=False).tolist()


def test_training_tells_prose_of_other_pages_from_boilerplate(annotated):
    model = train(annotated[::2], Settings())
    data = label_blocks(annotated[1::2], labeler(Settings()))
    keep = np.concatenate(
        [probabilities(table, Settings(mode="ngram"), model) for table in data.tables]
    )
    labelled, gold = data.labels != UNLABELLED, data.labels != Label.OTHER
    assert keep[labelled & gold].mean() > keep[labelled & ~gold].mean() + 0.15


def test_as_published_the_higher_probability_decides(annotated, tmp_path):
    settings = load_as(Settings, "density-paper").replace(split="block")
    model = train(annotated[:12], settings)
    table = labeler(settings, model).table([PAGE.encode()])
    odds = model.characters.log_odds(table.chars, table.start, table.end)
    keep = model.keep(table, np.arange(len(table)), are_candidates=True)
    assert model.prior != 0
    assert ((keep > 0.5) == (odds + model.prior > 0)).all()
    model.save(tmp_path / "paper.victor")
    again = DensityModel.load(tmp_path / "paper.victor")
    assert again.keep(table, np.arange(len(table)), are_candidates=False) == pytest.approx(keep)


def test_a_model_of_lines_of_the_source():
    lines = f"{NOTICE}\n{NOTICE}\n<p>{PROSE}\n{PROSE}".encode()
    labels = np.array([Label.OTHER, Label.TEXT], dtype=np.uint8)
    pages = [annotate(f"p{n}", lines, labels, site=f"s{n}") for n in range(4)]
    settings = load_as(Settings, "density-paper")
    lab = labeler(settings, train(pages, settings))
    verdict = lab.label(lab.table([f"{PROSE}\n{NOTICE}<p>bees\n{PROSE}".encode()]))
    assert verdict.kept.tolist() == [True, False, True]


def test_what_is_not_enough_to_learn_from(annotated):
    html = f"<p>{PROSE}</p>".encode()
    labels = np.full(len(canonical_table(html).segments), Label.TEXT, dtype=np.uint8)
    short = annotate("bees", b"<p>Bees</p><p>Terms</p>", np.array([1, 2], dtype=np.uint8))
    for pages, constants, message in (
        ([annotate("bees", html, labels)], {}, "kept and discarded blocks"),
        ([short], {}, "in mode both among the candidates"),
        ([], {}, "no page"),
        (annotated[:4], {"ngram_least_count": 10**9}, r"lower ngram\.least_count"),
    ):
        with pytest.raises(CorpusError, match=message):
            train(pages, Settings(**constants))


def test_settings_reach_the_model(annotated):
    small = Settings(ngram_order=3, ngram_alphabet=20, ngram_most_grams=500, ngram_weight=2.0)
    characters = train(annotated[:8], small).characters
    assert (characters.order, characters.weight) == (3, 2.0)
    assert len(characters.alphabet.characters) == 20
    assert len(characters.grams) <= 500


def test_a_file_gives_the_same_model_and_the_same_bytes(model, path, tmp_path):
    again = DensityModel.load(path)
    assert again.settings == model.settings
    assert again.card == model.card
    keep = [probabilities(cut(PAGE), Settings(), each).tolist() for each in (model, again)]
    assert keep[0] == keep[1]
    again.save(tmp_path / "again.victor")
    assert (tmp_path / "again.victor").read_bytes() == path.read_bytes()
    assert path.stat().st_size < 10 * len(model.characters.grams) + 5000
    named = build_labeler("density", None, [f"model={path}"])
    assert named.label(named.table([PAGE.encode()])).kept.tolist()[3] is False
