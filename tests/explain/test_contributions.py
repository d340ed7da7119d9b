"""The parts of the log-odds add up to the log-odds, and say what they stand for."""

from dataclasses import replace

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from victor.base.labels import Label
from victor.errors import ConfigError
from victor.explain.contributions import AFTER, BEFORE, BIAS, explain
from victor.explain.groups import TOGETHER, grouped
from victor.explain.wording import TITLES
from victor.features import NAMES as SHIPPED
from victor.model.discretize import Codebook
from victor.model.extractor import FeatureExtractor
from victor.model.linear import LinearPotentials
from victor.model.template import Template
from victor.page.table.texts import block_texts

NAMES = ("linear", "joined", "trees", "pooled trees", "mixed trees")
ALL = 10_000
"""More parts than any group has."""
PAGE = (
    b"<nav class=menu><a href=/>Home</a><ul><li><a href=/a>About us</a></ul></nav>"
    b"<h1>On bees</h1><p>Bees live in colonies, and so do ants. All of them work."
    b"</p><p>They fly.</p>"
)


def explained(model, page=PAGE):
    return explain(model, FeatureExtractor(model.config).table([page]))


@pytest.mark.slow
@given(pages=strategies.batch(), name=st.sampled_from(NAMES))
def test_contributions_of_a_block_sum_to_its_log_odds(models, pages, name):
    model = models[name]
    table = FeatureExtractor(model.config).table(pages)
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
    explanation = explained(model, page)
    texts = block_texts(explanation.table)
    return {
        text: {part.name: part for group in block.groups for part in group.parts}
        for text, block in zip(texts, grouped(explanation, top=ALL), strict=True)
    }, explanation


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


@pytest.mark.parametrize("name", NAMES[:3])
def test_pages_of_a_batch_end_where_they_end(models, name):
    extractor = FeatureExtractor(models[name].config)
    once, twice = (
        grouped(explain(models[name], extractor.table(pages)), top=ALL)
        for pages in ([PAGE], [PAGE, PAGE])
    )
    for found, expected in zip(twice, [*once, *once], strict=True):
        assert found.log_odds == pytest.approx(expected.log_odds)
        # What differs in the last digit may change places.
        mine, its = ({(p.name, p.value) for g in one.groups for p in g.parts}
                     for one in (found, expected))  # fmt: skip
        assert mine == its


def test_a_model_without_columns(small_model):
    weights = replace(small_model.potentials.weights, template=Template(()), entries=(), sizes={})
    model = structs.replace(small_model, potentials=LinearPotentials(Codebook({}), weights))
    with pytest.raises(ConfigError, match="no column"):
        explained(model)


# --- groups ---------------------------------------------------------------------------------------


def strengths(rows):
    return [abs(row.weight) for row in rows]


@pytest.mark.parametrize("name", NAMES[:3])
def test_groups_add_up_to_the_log_odds_the_strongest_first(models, name):
    explanation = explained(models[name])
    matrix = explanation.contributions()
    log_odds = matrix.sum(axis=1)
    few, all_ = (grouped(explanation, top=top) for top in (2, ALL))
    for block, whole, row in zip(few, all_, matrix, strict=True):
        assert block.log_odds == pytest.approx(log_odds[block.block], abs=1e-9)
        assert sum(group.weight for group in block.groups) == pytest.approx(block.log_odds)
        assert strengths(block.groups) == sorted(strengths(block.groups), reverse=True)
        for group in block.groups:
            parts = sum(part.weight for part in group.parts)
            assert parts + group.more == pytest.approx(group.weight, abs=1e-12)
            assert strengths(group.parts) == sorted(strengths(group.parts), reverse=True)
            assert len(group.parts) <= 2
        sums = dict.fromkeys(explanation.names, 0.0)  # every term is a part of one group
        for part in (part for group in whole.groups for part in group.parts):
            sums[part.name] += part.weight
        assert [*sums.values()] == pytest.approx(row.tolist())


def test_conjunctions_are_in_the_group_of_all_their_columns_or_in_one_of_their_own(joined_model):
    """word.count [-1] & link.density [+1] is of two modules; nobody can say whose it is."""
    groups = {group.name: group for group in grouped(explained(joined_model), [3], ALL)[0].groups}
    (part,) = groups[TOGETHER].parts
    assert part.name == "word.count [-1] & link.density [+1]"
    assert part.meaning == (
        "words in the block (the block before) & "
        "share of the block's words inside links (the block after)"
    )
    assert part.where == ""
    assert all(" & " not in part.name for part in groups["its words"].parts)


def test_parts_say_what_they_mean_where_and_how_much(tree_model):
    groups = grouped(explained(tree_model), [4], ALL)[0].groups
    parts = {part.name: part for group in groups for part in group.parts}
    before = parts["word.count [-1]"]
    assert (before.meaning, before.where) == ("words in the block", "the block before")
    assert before.words == f"words in the block, the block before: 12 ({before.bin})"
    assert parts["word.count [-2]"].where == "two blocks before"
    assert parts["word.count [0]"].where == ""
    assert parts[BIAS].value == ""


def test_every_shipped_module_has_a_name_of_its_own():
    assert set(TITLES) == set(SHIPPED)
    assert len(set(TITLES.values())) == len(TITLES)
