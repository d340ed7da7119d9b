"""Density of blocks, its threshold and the least length, on hand-built blocks."""

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base.labels import Label
from victor.errors import ConfigError
from victor.labelers.density.chunks import LENGTH, Chunks, block_markup, tag_lengths
from victor.labelers.density.labeler import candidates, labeler, probabilities
from victor.labelers.density.settings import Settings
from victor.labelers.labeler import build_labeler
from victor.model.decide import Decision
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.verdict.verdict import marginals


def cut(*pages, split="block"):
    return labeler(Settings(split=split)).table([page.encode() for page in pages])


def densities(table):
    """Density of every block."""
    return Chunks.of(table).block_density


def threshold(table, **constants):
    """Threshold of the only page."""
    return Chunks.of(table).thresholds(changed(**constants)).item()


def markup(page, **options):
    """Characters of markup of every block of a page."""
    return block_markup(cut(page, **options)).tolist()


def length(tags):
    """Characters of markup; angle brackets are none."""
    return len(tags) - tags.count("<") - tags.count(">")


HEAD = "<html><body>"


@pytest.mark.parametrize(
    ("page", "blocks"),
    [
        ("<p>Bees</p>", ["<p></p>"]),
        ("<p class='a bc' id=d>Bees</p>", ['<p class="a bc" id="d"></p>']),
        ("<div><p>Bees</p></div>", ["<p></p>"]),
        ("<p>Bees <b>live <i>in</i></b> hives</p>", ["<p><b><i></i></b></p>"]),
        ("<p>Bees<img src='bee.png' alt=''>fly</p>", ['<p><img src="bee.png" alt=""></p>']),
        ("<p>Bees<br>fly</p>", ["<p><br></p>"]),
        ("<p><a href=a>Bees</a></p>", ['<p><a href="a"></a></p>']),
        ("<p>Bees<!-- they --><script>fly()</script></p>", ["<p></p>"]),
        ("<p>Bees<p>fly", ["<p></p>", "<p></p>"]),
        ("<p>Bees<br><br>fly</p>", ["<p>", "<br><br></p>"]),
        ("<div>Bees<p>fly</p></div>", ["<div><p>", "<p></p>"]),
        ("<ul><li>Bees</li><li>fly</li></ul>", ["<li></li>", "<li></li>"]),
        ("<p title='&quot;&amp;'>Bees</p>", ['<p title="xx"></p>']),
        ("<x-y>Bees</x-y>", ["<0123456789></0123456789>"]),
    ],
)
def test_markup_of_blocks_in_characters(page, blocks):
    assert markup(HEAD + page) == [length(block) for block in blocks]


def test_every_tag_ends_a_block_where_the_configuration_says_so():
    page = "<p>Bees <b>live</b> here</p>"
    assert markup(page, split="tag") == [length("<p><b>"), length("<b></b>"), length("</b></p>")]
    lab = build_labeler("density", None, ["split=tag"])
    assert len(lab.table([page.encode()])) == 3


def test_blocks_of_one_page_have_no_markup_of_another():
    alone = [markup(page) for page in (HEAD + "Bees", HEAD + "<i>fly</i>")]
    both = block_markup(cut(HEAD + "Bees", "", HEAD + "<i>fly</i>")).tolist()
    assert both == alone[0] + alone[1]


def test_an_attribute_of_the_name_that_lengths_are_recorded_as_says_nothing():
    lied = cut(f"<p {LENGTH}=999999>Bees</p><p>fly</p>")
    assert block_markup(lied).max() < 100
    assert tag_lengths(lied).max() < 100


def test_a_table_that_was_not_measured_counts_names_only():
    table = segment(record([b"<p class=a>Bees</p>"]), "block")
    assert block_markup(table).tolist() == [length("<p></p>")]


@settings(derandomize=True, max_examples=40, deadline=None)
@given(data=st.data())
def test_densities_of_any_pages(data):
    pages = data.draw(st.lists(strategies.markup(), max_size=3))
    split = data.draw(st.sampled_from(("tag", "block")))
    table = cut(*pages, split=split)
    density = densities(table)
    assert ((density > 0) & (density <= 1)).all()
    assert len(density) == len(table)
    result = marginals(probabilities(table, Settings(split=split)), table.heading_level > 0)
    assert result.sum(axis=1) == pytest.approx(1.0)
    alone = [densities(cut(page, split=split)) for page in pages]
    assert density.tolist() == np.concatenate([np.zeros(0), *alone]).tolist()


def test_density_is_text_over_text_and_markup_with_one_added_to_both():
    table = cut("<p>" + "b" * 8 + "</p><p>" + "b" * 2 + "</p>")
    assert block_markup(table).tolist() == [3, 3]
    assert densities(table).tolist() == [9 / 12, 3 / 6]


def page_of(*densities_of):
    """One page per argument; its blocks are lists of (characters, markup)."""
    paragraphs = (
        "".join(f"<p class='{'x' * (m - 12)}'>{'b' * n}</p>" for n, m in blocks)
        for blocks in densities_of
    )
    return cut(*paragraphs)


