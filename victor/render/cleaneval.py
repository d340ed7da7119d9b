"""The format of the CleanEval shared task: one marked line per paragraph, as in Victor 2008.

``<h>`` marks a header, ``<l>`` a list item, ``<p>`` any other paragraph; further blocks of a
paragraph follow without a mark.
"""

from __future__ import annotations

from victor.labels import Label
from victor.page.verdict import Verdict


def render(verdict: Verdict, page: int, *, url: str | None = None, **metadata: object) -> str:
    """The kept blocks of a page, after a ``URL:`` line if the address is known."""
    paragraphs = verdict.paragraphs
    span = paragraphs.page(page)
    lines = [] if url is None else [f"URL: {url}"]
    columns = zip(
        (verdict.labels[paragraphs.first_block[span]] == Label.HEADER).tolist(),
        paragraphs.opens_item[span].tolist(),
        paragraphs.texts(page),
        strict=True,
    )
    for is_header, opens_item, text in columns:
        mark = "h" if is_header else "l" if opens_item else "p"
        lines.append(f"<{mark}>{' '.join(text.split())}")
    return "".join(line + "\n" for line in lines)
