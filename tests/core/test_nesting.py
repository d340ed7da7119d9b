"""How tags are nested, by the compiled core and by the Python path."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.base import core
from victor.page.markup.nesting import Nesting

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")

PAGES = sorted(Path(__file__).parents[2].glob("annotations/pages/*.html"))
PIECES = (
    "< </ > / p P h1 H2 div Span a table ul <p> </p> <h1> </h1> <div> </div> <a> </a> "
    "blockquote blockquoteblockquote <!doctype\x20html> \x0b \x1c \x85 é"
).split(" ")


def of(markup, monkeypatch):
    compiled = Nesting.of(markup)
    with monkeypatch.context() as patch:
        patch.setattr(core, "compiled", None)
        return compiled, Nesting.of(markup)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_of_pages(path, monkeypatch):
    compiled, pure = of(path.read_bytes(), monkeypatch)
    assert compiled == pure


@given(st.lists(st.sampled_from([*PIECES, " ", "\n"]), max_size=16).map("".join))
def test_of_any_tags(text):
    with pytest.MonkeyPatch.context() as patch:
        compiled, pure = of(text.encode(), patch)
    assert compiled == pure
