"""Hand-built pages for rule systems."""

import json
from pathlib import Path

import numpy as np
import pytest

from victor.config.layers import load_as
from victor.labelers.kimatu.areas import LOOKS, Ratios, group
from victor.labelers.kimatu.settings import Settings
from victor.labelers.kimatu.steps import Evidence
from victor.labelers.rules import RuleLabeler


@pytest.fixture(scope="session")
def table():
    """Function: pages as strings to a block table as the rule systems cut it."""
    cutter = RuleLabeler("none", lambda blocks: np.zeros(len(blocks)), attributes=LOOKS)
    return lambda *pages: cutter.table([page.encode() for page in pages])


@pytest.fixture(scope="session")
def with_():
    """Function: the paper's constants, some of them changed: ``with_({"far.times": 2.0})``."""

    def changed(changes=None):
        overrides = [f"{key}={json.dumps(value)}" for key, value in (changes or {}).items()]
        return load_as(Settings, "kimatu", overrides)

    return changed


@pytest.fixture(scope="session")
def evidence():
    """Function: look and relevance, one number per block, those of an area equal.

    All blocks are of 10 characters, and what relevance lacks is missing punctuation.
    """

    def made(look, relevance, *, near=0, page=None, characters=10):
        look, page = np.array(look), np.array(page or [0] * len(look))
        areas = group(look, page, near)
        of_areas = np.array(relevance, dtype=float)[areas.first]
        full = np.ones(len(areas))
        ratios = Ratios(length=full, average=full, punctuation=of_areas, links=0 * full)
        lengths = np.broadcast_to(np.array(characters), look.shape)
        return Evidence(areas, ratios, of_areas, lengths)

    return made


@pytest.fixture(scope="session")
def forum():
    """A page of a forum with posts, quotes of earlier posts, and lines such as "posted by"."""
    return (Path(__file__).parent / "pages" / "forum.html").read_bytes()
