"""Density of blocks, its threshold and the least length, on hand-built blocks."""

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.errors import ConfigError
from victor.labelers import build_labeler
from victor.labelers.density import (
    Settings,
    candidates,
    densities,
    labeler,
    probabilities,
    thresholds,
)
from victor.labelers.density.tag_lengths import LENGTH, block_markup, measured, tag_lengths
from victor.labels import Label
from victor.model.decide import Decision
from victor.page.events import record
from victor.page.segment import segment
from victor.page.verdict import marginals


def cut(*pages, split="block"):
    return measured([page.encode() for page in pages], split)


def markup(page, **options):
    """Characters of markup of every block of a page."""
    return block_markup(cut(page, **options)).tolist()


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
    assert markup(HEAD + page) == [len(block) for block in blocks]


def test_every_tag_ends_a_block_where_the_configuration_says_so():
    page = "<p>Bees <b>live</b> here</p>"
    assert markup(page, split="tag") == [len("<p><b>"), len("<b></b>"), len("</b></p>")]
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
    assert block_markup(table).tolist() == [len("<p></p>")]


@pytest.mark.slow
@settings(derandomize=True, max_examples=40, deadline=None)
@given(data=st.data())
def test_densities_of_any_pages(data):
    pages = data.draw(st.lists(strategies.markup(), max_size=3))
    split = data.draw(st.sampled_from(("tag", "block")))
    table = cut(*pages, split=split)
    density = densities(table)
    assert ((density > 0) & (density <= 1)).all()
    result = marginals(probabilities(table, Settings(split=split)), table.heading_level > 0)
    assert result.sum(axis=1) == pytest.approx(1.0)
    alone = [densities(cut(page, split=split)) for page in pages]
    assert density.tolist() == np.concatenate([np.zeros(0), *alone]).tolist()


def test_density_is_text_over_text_and_markup():
    table = cut("<p>" + "b" * 21 + "</p><p>" + "b" * 7 + "</p>")
    assert densities(table).tolist() == [0.75, 0.5]


def page_of(*densities_of):
    """One page per argument; its blocks are lists of (characters, markup)."""
    paragraphs = (
        "".join(f"<p class='{'x' * (m - 16)}'>{'b' * n}</p>" for n, m in blocks)
        for blocks in densities_of
    )
    return cut(*paragraphs)


def test_threshold_is_half_less_a_standard_deviation_of_the_page():
    table = page_of([(100, 100), (100, 25), (100, 25)], [(60, 60)])
    density = densities(table)
    assert density == pytest.approx([0.5, 0.8, 0.8, 0.5])
    deviation = np.std([0.5, 0.8, 0.8])
    assert thresholds(density, table, Settings().density) == pytest.approx([0.5 - deviation, 0.5])


@pytest.mark.parametrize(("length", "kept"), [(59, False), (60, True)])
def test_least_characters(length, kept):
    table = page_of([(length, 20), (length, 20)])
    assert (probabilities(table, Settings()) > 0.5).tolist() == [kept, kept]


@pytest.mark.parametrize(("markup_length", "kept"), [(100, False), (99, True)])
def test_a_page_of_one_density_is_kept_above_one_half(markup_length, kept):
    table = page_of([(100, markup_length)])
    assert (probabilities(table, Settings()) > 0.5).tolist() == [kept]


def changed(**constants):
    return Settings().density.replace(**constants)


@pytest.mark.parametrize(
    ("constants", "kept"),
    [
        ({}, [False, True, True]),
        ({"base": 0.482}, [True, True, True]),
        ({"base": 0.484}, [False, True, True]),
        ({"base": 0.79, "deviations": 0.0}, [False, True, True]),
        ({"base": 0.8, "deviations": 0.0}, [False, False, False]),
        ({"deviations": 1.06}, [False, True, True]),
        ({"deviations": 1.07}, [True, True, True]),
        ({"characters": 100}, [False, True, True]),
        ({"characters": 101}, [False, False, False]),
    ],
)
def test_constants_on_both_sides_of_their_limits(constants, kept):
    # The threshold is 0.217 unless a constant is changed.
    table = page_of([(100, 400), (100, 25), (100, 25)])
    density = densities(table)
    assert density.tolist() == [0.2, 0.8, 0.8]
    assert density.std() == pytest.approx(0.2828, abs=1e-4)
    assert candidates(density, table, changed(**constants)).tolist() == kept


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
              "ngram.alphabet=1022", "mode=lines", "split=line"],
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
)


@pytest.mark.slow
@pytest.mark.parametrize("page", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_pages(page):
    lab = labeler(Settings())
    verdict = lab.label(lab.table([page, b"<p>Bees</p>"]))
    assert np.isfinite(verdict.marginals).all()
    density = densities(verdict.table)
    assert ((density > 0) & (density <= 1)).all()
