"""Rows of `rows/*.txt`: small pages, and what the systems of rules find in them."""

from pathlib import Path

import numpy as np
import pytest

from tests.rows import rows_of
from victor.config.layers import load_as
from victor.labelers.dom.relevance import load_recogniser
from victor.labelers.dom.removal import AdHosts, parse_hosts
from victor.labelers.kimatu.areas import LOOKS, Settings, count, group, looks
from victor.labelers.kimatu.repeats import Words, functions, quotes
from victor.labelers.labeler import build_labeler
from victor.labelers.rules import RuleLabeler
from victor.page.table.texts import block_texts


def table(page):
    cutter = RuleLabeler("none", lambda blocks: np.zeros(len(blocks)), attributes=LOOKS)
    return cutter.table([page.encode()])


def kept(settings, page):
    """Texts of the blocks that DOM keeps."""
    labeler = build_labeler("dom", None, settings.split())
    verdict = labeler.label(labeler.table([page.encode()]))
    texts = zip(block_texts(verdict.table), verdict.kept.tolist(), strict=True)
    return " | ".join(text for text, stays in texts if stays)


def alike(page):
    """The texts of each look."""
    blocks, groups = table(page), {}
    for look, text in zip(looks(blocks).tolist(), block_texts(blocks), strict=True):
        groups.setdefault(look, []).append(text)
    return " | ".join(map(" ".join, groups.values()))


def areas_of(settings, page, near):
    """The table of a page, its areas, and the shipped constants but for some."""
    blocks = table(page)
    constants = load_as(Settings, "kimatu", settings.split())
    return blocks, group(looks(blocks), blocks.page, near), constants


def deleted(settings, page):
    """Is each block one of functions, as dates and buttons are."""
    blocks, areas, constants = areas_of(settings, page, 3)
    gone = functions(Words.of(blocks), areas, constants)
    return " ".join(map(str, gone[areas.block_look].tolist()))


def quoted(settings, page):
    """Is the last block a quote of the first area, which is sure; without a sure one none is."""
    blocks, areas, constants = areas_of(settings, page, 0)
    words = Words.of(blocks)
    assert not quotes(words, areas, areas.first < 0, constants).any()
    return str(quotes(words, areas, areas.first == 0, constants)[areas.block_look[-1]])


FUNCTIONS = {
    "functions": deleted,
    "quotes": quoted,
    "dom_kept": kept,
    "hosts": lambda url: str(AdHosts(frozenset({"ads.example"})).hold(url)),
    "rules": lambda rule: " ".join(sorted(parse_hosts(rule))),
    "names": lambda text: " ".join(sorted(load_recogniser("capitals")([text])[0])),
    "looks": alike,
    "marks": lambda text: str(count(table(f"<p>{text}")).marks.sum()),
    "links": lambda page: " ".join(map(str, count(table(page)).links.tolist())),
}


@pytest.mark.parametrize(("name", "given", "expected"), rows_of(Path(__file__).parent / "rows"))
def test_a_row(name, given, expected):
    assert FUNCTIONS[name](*given) == expected
