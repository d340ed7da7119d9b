"""What compiled stages leave with a table: what they borrowed, and columns that they know."""

import copy
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from victor import core
from victor.labelers.load import model_labeler
from victor.page.paragraphs import paragraphs
from victor.page.segment import parse_pages

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")

PAGES = sorted((Path(__file__).parents[2] / "annotations" / "pages").glob("*.html"))[:20]
BASIC = ("page", "start", "end", "words", "link_words", "free_words", "heading_level")


def test_columns_that_the_core_gives_are_those_of_numpy(monkeypatch):
    pages = [b"", *(path.read_bytes() for path in PAGES), b"<h2>a <a>b</a></h2>c"]
    labeler = model_labeler("default")
    table = labeler.table(pages)
    labeler.label(table)
    given = {name: vars(table)[name] for name in BASIC}
    monkeypatch.setattr(core, "compiled", None)
    fresh = replace(table)
    assert not {*BASIC} & vars(fresh).keys()
    for name, column in given.items():
        wanted = getattr(fresh, name)
        assert column.dtype == wanted.dtype
        assert column.tolist() == wanted.tolist()
        assert not column.flags.writeable


def test_a_table_made_of_another_is_checked_anew():
    table = parse_pages([b"<p>Bees<p>live <b>in</b> hives"])
    kept = np.ones(len(table), dtype=bool)
    paragraphs(table, kept)
    assert "lent" in vars(table)
    beyond = replace(table.segments, tag=table.segments.tag + 1000)
    with pytest.raises(ValueError, match="do not fit together"):
        paragraphs(replace(table, segments=beyond), kept)
    assert paragraphs(table, kept).blocks.tolist() == [0, 1]


def test_what_is_lent_is_not_copied():
    table = parse_pages([b"<p>Bees<p>live <b>in</b> hives"])
    assert table.lent is table.lent
    assert table.lent_tokens is not None
    other = copy.copy(table)
    assert not {"lent", "lent_tokens"} & vars(other).keys()
    assert other.words.tolist() == [1, 3]
    assert other.lent is not table.lent


@pytest.mark.parametrize("what", [None, 1, object()])
def test_what_is_no_table_is_refused(what):
    with pytest.raises(AttributeError):
        core.compiled.lend(what, False)


def test_memory_of_a_stage_is_copied_as_bytes():
    """Tables are sent to other processes with all that they hold."""
    chars = parse_pages([b"<title>T</title><p>Bees"]).chars
    while isinstance(chars, np.ndarray):
        memory, chars = chars.base, chars.base
    assert type(memory).__name__ == "Memory"
    copied = pickle.loads(pickle.dumps(memory))
    assert type(copied) is bytes
    assert copied == bytes(memory)


def test_a_table_is_pickled_with_heads_and_bundles():
    table = parse_pages([b"<title>T</title><p class=a id=b>Bees<p class=c>live"])
    other = pickle.loads(pickle.dumps(table))
    assert [*other.heads] == [*table.heads]
    assert [*other.bundles] == [*table.bundles]
    assert other.tokens.start.tolist() == table.tokens.start.tolist()
