"""Rows of `rows/*.txt`: small pages, and what the systems of rules find in them."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from tests.rows import rows_of
from victor.api import Cleaner
from victor.base.labels import Label
from victor.config.layers import load_as
from victor.labelers.density.labeler import Chunks, block_markup
from victor.labelers.density.labeler import Settings as DensitySettings
from victor.labelers.density.labeler import labeler as density
from victor.labelers.dom.relevance import load_recogniser
from victor.labelers.dom.removal import AdHosts, parse_hosts
from victor.labelers.kimatu.areas import LOOKS, Settings, count, group, looks
from victor.labelers.kimatu.repeats import Words, functions, quotes
from victor.labelers.labeler import build_labeler
from victor.labelers.rules import RuleLabeler
from victor.page.table.texts import block_texts

PAGES = yaml.safe_load((Path(__file__).parent / "rows" / "pages.yaml").read_text("utf-8"))
FERRY, FILTERED = PAGES["ferry"], PAGES["filters"].encode()
FILTERS = {
    given[0]: expected.split(" | ")
    for name, given, expected in rows_of(Path(__file__).parent / "rows")
    if name == "filters"
}


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


def unrelated(settings, text):
    """Does a text stay in an article that names others; a heading always does."""
    texts = [
        kept(settings, FERRY.replace("<!-- more -->", f"<{name}>{text}</{name}>"))
        for name in ("div", "h2")
    ]
    assert text in texts[1]
    return "stays" if text in texts[0] else "goes"


def images(page):
    """The addresses of the images of a page, whose article is about Brno."""
    labeler = build_labeler("dom")
    blocks = labeler.table([f"{page}<p>Then Brno won. {'In Brno it rains. ' * 40}".encode()])
    shown = labeler.extras(labeler.find(blocks), labeler.label(blocks), 0).images
    return " ".join(image.url for image in shown)


def alternatives(filters, page):
    """The text of a page by DOM with some filters."""
    overrides = ["link_lists.remove=false", *(f"filters.{name}=true" for name in filters.split())]
    return Cleaner(build_labeler("dom", None, overrides)).clean(page).text.strip()


def native(settings, page):
    """What DOM writes of a page behind another one."""
    labeler, pages = build_labeler("dom", None, settings.split()), [b"<p>Before", page.encode()]
    return labeler.output(labeler.label(labeler.table(pages)), 1, pages[1]).strip()


def sureness(name, page):
    """The probability with which a labeler keeps every block of a page behind another one."""
    name, *settings = name.split()
    labeler = build_labeler(name, None, settings)
    marginals = labeler.label(labeler.table([b"<p>Before it", page.encode()])).marginals
    return " ".join(f"{1 - p_other:.3f}" for p_other in marginals[1:, Label.OTHER])


def markup(split, page):
    """Characters of the markup of every block."""
    blocks = density(DensitySettings(split=split)).table([f"<html><body>{page}".encode()])
    return " ".join(map(str, block_markup(blocks).tolist()))


def dense(settings):
    """Which of three blocks of 99 characters, the first in more markup, are candidates."""
    page = "".join(f"<p class='{'x' * n}'>{'b' * 99}</p>" for n in (388, 13, 13))
    constants = load_as(DensitySettings, "density", settings.split())
    blocks = density(constants).table([page.encode()])
    return " ".join(map(str, Chunks.of(blocks).candidates(constants).tolist()))


def filtered(name):
    """What of the pieces of a page that a filter is for it takes, and no other."""
    off = [f"filters.{each}=false" for each in FILTERS if each != "style_attributes"]
    settings = [
        "output.form=html",
        "link_lists.remove=false",
        "filters.style_attributes=none",
        *off,
    ]
    on = f"filters.{name}={'all' if name == 'style_attributes' else 'true'}"
    written = []
    for more in ([], [on]):
        labeler = build_labeler("dom", None, [*settings, *more])
        written.append(labeler.output(labeler.label(labeler.table([FILTERED])), 0, FILTERED))
    whole, left = written
    every = [piece for pieces in FILTERS.values() for piece in pieces]
    return " | ".join(piece for piece in every if piece in whole and piece not in left)


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
    "unrelated": unrelated,
    "images": images,
    "alternatives": alternatives,
    "native": native,
    "sureness": sureness,
    "markup": markup,
    "density": dense,
    "filters": filtered,
    "canonical": lambda name, settings: str(build_labeler(name, None, settings.split()).canonical),
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
