"""A sentence says what decided, how sure that is, and which groups of contributions say most."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from victor.api import Cleaner, CleanerSpec
from victor.base.labels import OTHER, TEXT
from victor.config.layers import load as load_config
from victor.config.schema import Decision, Scope
from victor.explain.contributions import explain
from victor.explain.groups import EVERY_BLOCK, grouped
from victor.explain.sentences import sentences
from victor.labelers.crf import CrfLabeler
from victor.model.extractor import FeatureExtractor
from victor.model.linear import LinearPotentials
from victor.training.dataset import analyze
from victor.training.training import train

ROOT = Path(__file__).parents[2]
TEXTS = """\
Volunteers who spent five winters tipping old shells into cold water have counted what grew on them.
The survey took three days at the lowest tides of the year and found forty thousand young oysters.
For the first two winters almost nothing happened, and the council came close to ending the project.
""".splitlines()
MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Home", "News", "Sport", "Jobs"))
MORE = "".join(f"<li><a href=/{n}>Another story number {n}</a>" for n in range(4))
PAGE = (
    "<title>Oysters return to the bay</title><nav class=menu><ul>" + MENU + "</ul></nav>"
    "<article class=article-body><h1>Oysters return to the bay</h1>"
    + "".join(f"<p>{text}</p>" for text in TEXTS)
    + "</article><aside class=related><h3>More stories</h3><ul>" + MORE + "</ul></aside>"
    "<footer class=footer><p>Copyright The Harbour Post</footer>"
)  # fmt: skip


@pytest.fixture(scope="module")
def labeler():
    return CleanerSpec().build()


def told(labeler, page, scope=None, decision=None):
    """The sentences of a page, and its blocks."""
    cleaner = Cleaner(labeler, scope=scope or Scope(), decision=decision)
    result = cleaner.clean(page)
    found = sentences(labeler, result.in_batch[0], cleaner.scope, decision)
    assert [sentence.block for sentence in found] == [block.number for block in result.blocks]
    return found, result.blocks


def by_text(labeler, page, start, **options):
    """The sentence of the block that begins with a text."""
    found, blocks = told(labeler, page, **options)
    return next(s for s, block in zip(found, blocks, strict=True) if block.text.startswith(start))


# --- what the model says --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["default", "crf"])
def test_the_groups_that_say_most_for_the_side_are_named_with_the_column_that_does(name):
    labeler = CleanerSpec(name).build()
    found, blocks = told(labeler, PAGE)
    explained = grouped(explain(labeler.model, labeler.table([PAGE.encode()])), top=10_000)
    n_told = 0
    for sentence, block, its in zip(found, blocks, explained, strict=True):
        if sentence.decided_by != "labeler":
            assert sentence.groups == ()
            continue
        sign = 1 if block.kept else -1
        speak = [g for g in its.groups if g.weight * sign > 0 and g.name != EVERY_BLOCK]
        speak.sort(key=lambda group: -sign * group.weight)
        assert sentence.groups == tuple(group.name for group in speak[:2])
        p = 1 - block.marginals["other"] if block.kept else block.marginals["other"]
        sure = "more than 99 %" if p >= 0.995 else f"{100 * p:.0f} %"
        head = (
            f"{'Kept' if block.kept else 'Dropped'}, {sure} sure, most of all for {speak[0].name}"
        )
        assert sentence.text.startswith(head)
        first = next(group for group in speak[:2] if group.module)
        part = max(first.parts, key=lambda one: sign * one.weight)
        place = f", {part.where}" if part.where else ""
        assert f"{first.name} ({part.meaning}{place}: {part.value})" in sentence.text
        n_told += 1
    assert n_told > 5


@pytest.mark.parametrize(
    ("other", "start"),
    [(0.004, "Kept, more than 99 % sure, "), (0.006, "Kept, 99 % sure, "),
     (0.5, "Kept, 50 % sure, "), (0.51, "Kept, though only 49 % sure (decided by threshold), "),
     (0.991, "Kept, though only less than 1 % sure (")],
)  # fmt: skip
def test_doubt_in_words(labeler, other, start):
    verdict = Cleaner(labeler).clean(PAGE).in_batch[0]
    block = int(verdict.kept.argmax())
    marginals = verdict.marginals.copy()
    marginals[block] = 0, 1 - other, other
    changed = replace(verdict, marginals=marginals, method="threshold")
    (sentence,) = sentences(labeler, changed, Scope(), Decision("threshold", 0.99), [block])
    assert sentence.text.startswith(start)


def test_a_model_whose_columns_say_nothing_for_a_decision(annotated):
    settings = ("features=[words]", "discretize=null", "template=[{column: word.punct-rel}]")
    extractor = FeatureExtractor(load_config("crf", settings))
    model = train(analyze(annotated[:8], extractor), extractor)
    weights = model.potentials.weights
    silent = dataclasses.replace(weights, entries=[table * 0 for table in weights.entries])
    model = replace(model, potentials=LinearPotentials(model.potentials.codebook, silent))
    found, _ = told(CrfLabeler(model), "<p>Bees live here.")
    assert found[0].text.endswith("though nothing that the model reads of it speaks for that.")


# --- decisions that the model did not make --------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "start", "said"),
    [
        (Scope(), "Oysters", "Dropped by the scope main (kind: headline); the model alone is "),
        (Scope("article", headline=False), "Oysters", "Dropped by the scope article (kind: headli"),
        (Scope(keep=("footer",)), "Copyright", "Kept by your selectors (--keep); the model alone"),
        (Scope(drop=("article",)), "The survey", "Dropped by your selectors (--drop); the model"),
    ],
)
def test_the_scope_says_that_it_decided(labeler, scope, start, said):
    sentence = by_text(labeler, PAGE, start, scope=scope)
    assert sentence.text.startswith(said)
    assert sentence.text.endswith("sure of the opposite.")
    assert sentence.decided_by == "scope"


@pytest.fixture(scope="module")
def turned(labeler):
    """Function: the sentence of a block whose label was turned after the model had decided."""
    verdict = Cleaner(labeler).clean(PAGE).in_batch[0]

    def turned(label, **changes):
        block = int(np.flatnonzero(verdict.kept == (label == OTHER))[0])
        labels, is_changed = verdict.labels.copy(), np.arange(len(verdict.table)) == block
        labels[block] = label
        given = {name: is_changed for name, is_marked in changes.items() if is_marked}
        changed = replace(verdict, labels=labels, by_scope=None, **given)
        return sentences(labeler, changed, Scope(), blocks=[block])[0]

    return turned


@pytest.mark.parametrize(
    ("label", "whole", "said", "by"),
    [(TEXT, True, "Kept whole with the table, list, code or formula that it is part of; ", "whole"),
     (TEXT, False, "Kept with the whole page, which has so few blocks that all stay but ", "page"),
     (OTHER, False, "Dropped with the whole page, which seems to have no content.", "page")],
)  # fmt: skip
def test_units_and_pages_that_are_judged_as_a_whole(turned, label, whole, said, by):
    sentence = turned(label, by_unit=whole)
    assert sentence.text.startswith(said)
    assert sentence.decided_by == by


def test_a_page_without_content(labeler):
    page = (ROOT / "annotations" / "pages" / "corvane-404.html").read_bytes()
    assert "page" in {sentence.decided_by for sentence in told(labeler, page)[0]}


@pytest.mark.parametrize("name", ["kimatu", "density", "dom"])
def test_rules_name_their_steps_or_numbers(name):
    found, blocks = told(CleanerSpec(labeler=name).build(), PAGE)
    for sentence, block in zip(found, blocks, strict=True):
        if sentence.decided_by == "labeler":
            word = "Kept" if block.kept else "Dropped"
            assert sentence.text.startswith((f"{word} by {name}: ", f"{word} by {name}."))
