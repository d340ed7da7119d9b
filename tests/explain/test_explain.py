"""The parts of the log-odds add up to the log-odds, and say what they stand for."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.analysis import Analyzer
from victor.crf.attributes import entry_values
from victor.crf.marginals import marginals
from victor.errors import ConfigError, FeatureError
from victor.explain import AFTER, BEFORE, explain, strongest
from victor.labels import Label
from victor.template import Template

few = settings(max_examples=40, deadline=None, derandomize=True)
NAMES = st.sampled_from(["default", "bags", "calibrated"])
PAGE = (
    b"<nav class=menu><a href=/>Home</a><ul><li><a href=/a>About us</a></ul></nav>"
    b"<h1>On bees</h1><p>Bees live in colonies, and so do ants. All of them work."
    b"</p><p>They fly.</p>"
)


def exact_marginals(model, table):
    """Marginals by the plain sum of weights in double precision."""
    columns = Analyzer(model.config).columns(table)
    codes = model.codebook.codes(columns)
    by_name = {name: codes[:, place] for place, name in enumerate(model.codebook.names)}
    weights = model.weights
    scores = np.tile(weights.bias.astype(float), (len(table), 1))
    for entry, rows in zip(weights.column_entries, weights.entries, strict=True):
        options = {"template": weights.template, "sizes": weights.sizes}
        scores += rows[entry_values(entry, by_name, table.page_starts, **options)]
    for name, bag in weights.bags.items():
        known = dict(zip(bag.vocabulary, bag.values.astype(float), strict=True))
        for block, tokens in enumerate(columns[name].tokens()):
            scores[block] += sum(known.get(token, np.zeros(3)) for token in tokens)
    found = marginals(scores, weights.transitions, table.page_starts)
    return found if model.calibration is None else model.calibration(found)


def tables(strategies, model, data):
    return Analyzer(model.config).table(data.draw(strategies.batch()))


@few
@given(data=st.data(), name=NAMES)
def test_contributions_of_a_block_sum_to_its_log_odds(strategies, models, data, name):
    table = tables(strategies, models[name], data)
    found = explain(models[name], table)
    exact, rows = exact_marginals(models[name], table), np.arange(len(table))
    content = np.where(exact[:, 0] > exact[:, 1], Label.HEADER, Label.TEXT)
    assert (found.content == content).all()
    odds = np.log(exact[rows, content] / exact[:, Label.OTHER])
    matrix = found.contributions()
    assert matrix.shape == (len(table), len(found.names))
    np.testing.assert_allclose(matrix.sum(axis=1), odds, atol=1e-6)
    np.testing.assert_allclose(found.log_odds(), odds, atol=1e-6)
    header = np.log(exact[:, Label.HEADER] / exact[:, Label.TEXT])
    np.testing.assert_allclose(found.log_odds(Label.HEADER, Label.TEXT), header, atol=1e-6)


@few
@given(data=st.data(), name=NAMES)
def test_marginals_are_those_of_the_model(strategies, models, data, name):
    table = tables(strategies, models[name], data)
    found = explain(models[name], table)
    given_by_model = models[name].marginals(found.columns, table.page_starts)
    np.testing.assert_allclose(found.marginals, given_by_model, atol=1e-5)


@few
@given(data=st.data(), name=NAMES)
def test_reasons_add_up_and_are_in_order(strategies, models, data, name):
    table = tables(strategies, models[name], data)
    found = explain(models[name], table)
    for block, reasons in enumerate(found.reasons(top=3)):
        pros = [reason.weight for reason in reasons.speaks_for]
        cons = [reason.weight for reason in reasons.speaks_against]
        assert reasons.block == block
        assert pros == sorted(pros, reverse=True)
        assert cons == sorted(cons)
        assert all(weight > 0 for weight in pros)
        assert all(weight < 0 for weight in cons)
        assert max(len(pros), len(cons)) <= 3
        assert sum(pros) + sum(cons) + reasons.rest.weight == pytest.approx(reasons.log_odds)
        assert reasons.log_odds == pytest.approx(found.log_odds()[block])


def everything(model, page=PAGE):
    """All contributions of every block of a page as {name: (value, weight)}."""
    found = explain(model, Analyzer(model.config).table([page]))
    texts = found.table.texts()
    return {
        text: {row.name: row for row in (*reasons.speaks_for, *reasons.speaks_against)}
        for text, reasons in zip(texts, found.reasons(top=10_000), strict=True)
    }, found


def test_values_are_those_of_the_place_the_offset_names(small_model):
    blocks, _ = everything(small_model)
    fly = blocks["They fly."]
    assert fly["word.count [-1]"].value.startswith("12 (")
    assert fly["word.count [+1]"].value == "after the page"
    assert fly["container.tag [0]"].value == "p"
    assert fly["heading.level [-2]"].value == "1"
    home = blocks["Home"]
    assert home["word.count [-2]"].value == "before the page"
    assert home["inside.nav [0]"].value == "yes"
    joined = [row for row in home.values() if " & " in row.name]
    assert joined
    assert all(row.name.count(" & ") == row.value.count(" & ") for row in joined)


def test_neighbours_are_named_by_their_likely_labels(small_model):
    blocks, found = everything(small_model)
    likely = [Label(k).lower_name for k in found.marginals.argmax(axis=1).tolist()]
    content = [Label(k).lower_name for k in found.content.tolist()]
    rows = list(blocks.values())
    for i, row in enumerate(rows):
        if i:
            assert row[BEFORE].value == f"{likely[i - 1]} → {content[i]}"
        if i + 1 < len(rows):
            assert row[AFTER].value == f"{content[i]} → {likely[i + 1]}"
    assert BEFORE not in rows[0]
    assert AFTER not in rows[-1]


def test_tokens_are_contributions(bag_model):
    blocks, found = everything(bag_model)
    (reasons,) = found.reasons([0], 10_000)
    shown = (*reasons.speaks_for, *reasons.speaks_against)
    tokens = [row for row in shown if row.name == "lexicon.all"]
    bag, weights = found.columns["lexicon.all"].tokens()[0], bag_model.weights.bags["lexicon.all"]
    known = {token for token in bag if token in weights.vocabulary}
    assert {row.value.split(",")[0] for row in tokens} == known
    column = found.names.index("lexicon.all")
    total = sum(row.weight for row in tokens)
    assert total == pytest.approx(found.contributions()[0, column])
    assert blocks["Home"]["word.count [-2]"].value == "2 before the page"
    assert blocks["Home"]["word.count [-1]"].value == "before the page"


def test_the_strongest_weights(models):
    for model in models.values():
        weights = model.weights
        every = [*weights.entries, *(bag.values for bag in weights.bags.values())]
        strength = np.abs(np.concatenate([w - w[:, 2:] for w in every])).max(axis=1)
        found = strongest(model, 30)
        got = [max(abs(weight.header), abs(weight.text)) for weight in found]
        np.testing.assert_allclose(got, np.sort(strength)[::-1][:30], rtol=1e-5)
        assert len(strongest(model, None)) == np.count_nonzero(strength)
        assert all(weight.name and weight.value for weight in found)


def test_a_weight_has_the_name_of_its_value(small_model):
    weights = small_model.weights
    place = [str(e) for e in weights.column_entries].index("inside.nav")
    row = weights.entries[place][1] - weights.entries[place][1, 2]
    (found,) = [
        weight
        for weight in strongest(small_model, None)
        if (weight.name, weight.value) == ("inside.nav [0]", "yes")
    ]
    assert (found.header, found.text) == pytest.approx((row[0], row[1]), rel=1e-5)


# --- errors --------------------------------------------------------------------------------------


def test_a_model_without_columns(small_model):
    empty = replace(small_model.weights, template=Template(()), entries=(), bags={}, sizes={})
    model = replace(small_model, weights=empty)
    table = Analyzer(small_model.config).table([PAGE])
    with pytest.raises(ConfigError, match="no column"):
        explain(model, table)
    with pytest.raises(ConfigError, match="no column"):
        strongest(model)


def test_a_block_that_is_not_there(small_model):
    found = explain(small_model, Analyzer(small_model.config).table([PAGE]))
    with pytest.raises(ConfigError, match="no block 9: the page has 5 blocks"):
        found.reasons([0, 9])


def test_missing_columns(bag_model):
    analyzer = Analyzer(bag_model.config)
    table = analyzer.table([PAGE])
    columns = dict(analyzer.columns(table))
    del columns["lexicon.all"]
    with pytest.raises(FeatureError, match=r"needs bag lexicon\.all"):
        explain(bag_model, table, columns)


def test_a_page_without_blocks(small_model):
    found = explain(small_model, Analyzer(small_model.config).table([b""]))
    assert found.contributions().shape == (0, len(found.names))
    assert found.reasons() == []
