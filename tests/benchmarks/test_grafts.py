"""The held-out set of grafts, and what its benchmark counts."""

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from victor.api import Cleaner
from victor.corpus.graft import Stock, graft
from victor.corpus.graft.donors import Donor, group
from victor.corpus.graft.sections import read_markups, read_words
from victor.corpus.pages import annotate
from victor.labelers import build_labeler
from victor.labels import Label

FOLDER = Path(__file__).parents[2] / "benchmarks"
HELD = read_markups(FOLDER / "held_markups.yaml")
TEXT = "Bees of the old mill fly out to the willows as soon as the sun is up and the air is warm."
DONOR = Donor(
    "bees.example", "en", "CC0-1.0", True, ("I think that bees are great.",) * 3, "On wasps", TEXT
)


@pytest.fixture
def grafts(monkeypatch):
    """The script as a module."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.delitem(sys.modules, "grafts", raising=False)
    import grafts

    return grafts


def markups_of(read):
    return [*read.comments, *read.teasers]


def test_held_markups_are_no_training_markups():
    training, held = markups_of(read_markups()), markups_of(HELD)
    assert not {markup.name for markup in training} & {markup.name for markup in held}
    assert len(HELD.comments) >= 8
    assert len({markup.name for markup in held}) == len(held)
    pieces = {markup.section for markup in training}
    assert not pieces & {markup.section for markup in held}


@pytest.mark.parametrize("markup", markups_of(HELD), ids=lambda markup: markup.name)
def test_what_is_kept_is_counted(grafts, markup):
    """A labeler that keeps all drops nothing and keeps the article."""
    assert group("river.example") == group(DONOR.site)
    kind = "comments" if markup in HELD.comments else "teasers"
    stock = Stock([DONOR], HELD.replace(**{kind: (markup,)}), read_words())
    html = f"<nav><a href=/>Home</a></nav><div>{f'<p>{TEXT}</p>' * 6}</div>".encode()
    labels = np.array([Label.OTHER, *[Label.TEXT] * 6])
    base = annotate("a", html, labels, site="river.example", gold=TEXT * 6, language="en")
    pages = [graft(base, stock, Random(seed)) for seed in range(30)]
    page = next(page for page in pages if page.metadata["graft"]["markups"] == [markup.name])
    counts = grafts._count(page, Cleaner(build_labeler("none")))
    part, rest = (0, 1) if kind == "comments" else (1, 0)
    assert counts.words[part] > 0
    assert counts.words[rest] == 0
    assert counts.dropped.tolist() == [0, 0]
    assert counts.kept_before == counts.still_kept == counts.gold + 1
    assert counts.gold_kept.tolist() == [counts.gold] * 2
    assert counts.word_f[0] > counts.word_f[1]
