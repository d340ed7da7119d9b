"""Rows of `rows/*.txt`: small pages, and what the systems of rules find in them."""

from pathlib import Path

import numpy as np
import pytest

from tests.rows import rows_of
from victor.labelers.dom.relevance import load_recogniser
from victor.labelers.dom.removal import AdHosts, parse_hosts
from victor.labelers.kimatu.areas import LOOKS, count, looks
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


FUNCTIONS = {
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
