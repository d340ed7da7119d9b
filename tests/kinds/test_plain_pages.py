"""What the core does at once is what it does step by step."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.markup_soup import make_soup
from victor.api import load_cleaner
from victor.base import core
from victor.config.schema import Decision, Scope
from victor.kinds import finish
from victor.kinds.units import PRE_TAGS, Needs
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import model_labeler
from victor.page.table.segment import parse_pages

PAGES = sorted((Path(__file__).parents[2] / "annotations" / "pages").glob("*.html"))
BATCHES = [
    *([path.read_bytes()] for path in PAGES),
    [path.read_bytes() for path in PAGES[:20]],
    *([make_soup(number)] for number in range(30)),
    [b"", b"<p>Bees", b"<title>T"],
]


def columns(verdict, page):
    """What is said of the blocks of a page."""
    blocks = verdict.page(page)
    names = ("labels", "by_unit", "by_scope", "p_other", "kinds")
    found = {name: getattr(verdict, name) for name in names}
    nothing = np.zeros(len(verdict.table), dtype=bool)
    elements = verdict.table.elements_of(page)
    return {
        "is_data": verdict.tables.is_data[elements].tolist(),
        **{
            name: (nothing if value is None else value)[blocks].tolist()
            for name, value in found.items()
        },
    }


def needing_all(verdict, pages):
    return verdict, bytes([Needs.ALL] * len(pages))


@pytest.mark.parametrize("forum", [None, "forum"])
def test_judgments_at_once_are_those_step_by_step(monkeypatch, forum):
    labeler, needs = model_labeler("default", page_type=forum), []
    at_once = finish.plain_pages
    for pages in BATCHES:
        verdict = labeler.label(labeler.table(pages))
        needs += at_once(verdict, pages)[1]
        monkeypatch.setattr(finish, "plain_pages", at_once)
        found = finish.finish(verdict, pages, Scope())
        monkeypatch.setattr(finish, "plain_pages", needing_all)
        by_steps = finish.finish(verdict, pages, Scope())
        assert [columns(*of_page) for of_page in found] == [columns(*each) for each in by_steps]
    assert 10 < needs.count(0) < len(needs) - 10


@pytest.mark.parametrize("options", [{}, {"temperature": 2.0}, {"no_content": 0.01}], ids=str)
def test_labels_at_once_are_those_step_by_step(monkeypatch, options):
    labeler, decision = model_labeler("default"), Decision(method="expected-f", **options)
    for pages in BATCHES:
        table = labeler.table(pages)
        monkeypatch.undo()
        at_once = labeler.label(table, decision)
        monkeypatch.setattr(CrfLabeler, "_label_at_once", in_steps)
        by_steps = labeler.label(table, decision)
        assert at_once.labels.tolist() == by_steps.labels.tolist()
        assert at_once.marginals.tolist() == by_steps.marginals.tolist()


def in_steps(labeler, table, rule):
    return labeler._verdict(table, labeler._marginals(table), rule)


def test_text_at_once_is_that_of_paragraphs():
    cleaner, n_plain = load_cleaner(), 0
    for pages in BATCHES:
        for result in cleaner.clean_many(pages):
            verdict, number = result.in_batch or (None, 0)
            if verdict is None:
                continue
            plain = verdict.plain_text(number)
            if plain is not None:
                n_plain += 1
                source = verdict.paragraphs.source(number)
                assert plain == core.compiled.page_text(*source)
    assert n_plain > 30


LETTERS = st.text(st.sampled_from("ab Ba."), min_size=1, max_size=60)
PIECE = 20


def also(text, others):
    """Letters of a text in runs of `PIECE` that stand in other ones, and all."""
    own, other = ("".join(filter(str.isalpha, each.lower())) for each in (text, others))
    places = [at for at in range(len(own) - PIECE + 1) if own[at : at + PIECE] in other]
    return len({at + i for at in places for i in range(PIECE)}), len(own)


@given(st.lists(st.tuples(LETTERS, st.booleans()), min_size=1, max_size=6))
def test_letters_that_stand_in_others(parts):
    table = parse_pages(["".join(f"<p>{text}</p>" for text, _ in parts), "<p>" + "ab" * 30])
    texts = [
        "".join(map(chr, table.chars[a:b])) for a, b in zip(table.start, table.end, strict=True)
    ]
    own = [is_own for text, is_own in parts if text.strip()]
    these = np.array([*own, False])
    memory = core.compiled.letters_also(table.batch, these, ~these, PRE_TAGS)
    found = core.array(memory, np.int64).reshape(-1, 2)
    chosen = [
        "".join(t for t, o in zip(texts, own, strict=False) if o == which) for which in (1, 0)
    ]
    assert tuple(found.sum(axis=0).tolist()) == also(*chosen)
    assert not found[~these].any()


def test_rules_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="number of arrays"):
        core.compiled.judgment_rules(())
    wrong = tuple(np.zeros(0, dtype) for dtype in "u1 u1 u1 u1 u1 i8 i8 u8 u2 u4".split())
    with pytest.raises(ValueError, match="fit together"):
        core.compiled.judgment_rules(wrong)
