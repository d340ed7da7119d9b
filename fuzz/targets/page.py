"""Pages: any bytes give every form, all of them of what is kept, or one error of the page."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from lxml import etree

from tests.markup_strategies import PIECES
from victor.api import Cleaner, Result, load_cleaner
from victor.errors import PageError
from victor.kitten.normalize import normalize
from victor.labelers.labeler import LABELERS, build_labeler
from victor.render.forms import FORMS

MOST_BYTES: Final = 1 << 14
_ROOT: Final = Path(__file__).parents[2]
_SYSTEMS: Final = ("default", *LABELERS)
_UNSEEN: Final = re.compile(r"[\s\xad\u200b-\u200f\u2060\ufeff\x00-\x1f\x7f-\x9f]+")
_REPLACED: Final = re.compile(rb"math|katex|gutter|<pre[^>]*>\s*\d+\n\d+\n", re.IGNORECASE)
"""Where one is, TeX stands for what is drawn, or the numbers of lines are left out."""
_FORBIDDEN: Final = re.compile("[\0\ud800-\udfff]")
_ADDRESS: Final = "https://example.org/a/b?c=d"


def seeds() -> list[bytes]:
    """Short pages of our own, and one of every oddity."""
    pages = sorted(_ROOT.glob("annotations/pages/*.html"), key=lambda page: page.stat().st_size)
    oddities = "<h1>Bees</h1>".join(f"<p>Bees live in colonies. {piece}" for piece in PIECES)
    return [*(page.read_bytes()[:MOST_BYTES] for page in pages[:12]), oddities.encode()]


def words() -> list[bytes]:
    """Pieces of markup that mutations are made of."""
    return [piece.encode() for piece in PIECES if piece]


def one(data: bytes) -> None:
    """Clean a page with one of the systems, which its length chooses, and normalize it."""
    try:
        check(cleaned(data))
        etree.fromstring(normalize(data).xhtml.encode())
    except PageError as error:
        if error.reason == "failed":  # for a reason that nobody knew
            raise


def cleaned(data: bytes) -> Result:
    """The page, cleaned with the system that its length chooses."""
    system = _SYSTEMS[len(data) % len(_SYSTEMS)]
    return _cleaner(system).clean(data, _ADDRESS)


@cache
def _cleaner(system: str) -> Cleaner:
    return load_cleaner() if system == "default" else Cleaner(build_labeler(system))


def check(result: Result) -> None:
    """Render every form of a page without an error, and hold them against the blocks."""
    marginals = result.marginals
    assert np.isfinite(marginals).all(), "marginals are finite"
    assert (marginals >= 0).all(), "marginals are not negative"
    assert np.allclose(marginals.sum(axis=1), 1, atol=1e-9), "marginals sum to one"
    forms = {form: result.render(form) for form in FORMS}
    for form, text in forms.items():
        assert not _FORBIDDEN.search(text), f"{form} holds only characters"
    if not _REPLACED.search(result.markup):
        kept = "".join(block.text for block in result.blocks if block.kept)
        assert _UNSEEN.sub("", forms["text"]) == _UNSEEN.sub("", kept), "the text is what is kept"
    assert json.loads(forms["json"])["text"] == forms["text"], "JSON has the text"
    for line in forms["records"].split("\n")[:-1]:
        json.loads(line)
    assert len(result.blocks) == len(marginals) == len(result.labels), "every block has a label"
    for block in result.blocks:
        assert block.xpath, "a block has a place"
        assert block.headings is not None
    assert result.posts is not None
    assert 0 <= (result.p_no_content or 0) <= 1, "probabilities are in range"
    json.dumps([dict(result.metadata), *result.schema_org])
