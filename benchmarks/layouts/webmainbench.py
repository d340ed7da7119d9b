"""WebMainBench (Liu et al. 2025): JSON Lines of pages whose content annotators selected.

All text in an element with `cc-select="true"` is content, all other text is not; selected text that
`display: none` hides is don't-care. The annotation tool left more behind, which a model must not
read: identifiers, a class, empty styles, wrappers around texts. They are taken out. A page without
a selection counts only where its row says that it has no content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

from layouts import GoldPage, UnusableError

VOID: Final = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()
)
INLINE: Final = frozenset(
    "a abbr b cite code em font i mark q s small span strong sub sup u".split()
)
"""Elements that do not end a line of the gold text."""
HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
GOLDS: Final = ("main_html", "convert_main_content", "groundtruth_content")
TAG: Final = re.compile(r"""</?[a-z](?:[^>"']|"[^"]*"|'[^']*')*>""", re.IGNORECASE)
WRAPPER: Final = re.compile(r"</?(?:marked-(?:text|tail|inline)|cc-alg-uc-text)\b", re.IGNORECASE)
TRACE: Final = re.compile(
    r"""\s(?:(?:cc-[\w-]+|_item_id|data-anno-uid)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))?"""
    r"""|(?:class|style)=(?:""|''))""",
    re.IGNORECASE,
)
SELECTED_CLASS: Final = re.compile(
    r"""(\sclass=["'][^"']*?)\s*(?<![\w-])mark-selected(?![\w-])""", re.IGNORECASE
)


class Texts(HTMLParser):
    """The texts of a page with their labels, and the text that is selected."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[tuple[str, bool, bool]] = []  # name, is it selected, is it hidden
        self.blocks: list[tuple[str, str]] = []
        self.gold = ""
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element; one inside a selected one is selected, too."""
        _, selected, hidden = self.open[-1] if self.open else ("", False, False)
        given = dict(attrs)
        is_hidden = not selected and "display:none" in (given.get("style") or "").replace(" ", "")
        selected = selected or given.get("cc-select") == "true"
        self._end_line(tag)
        if tag not in VOID:
            self.open.append((tag, selected, hidden or is_hidden))

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and what is open inside it."""
        self._end_line(tag)
        depth = max((n for n, (name, *_) in enumerate(self.open) if name == tag), default=None)
        if depth is not None:
            del self.open[depth:]

    def handle_data(self, data: str) -> None:
        """Label a text."""
        names = {name for name, *_ in self.open}
        if self.cdata_elem is not None or not data.strip() or "title" in names:
            return
        _, selected, hidden = self.open[-1] if self.open else ("", False, False)
        kept = "header" if names & HEADINGS else "text"
        label = ("ambiguous" if hidden else kept) if selected else "other"
        self.blocks.append((label, data))
        self.gold += data if label == kept else "\n"

    def _end_line(self, tag: str) -> None:
        if tag not in INLINE and not WRAPPER.match(f"<{tag}"):
            self.gold += "\n"


def pages(path: Path) -> Iterator[GoldPage | UnusableError]:
    """The pages of the rows of a file."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield page(json.loads(line))
            except (UnusableError, ValueError, KeyError) as error:
                yield UnusableError(f"{path}, line {number}: {error}")


def page(row: dict[str, Any]) -> GoldPage:
    """The page of a row.

    Raises:
        UnusableError: nothing is selected though there is content, or a mark cannot be taken out.
    """
    texts = Texts(row["html"])
    gold = "\n".join(" ".join(part.split()) for part in texts.gold.split("\n") if part.strip())
    if not gold and any(re.sub("<[^>]*>", "", row.get(key) or "").strip() for key in GOLDS):
        raise UnusableError("nothing that is visible is selected")
    html = TAG.sub(without_marks, row["html"])
    if "cc-select" in html:
        raise UnusableError("a mark cannot be taken out")
    meta = row.get("meta") or {}
    known = {
        "id": str(row.get("track_id") or row["id"]),
        "url": row.get("url"),
        "lang": meta.get("language"),
        "type": meta.get("style"),
        "licence": row.get("licence") or "Apache-2.0",
        "text": gold,
    }
    return GoldPage({**known, "level": meta.get("level")}, html.encode(), texts.blocks)


def without_marks(tag: re.Match[str]) -> str:
    """A tag without what the annotation tool wrote into it; nothing for its wrappers."""
    if WRAPPER.match(tag[0]):
        return ""
    return TRACE.sub("", SELECTED_CLASS.sub(r"\1", tag[0]))
