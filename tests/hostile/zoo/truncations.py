"""Pages that end where no page should."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hostile.zoo.inputs import ANY, Group, Times
from hostile.zoo.texts import CZECH, page_text

GROUP: Final = Group("truncations")

_WHOLE: Final = page_text(
    CZECH.markup + '<p class="last">Konec &amp; <b>hotovo</b> <!-- pozn. --> dál</p>',
    '<meta charset="utf-8"><link rel="icon" href="x">',
    "cs",
).encode()


def _until(mark: bytes, more: int = 0, *, last: bool = False) -> Callable[[Times], bytes]:
    """The page up to some mark and a few bytes of what follows."""
    where = _WHOLE.rindex(mark) if last else _WHOLE.index(mark)
    return lambda n: _WHOLE[: where + more]


_BEFORE: Final = {
    "type": _until(b"<!DOCTYPE", 6), "root": _until(b"<html", 3), "head": _until(b"<meta", 9),
    "script": _until(b"var hidden", 14), "style": _until(b"<style>", 9),
    "menu": _until(b"/about", 3), "article": _until(b"<article", 5),
}  # fmt: skip
"""Cut before the article."""
_BEHIND: Final = {
    "start-tag": _until(b'<p class="last"', 2), "attribute": _until(b'class="last"', 8),
    "quote": _until(b'class="last"', 6), "entity": _until(b"&amp;", 3), "inline": _until(b"<b>", 4),
    "comment": _until(b"<!-- pozn", 6), "comment-start": _until(b"<!-- pozn", 3),
    "end-tag": _until(b"</p>", 3, last=True), "less-than": _until(b"</p>", 1, last=True),
    "address": _until(b'href="/priv', 9), "footer": _until(b"<footer", 4),
    "last-tag": _until(b"</html>", 6), "character": _until(b"hotovo", 2),
}  # fmt: skip
"""Cut behind it."""
for _name, _build in _BEFORE.items():
    GROUP.add(_name, _build, key=None, language="cs", expected=ANY)
for _name, _build in _BEHIND.items():
    GROUP.add(_name, _build, key=CZECH.key, language="cs")

_SCALED: Final = 200
for _part in range(1, 8):
    GROUP.add(
        f"at-{_part}-eighths",
        lambda n, part=_part: (_WHOLE * n(_SCALED))[: len(_WHOLE) * n(_SCALED) * part // 8 - 1],
        key=None, language="cs", expected=ANY,
    )  # fmt: skip
GROUP.add(
    "in-a-character",
    lambda n: _WHOLE[: _WHOLE.index("ž".encode(), _WHOLE.index(b"Vypr")) + 1]
    if b"Vypr" in _WHOLE else _WHOLE,
    key=CZECH.key, language="cs",
)  # fmt: skip
GROUP.add(
    "first-half-missing",
    lambda n: _WHOLE[_WHOLE.index(b"<h1>") + 2 :],
    key=CZECH.key,
    language="cs",
)
