"""The parts of the log-odds add up to the log-odds, and say what they stand for."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.errors import ConfigError, FeatureError
from victor.explain import explain, important, strongest
from victor.explain.code_names import CodeNames
from victor.explain.contributions import AFTER, BEFORE, CALIBRATION, KIND, TREES_BIAS
from victor.labels import Label
from victor.model.crf.attributes import entry_values
from victor.model.crf.marginals import marginals
from victor.model.extractor import FeatureExtractor
from victor.model.model import with_keep
from victor.model.template import Template
from victor.page.texts import block_texts

few = settings(max_examples=40, deadline=None, derandomize=True)
NAMES = st.sampled_from(["default", "bags", "calibrated", "trees", "calibrated trees"])
GROWN = st.sampled_from(["trees", "calibrated trees"])
PAGE = (
    b"<nav class=menu><a href=/>Home</a><ul><li><a href=/a>About us</a></ul></nav>"
    b"<h1>On bees</h1><p>Bees live in colonies, and so do ants. All of them work."
    b"</p><p>They fly.</p>"
)


def exact_marginals(model, table):
    """Marginals by the plain sum of weights in double precision."""
    columns = FeatureExtractor(model.config).columns(table)
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
    probabilities = marginals(scores, weights.transitions, table.page_starts)
    if model.trees is not None:
        probabilities = with_keep(probabilities, model.trees(columns, table.page_starts))
    return probabilities if model.calibration is None else model.calibration(probabilities)


def tables(model, data):
    return FeatureExtractor(model.config).table(data.draw(strategies.batch()))


@pytest.mark.slow
@few
@given(data=st.data(), name=NAMES)
def test_contributions_of_a_block_sum_to_its_log_odds(models, data, name):
    table = tables(models[name], data)
    explanation = explain(models[name], table)
    exact, rows = exact_marginals(models[name], table), np.arange(len(table))
    content = np.where(exact[:, 0] > exact[:, 1], Label.HEADER, Label.TEXT)
    assert (explanation.content == content).all()
    odds = np.log(exact[rows, content] / exact[:, Label.OTHER])
    matrix = explanation.contributions()
    assert matrix.shape == (len(table), len(explanation.names))
    # The trees have their leaves added up in single precision, explanations in double.
    precision = 1e-6 if models[name].trees is None else 1e-5
    np.testing.assert_allclose(matrix.sum(axis=1), odds, atol=precision)
    np.testing.assert_allclose(explanation.log_odds(), odds, atol=precision)
    for label, against in permutations(Label, 2):
        odds = np.log(exact[:, label] / exact[:, against])
        np.testing.assert_allclose(explanation.log_odds(label, against), odds, atol=precision)


@pytest.mark.slow
@few
@given(data=st.data(), name=NAMES)
def test_marginals_are_those_of_the_model(models, data, name):
    table = tables(models[name], data)
    explanation = explain(models[name], table)
    given_by_model = models[name].marginals(explanation.columns, table.page_starts)
    np.testing.assert_allclose(explanation.marginals, given_by_model, atol=1e-5)


@pytest.mark.slow
@few
@given(data=st.data(), name=NAMES)
def test_reasons_add_up_and_are_in_order(models, data, name):
    table = tables(models[name], data)
    explanation = explain(models[name], table)
    for block, reasons in enumerate(explanation.reasons(top=3)):
        pros = [reason.weight for reason in reasons.speaks_for]
        cons = [reason.weight for reason in reasons.speaks_against]
        assert reasons.block == block
        assert pros == sorted(pros, reverse=True)
        assert cons == sorted(cons)
        assert all(weight > 0 for weight in pros)
        assert all(weight < 0 for weight in cons)
        assert max(len(pros), len(cons)) <= 3
        assert sum(pros) + sum(cons) + reasons.rest.weight == pytest.approx(reasons.log_odds)
        assert reasons.log_odds == pytest.approx(explanation.log_odds()[block])


def everything(model, page=PAGE):
    """All contributions of every block of a page as {name: (value, weight)}."""
    explanation = explain(model, FeatureExtractor(model.config).table([page]))
    texts = block_texts(explanation.table)
    return {
        text: {row.name: row for row in (*reasons.speaks_for, *reasons.speaks_against)}
        for text, reasons in zip(texts, explanation.reasons(top=10_000), strict=True)
    }, explanation


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
    blocks, explanation = everything(small_model)
    likely = [Label(k).lower_name for k in explanation.marginals.argmax(axis=1).tolist()]
    content = [Label(k).lower_name for k in explanation.content.tolist()]
    rows = list(blocks.values())
    for i, row in enumerate(rows):
        if i:
            assert row[BEFORE].value == f"{likely[i - 1]} → {content[i]}"
        if i + 1 < len(rows):
            assert row[AFTER].value == f"{content[i]} → {likely[i + 1]}"
    assert BEFORE not in rows[0]
    assert AFTER not in rows[-1]


def test_tokens_are_contributions(bag_model):
    blocks, explanation = everything(bag_model)
    (reasons,) = explanation.reasons([0], 10_000)
    shown = (*reasons.speaks_for, *reasons.speaks_against)
    tokens = [row for row in shown if row.name == "lexicon.all"]
    bag, weights = (
        explanation.columns["lexicon.all"].tokens()[0],
        bag_model.weights.bags["lexicon.all"],
    )
    known = {token for token in bag if token in weights.vocabulary}
    assert {row.value.split(",")[0] for row in tokens} == known
    column = explanation.names.index("lexicon.all")
    total = sum(row.weight for row in tokens)
    assert total == pytest.approx(explanation.contributions()[0, column])
    assert blocks["Home"]["word.count [-2]"].value == "2 before the page"
    assert blocks["Home"]["word.count [-1]"].value == "before the page"


@pytest.mark.slow
def test_the_strongest_weights(models):
    for model in models.values():
        weights = model.weights
        every = [*weights.entries, *(bag.values for bag in weights.bags.values())]
        strength = np.abs(np.concatenate([w - w[:, 2:] for w in every])).max(axis=1)
        strong = strongest(model, 30)
        got = [max(abs(weight.header), abs(weight.text)) for weight in strong]
        np.testing.assert_allclose(got, np.sort(strength)[::-1][:30], rtol=1e-5)
        assert len(strongest(model, None)) == np.count_nonzero(strength)
        assert all(weight.name and weight.value for weight in strong)


def test_a_weight_has_the_name_of_its_value(small_model):
    weights = small_model.weights
    place = [str(e) for e in weights.column_entries].index("inside.nav")
    row = weights.entries[place][1] - weights.entries[place][1, 2]
    (weight,) = [
        weight
        for weight in strongest(small_model, None)
        if (weight.name, weight.value) == ("inside.nav [0]", "yes")
    ]
    assert (weight.header, weight.text) == pytest.approx((row[0], row[1]), rel=1e-5)


# --- trees ---------------------------------------------------------------------------------------


@pytest.mark.slow
@few
@given(data=st.data(), name=GROWN)
def test_trees_decide_content_and_the_chain_tells_header_from_text(models, data, name):
    model = models[name]
    explanation = explain(model, tables(model, data))
    n_inputs, last = len(model.trees.inputs), model.calibration is not None
    assert explanation.names[n_inputs : n_inputs + 2] == (TREES_BIAS, KIND)
    assert (explanation.names[-1] == CALIBRATION) == last
    chain = slice(n_inputs + 2, len(explanation.names) - last)
    trees = model.trees.contributions(explanation.columns, explanation.table.page_starts)
    for label in (None, Label.HEADER, Label.TEXT):
        terms = explanation.contributions(label)
        np.testing.assert_array_equal(terms[:, : n_inputs + 1], trees)
        assert (terms[:, n_inputs + 1] <= 0).all()
        assert (terms[:, chain] == 0).all()
    kinds = explanation.contributions(Label.HEADER, Label.TEXT)
    assert (np.delete(kinds, chain, axis=1) == 0).all()
    forth, back = (explanation.contributions(*pair) for pair in ((0, 2), (2, 0)))
    np.testing.assert_array_equal(forth, -back)
    assert (explanation.contributions(Label.OTHER, Label.OTHER) == 0).all()


def test_the_shares_of_header_and_text_are_those_of_the_chain(tree_model):
    table = FeatureExtractor(tree_model.config).table([PAGE])
    explanation = explain(tree_model, table)
    alone = explain(replace(tree_model, trees=None), table).marginals
    column = explanation.names.index(KIND)
    for label in (Label.HEADER, Label.TEXT):
        share = alone[:, label] / alone[:, :2].sum(axis=1)
        np.testing.assert_allclose(np.exp(explanation.contributions(label)[:, column]), share)
    shown = explanation.reasons(top=10_000)
    for reasons, row in zip(shown, explanation.marginals, strict=True):
        (kind,) = [c for c in reasons.speaks_against if c.name == KIND]
        name = reasons.label.lower_name
        assert kind.value == f"{name} {row[reasons.label] / row[:2].sum():.3f}"


def test_inputs_say_their_value_with_the_bin_of_the_trees(tree_model):
    blocks, explanation = everything(tree_model)
    assert set(explanation.names) >= {"word.count [+1]", "heading.level [-1]"}
    fly, home = blocks["They fly."], blocks["Home"]
    codebook = tree_model.trees.codebook
    columns = {c.name: c for c in FeatureExtractor(tree_model.config).features.columns}
    (code,) = codebook.discretizers["word.count"]([12]).tolist()
    assert code > int(tree_model.codebook.discretizers["word.count"]([12])[0])
    expected = CodeNames(codebook, columns).value("word.count", 12, code)
    assert fly["word.count [-1]"].value == expected
    outside = {row.value for name, row in home.items() if "[-" in name}
    assert outside == {"before the page"}
    assert {row.value for name, row in fly.items() if "[+" in name} <= {"after the page"}
    assert home[TREES_BIAS].value == ""


def test_pages_of_a_batch_end_where_they_end(tree_model):
    extractor = FeatureExtractor(tree_model.config)
    twice = explain(tree_model, extractor.table([PAGE, PAGE])).reasons(top=10_000)
    once = explain(tree_model, extractor.table([PAGE])).reasons(top=10_000)
    assert [r._replace(block=0) for r in twice] == [r._replace(block=0) for r in [*once, *once]]


@pytest.mark.slow
def test_tokens_speak_of_header_and_text_only(tree_model, annotated):
    explanation = explain(
        tree_model, FeatureExtractor(tree_model.config).table([annotated[0].html])
    )
    for label, against in permutations(Label, 2):
        names = {
            row.name
            for reasons in explanation.reasons(top=10_000, label=label, against=against)
            for row in (*reasons.speaks_for, *reasons.speaks_against)
        }
        assert ("lexicon.all" in names) == (Label.OTHER not in (label, against))


def test_the_most_important_inputs(models, tree_model):
    inputs = important(tree_model, None)
    assert sum(row.share for row in inputs) == pytest.approx(1)
    assert len({row.name for row in inputs}) == len(inputs) == len(tree_model.trees.inputs)
    shares = [row.share for row in inputs]
    assert shares == sorted(shares, reverse=True)
    top = tree_model.trees.inputs[int(tree_model.trees.importance().argmax())]
    assert inputs[0].name == f"{top[0]} [{top[1]:+d}]".replace("[+0]", "[0]")
    assert important(tree_model, 3) == inputs[:3]
    assert important(models["default"]) == []


def test_trees_that_say_nothing_at_all(tree_model):
    """Importance shares are 0, not a quotient of zeros."""
    leaves = np.zeros_like(tree_model.trees.leaves)
    model = replace(tree_model, trees=replace(tree_model.trees, leaves=leaves))
    assert {row.share for row in important(model)} == {0.0}


# --- errors --------------------------------------------------------------------------------------


def test_a_model_without_columns(small_model):
    empty = replace(small_model.weights, template=Template(()), entries=(), bags={}, sizes={})
    model = replace(small_model, weights=empty)
    table = FeatureExtractor(small_model.config).table([PAGE])
    with pytest.raises(ConfigError, match="no column"):
        explain(model, table)
    with pytest.raises(ConfigError, match="no column"):
        strongest(model)


def test_trees_alone_are_something_to_explain(tree_model):
    empty = replace(tree_model.weights, template=Template(()), entries=(), bags={}, sizes={})
    model = replace(tree_model, weights=empty)
    table = FeatureExtractor(model.config).table([PAGE])
    explanation = explain(model, table)
    exact = model.marginals(explanation.columns, table.page_starts)
    np.testing.assert_allclose(explanation.marginals, exact, atol=1e-6)
    odds = np.log(exact[:, Label.TEXT] / exact[:, Label.OTHER])
    np.testing.assert_allclose(explanation.log_odds(Label.TEXT), odds, atol=1e-5)
    assert len(explanation.reasons()) == len(table)
    assert strongest(model) == []
    assert important(model)


def test_a_block_that_is_not_there(small_model):
    explanation = explain(small_model, FeatureExtractor(small_model.config).table([PAGE]))
    with pytest.raises(ConfigError, match="no block 9: the page has 5 blocks"):
        explanation.reasons([0, 9])


def test_missing_columns(bag_model):
    extractor = FeatureExtractor(bag_model.config)
    table = extractor.table([PAGE])
    columns = dict(extractor.columns(table))
    del columns["lexicon.all"]
    with pytest.raises(FeatureError, match=r"needs bag lexicon\.all"):
        explain(bag_model, table, columns)


def test_a_page_without_blocks(small_model):
    explanation = explain(small_model, FeatureExtractor(small_model.config).table([b""]))
    assert explanation.contributions().shape == (0, len(explanation.names))
    assert explanation.reasons() == []
