"""What the core does at once is what it does step by step."""

from pathlib import Path

import numpy as np
import pytest

from tests.markup_soup import make_soup
from victor.api import load_cleaner
from victor.base import core
from victor.config.schema import Decision, Scope
from victor.kinds import finish
from victor.kinds.units import Needs
from victor.labelers.crf import CrfLabeler, model_labeler

PAGES = sorted((Path(__file__).parents[2] / "annotations" / "pages").glob("*.html"))
BATCHES = [
    *([path.read_bytes()] for path in PAGES),
    [path.read_bytes() for path in PAGES[:20]],
    *([make_soup(number)] for number in range(30)),
    [b"", b"<p>Bees", b"<title>T"],
]


def columns(verdict, page):
    """What is said of the blocks of a page."""
    blocks, nothing = verdict.page(page), np.zeros(len(verdict.table), dtype=bool)
    found = {"is_data": verdict.tables.is_data[verdict.table.elements_of(page)].tolist()}
    for name in ("labels", "by_unit", "by_scope", "p_other", "kinds"):
        value = getattr(verdict, name)
        found[name] = (nothing if value is None else value)[blocks].tolist()
    return found


def needing_all(verdict, pages):
    return verdict, bytes([Needs.ALL] * len(pages)), bytes(2 * len(pages))


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
        for of_page, stepped in zip(found, by_steps, strict=True):
            assert of_page[2:] == stepped[2:]
            assert columns(*of_page[:2]) == columns(*stepped[:2])
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
