"""Every term is in one group, groups add up to the log-odds, and they say what they mean."""

import pytest

from victor.explain.contributions import BIAS, explain
from victor.explain.groups import TOGETHER, grouped
from victor.explain.wording import TITLES
from victor.features import NAMES as SHIPPED
from victor.model.extractor import FeatureExtractor

PAGE = (
    b"<nav class=menu><a href=/>Home</a><ul><li><a href=/a>About us</a></ul></nav>"
    b"<h1>On bees</h1><p>Bees live in colonies, and so do ants. All of them work."
    b"</p><p>They fly.</p>"
)
ALL = 10_000
"""More parts than any group has."""
EVERY_MODEL = ("linear", "joined", "trees")


def explained(model, page=PAGE, **options):
    return explain(model, FeatureExtractor(model.config, **options).table([page]), **options)


def strengths(rows):
    return [abs(row.weight) for row in rows]


@pytest.mark.parametrize("name", EVERY_MODEL)
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
