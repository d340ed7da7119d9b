"""Phrases that the compiled core sees in blocks are those that the Python path sees."""

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from victor.base import core
from victor.page.names.phrases import Phrases
from victor.page.table.segment import parse_pages

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")


def is_the_same(compute):
    """Does a function give the same on the compiled and on the Python path."""
    compiled = compute()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", None)
        return compiled.tolist() == compute().tolist()


PHRASES = Phrases(
    [
        ["comments", "comments on *", "bees", "včely *", "όσοσ", "read more about *"],
        ["* says", "* řekl", "read more", "* read more", "ΌΣΟΣ *", "komentářů"],
    ]
)
WORDS = (
    *"comments Comments on bees BEES 12 says Ann read more about Read MORE … » , : - _ a1".split(),
    *"včely Včely řekl ŘEKL ΌΣΟΣ όσοσ όσος İ ß 東 komentářů x 1 é \u00ad <br> <b> </b>".split(),
    *("x" * 40, "\U0001f41d", "\ufb01"),
)
SAID = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


@given(st.lists(SAID, max_size=6), st.sampled_from(((80, 50), (20, 10), (0, 3), (5, 9))))
@hypothesis_settings(max_examples=120)
def test_phrases_of_blocks(texts, sizes):
    table = parse_pages(["".join(f"<p>{text}" for text in texts).encode()])
    short, edge = sizes
    if edge > short:
        edge = min([edge, *(table.end - table.start).tolist()])
    assert is_the_same(lambda: PHRASES.of_blocks(table, short=short, edge=edge))


def test_every_character_in_a_phrase():
    table = parse_pages(
        ["".join(f"<p>comments{chr(code)}" for code in range(33, 0x3000) if chr(code) not in "<&")]
    )
    assert is_the_same(lambda: PHRASES.of_blocks(table, short=80, edge=50))
    table = parse_pages(
        [
            "".join(
                f"<p>comments {chr(code)} on" for code in range(33, 0x3000) if chr(code) not in "<&"
            )
        ]
    )
    assert is_the_same(lambda: PHRASES.of_blocks(table, short=80, edge=50))
