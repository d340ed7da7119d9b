"""Pages on the compiled and on the Python path: the same marginals, blocks, forms and errors."""

from __future__ import annotations

from typing import Final

from fuzz.targets import page
from victor.base import core
from victor.errors import PageError
from victor.render import RENDERERS

MOST_BYTES: Final = page.MOST_BYTES
seeds, words = page.seeds, page.words


def one(data: bytes) -> None:
    """Clean a page with one of the systems, which its length chooses, on both paths."""
    compiled = core.compiled
    assert compiled is not None, "the core is built"
    ours = _all(data)
    core.compiled = None
    try:
        wanted = _all(data)
    finally:
        core.compiled = compiled
    for what, value in wanted.items():
        assert ours.get(what) == value, f"{what} is the same"


def _all(data: bytes) -> dict[str, object]:
    """What is said of a page, by what it is."""
    try:
        result = page.cleaned(data)
    except PageError as error:
        return {"error": (error.reason, str(error))}
    return {
        "error": None,
        "marginals": result.marginals.tobytes(),
        "blocks": [(block.text, block.kept, block.reason, block.kind) for block in result.blocks],
        **{form: result.render(form) for form in RENDERERS},
    }
