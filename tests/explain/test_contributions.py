"""The parts of the log-odds add up to the log-odds, and say what they stand for."""

from dataclasses import replace

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from victor.base.labels import Label
from victor.errors import ConfigError
from victor.explain.contributions import AFTER, BEFORE, explain
from victor.explain.groups import grouped
from victor.model.discretize import Codebook
from victor.model.extractor import FeatureExtractor
from victor.model.linear import LinearPotentials
from victor.model.template import Template
from victor.page.table.texts import block_texts

few = settings(max_examples=40, deadline=None, derandomize=True)
NAMES = st.sampled_from(
    ["linear", "joined", "trees", "pooled trees", "mixed trees"]
)  # fmt: skip
PAGE = (
    b"<nav class=menu><a href=/>Home</a><ul><li><a href=/a>About us</a></ul></nav>"
    b"<h1>On bees</h1><p>Bees live in colonies, and so do ants. All of them work."
    b"</p><p>They fly.</p>"
)


def tables(model, data):
    return FeatureExtractor(model.config).table(data.draw(strategies.batch()))


@pytest.mark.slow
@few
@given(data=st.data(), name=NAMES)
def test_contributions_of_a_block_sum_to_its_log_odds(models, data, name):
    model = models[name]
    table = tables(model, data)
    explanation = explain(model, table)
    exact = model.marginals(explanation.columns, table.page_starts)
    np.testing.assert_allclose(explanation.marginals, exact, atol=1e-5)
    rows, content = np.arange(len(table)), explanation.content
    best = exact[:, : Label.OTHER].max(axis=1)
    np.testing.assert_allclose(exact[rows, content], best, rtol=1e-5)
    odds = np.log(exact[rows, content] / exact[:, Label.OTHER])
    matrix = explanation.contributions()
    assert matrix.shape == (len(table), len(explanation.names))
    np.testing.assert_allclose(matrix.sum(axis=1), odds, atol=1e-4)


def everything(model, page=PAGE):
    """The parts of every block of a page by name, and the explanation."""
    explanation = explain(model, FeatureExtractor(model.config).table([page]))
    texts = block_texts(explanation.table)
    return {
        text: {part.name: part for group in block.groups for part in group.parts}
        for text, block in zip(texts, grouped(explanation, top=10_000), strict=True)
    }, explanation


# --- values in words -----------------------------------------------------------------------------


def test_values_are_those_of_the_place_the_offset_names(small_model, joined_model):
    blocks, _ = everything(small_model)
    fly = blocks["They fly."]
    assert (fly["word.count [-1]"].value, bool(fly["word.count [-1]"].bin)) == ("12", True)
    assert fly["word.count [+1]"].value == "after the page"
    assert fly["container.tag [0]"].value == "p"
    assert fly["heading.level [-2]"].value == "1"
    home = blocks["Home"]
    assert home["word.count [-2]"].value == "before the page"
    assert (
        blocks["Bees live in colonies, and so do ants. All of them work."][
            "center.inside [0]"
        ].value
        == "yes"
    )
    rows = (row for block in everything(joined_model)[0].values() for row in block.values())
    joined = [row for row in rows if " & " in row.name]
    assert joined
    assert all(row.name.count(" & ") == row.value.count(" & ") for row in joined)


def test_neighbours_are_named_by_their_likely_labels(small_model):
    menu = "".join(f"<li><a href=/{n}>Topic {n}</a>" for n in range(9))
    text = "".join(
        f"<p>In {n} bees lived here, and so did ants, in many colonies." for n in range(5)
    )
    blocks, explanation = everything(small_model, f"<ul>{menu}</ul><h1>Bees</h1>{text}".encode())
    likely = [Label(k).lower_name for k in explanation.marginals.argmax(axis=1).tolist()]
    content = [Label(k).lower_name for k in explanation.content.tolist()]
    rows = list(blocks.values())
    assert len({*likely}) > 1
    for i, row in enumerate(rows):
        if i:
            assert row[BEFORE].value == f"{likely[i - 1]} → {content[i]}"
        if i + 1 < len(rows):
            assert row[AFTER].value == f"{content[i]} → {likely[i + 1]}"
    assert BEFORE not in rows[0]
    assert AFTER not in rows[-1]


@pytest.mark.parametrize("name", ["linear", "joined", "trees"])
def test_pages_of_a_batch_end_where_they_end(models, name):
    extractor = FeatureExtractor(models[name].config)
    once, twice = (
        grouped(explain(models[name], extractor.table(pages)), top=10_000)
        for pages in ([PAGE], [PAGE, PAGE])
    )
    for found, expected in zip(twice, [*once, *once], strict=True):
        assert found.log_odds == pytest.approx(expected.log_odds)
        # What differs in the last digit may change places.
        mine, its = ({(p.name, p.value) for g in one.groups for p in g.parts}
                     for one in (found, expected))  # fmt: skip
        assert mine == its


# --- errors --------------------------------------------------------------------------------------


def test_a_model_without_columns(small_model):
    weights = replace(small_model.potentials.weights, template=Template(()), entries=(), sizes={})
    model = structs.replace(small_model, potentials=LinearPotentials(Codebook({}), weights))
    table = FeatureExtractor(small_model.config).table([PAGE])
    with pytest.raises(ConfigError, match="no column"):
        explain(model, table)