def test_threshold_is_half_less_the_sample_deviation_of_the_page():
    table = page_of([(99, 100), (99, 25), (99, 25)], [(59, 60), (99, 25)], [(99, 25)], [])
    assert densities(table) == pytest.approx([0.5, 0.8, 0.8, 0.5, 0.8, 0.8])
    sample = np.std([0.5, 0.8, 0.8], ddof=1)
    pair = np.std([0.5, 0.8], ddof=1)
    chunks = Chunks.of(table)
    of_all = chunks.thresholds(changed(characters=0))
    assert of_all == pytest.approx([0.5 - sample, 0.5 - pair, 0.5, 0.5])
    # Blocks that are too short do not count, and a single one deviates from nothing.
    assert chunks.thresholds(changed()) == pytest.approx([0.5 - sample, 0.5, 0.5, 0.5])


@pytest.mark.parametrize(("length", "kept"), [(59, False), (60, True)])
def test_least_characters(length, kept):
    table = page_of([(length, 20), (length, 20)])
    assert (probabilities(table, Settings()) > 0.5).tolist() == [kept, kept]


@pytest.mark.parametrize(("markup_length", "kept"), [(100, False), (99, True)])
def test_a_page_of_one_density_is_kept_above_one_half(markup_length, kept):
    table = page_of([(99, markup_length)])
    assert (probabilities(table, Settings()) > 0.5).tolist() == [kept]


def changed(**constants):
    return Settings().replace(**{f"density_{key}": value for key, value in constants.items()})


@pytest.mark.parametrize(
    ("constants", "kept"),
    [
        ({}, [False, True, True]),
        ({"base": 0.476}, [True, True, True]),
        ({"base": 0.478}, [False, True, True]),
        ({"base": 0.79, "deviations": 0.0}, [False, True, True]),
        ({"base": 0.8, "deviations": 0.0}, [False, False, False]),
        ({"deviations": 0.86}, [False, True, True]),
        ({"deviations": 0.87}, [True, True, True]),
        ({"characters": 99}, [False, True, True]),
        ({"characters": 100}, [False, False, False]),
    ],
)
def test_constants_on_both_sides_of_their_limits(constants, kept):
    table = page_of([(99, 400), (99, 25), (99, 25)])
    assert densities(table).tolist() == [0.2, 0.8, 0.8]
    deviations = constants.pop("deviations", 0.8)  # the threshold is 0.223 unless one is changed
    assert candidates(table, changed(deviations=deviations, **constants)).tolist() == kept
    assert threshold(table, deviations=0.8) == pytest.approx(0.2229, abs=1e-4)


def test_headings_that_are_kept_are_headers():
    lab = labeler(Settings())
    text = "Bees live in hives and fly a lot, which takes them all of the day, every day."
    verdict = lab.label(lab.table([f"<h2>{text}</h2><p>{text}</p><h2>Bees</h2>".encode()]))
    assert verdict.labels.tolist() == [Label.HEADER, Label.TEXT, Label.OTHER]
    assert verdict.method == "density"
    assert lab.label(verdict.table, Decision("threshold", 0)).kept.tolist() == [False] * 3


def test_without_a_model_there_is_density_alone():
    table = page_of([(100, 30), (50, 30)])
    by_mode = [probabilities(table, Settings(mode=mode)).tolist() for mode in ("both", "density")]
    assert by_mode[0] == by_mode[1]
    with pytest.raises(ConfigError, match="mode ngram needs a model"):
        build_labeler("density", None, ["mode=ngram"])


@pytest.mark.parametrize(
    "wrong", ["density.base=1.1", "density.characters=-1", "ngram.order=7", "ngram.weight=0",
              "ngram.alphabet=1022", "mode=lines", "split=word"],
)  # fmt: skip
def test_constants_out_of_range(wrong):
    with pytest.raises(ConfigError):
        build_labeler("density", None, [wrong])


HOSTILE = (
    b"<p " + b" ".join(b"a%d=1" % n for n in range(20_000)) + b">Bees",
    b"<div>" * 20_000 + b"Bees",
    b"<p>" + b"<b>" * 5_000 + b"Bees" + b"</i>" * 5_000,
    b"<p title='" + b"x" * 1_000_000 + b"'>Bees</p>" * 2,
    b"<p>" + b"\x00\xff\xfe\xed\xa0\x80" * 1000,
    b"<br>" * 50_000 + b"Bees" + b"<hr>" * 50_000,
    b"",
    b"<!--",
    b"a\n" * 50_000,
    b"<a" * 50_000 + b"\n>b" * 50_000,
    b"<p>\n" + b" \t\t \t " * 10_000 + b"\nBees",
)


@pytest.mark.parametrize("split", ["block", "line"])
@pytest.mark.parametrize("page", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_pages(page, split):
    lab = labeler(Settings(split=split))
    verdict = lab.label(lab.table([page, b"<p>Bees</p>"]))
    assert np.isfinite(verdict.marginals).all()
    density = densities(verdict.table)
    assert ((density > 0) & (density <= 1)).all()
