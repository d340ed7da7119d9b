"""The kept text of a page as passages: runs of text between block-level tags, and their context.

What rules remove from passages goes to an archive; marks at their ends become those of sentences.

Source: Falco, Moriceau, Vilnat (2012), Kitten, sections 3.2.3 and 3.3, of these marks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.kitten.settings import Settings
from victor.page.allowance import Allowance
from victor.page.markup.full_record import Item, Kind, Markup
from victor.page.parsing.tags import SPLITTING, VOID
from victor.page.verdict.paragraphs import ITEMS, LISTS
from victor.tables.leaf_tables import visible_texts

NONE: Final = -1
_ABBREVIATIONS: Final = frozenset({"abbr", "acronym"})
_PRE: Final = frozenset({"pre", "listing"})
_WATCHED: Final = LISTS | ITEMS | _PRE | frozenset({"table", "a", "option", "div"})
_BREAKS_THAT_SPLIT: Final = 2
_SPACE: Final = re.compile(r"[\s\u200b\x00-\x1f\x7f-\x9f]+")
_SPACE_IN_LINE: Final = re.compile(r"[^\S\n]+|[\u200b\x00-\x09\x0b-\x1f\x7f-\x9f]+")
_ENDS: Final = " \n\u00ad\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Characters that show nothing at the ends of a text: white space, and joiners."""
_AROUND_BREAK: Final = re.compile(r" ?\n[ \n]*")
"""With single spaces, as they are before a break by then."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Text without a block-level tag inside it; tags are positions in the items of the page."""

    text: str  # white space is one space, or one newline for a ``<br>``; all newlines in ``<pre>``
    words: int = 0  # without those of the titles of abbreviations
    link_words: int = 0  # how many of these are in links
    inner_list: int = NONE  # start tag of the innermost list around it
    outer_list: int = NONE  # start tag of the outermost list around it
    list_depth: int = 0  # how many lists are around it
    item: int = NONE  # start tag of the innermost list item around it
    is_term: bool = False  # that item is a ``<dt>``
    table: int = NONE  # start tag of the innermost table around it
    is_pre: bool = False  # its lines stay as they are
    is_finished: bool = False  # the text is one sentence, which no later rule changes


def shown_texts(full: Markup, segments: Ints, kept: Bools, *, expand: bool) -> list[str]:
    """What each item of a page adds to the text around it; dropped text becomes a space.

    Args:
        full: the page.
        segments: (len(full.items),) segment that every text is, -1 for none.
        kept: (S,) bool; which segments are kept.
        expand: add the titles of ``<abbr>`` and ``<acronym>`` in brackets, at the end tags.
    """
    texts = visible_texts(full)
    for position in np.flatnonzero(~np.append(kept, True)[segments]).tolist():
        texts[position] = " "
    if full.alt_text:
        _hide_unread(full.items, segments, texts)
    if expand:
        _expand(full.items, texts)
    return texts


def _hide_unread(items: Sequence[Item], segments: Ints, texts: list[str]) -> None:
    """Take away alternative texts that the table was made without; edits `texts`."""
    for position in np.flatnonzero(segments == NONE).tolist():
        if items[position].kind is Kind.START and texts[position].strip():
            texts[position] = ""


def _expand(items: Sequence[Item], texts: list[str]) -> None:
    start, title = NONE, ""
    for position, item in enumerate(items):
        if item.dropped or item.text not in _ABBREVIATIONS:
            continue
        if item.kind is Kind.START:
            start, title = position, " ".join(item.attributes.get("title", "").split())
        elif item.kind is Kind.END:
            short = " ".join("".join(texts[start:position]).split()) if start != NONE else ""
            if short and title and short.casefold() != title.casefold():
                texts[position] = f" ({title})"
            start = NONE


def read(
    items: Sequence[Item],
    texts: list[str],
    rules: Settings,
    removals: Removals,
    allowance: Allowance,
) -> list[Passage]:
    """The passages of a page, in order.

    Args:
        items: the full record of the page.
        texts: what each item adds; those that the rules drop are emptied here.
        rules: which elements are dropped.
        removals: receives the dropped texts.
        allowance: what the page may take.
    """
    reader = _Reader(rules, removals)
    for position, item in enumerate(allowance.over(items)):
        if not item.dropped and reader.take(position, item, texts[position]):
            texts[position] = ""
    reader.flush()
    return reader.passages


class _Reader:
    def __init__(self, rules: Settings, removals: Removals) -> None:
        self.passages: list[Passage] = []
        self._rules, self._removals = rules, removals
        self._pieces: list[str] = []
        self._linked: list[str] = []
        self._added = 0
        self._breaks = 0
        self._open: dict[str, list[int]] = {name: [] for name in _WATCHED}
        self._lists: list[int] = []
        self._items: list[tuple[int, str]] = []
        self._menus: list[bool] = []
        self._n_menus = 0

    def take(self, position: int, item: Item, text: str) -> bool:
        """Read one item; returns whether a rule drops its text."""
        if item.kind is Kind.START:
            self._start(position, item)
        elif item.kind is Kind.END and (item.text in SPLITTING or item.text == "option"):
            self.flush()
        self._add(text, is_title=item.kind is Kind.END)
        is_dropped = bool(text) and self._dropping() != ""
        if item.kind is Kind.END:
            self._end(item.text)
        return is_dropped

    def flush(self) -> None:
        """End the passage; what is dropped goes to the archive."""
        joined = "".join(self._pieces)
        text = _AROUND_BREAK.sub("\n", re.sub(" +", " ", joined)).strip(_ENDS)
        if text and (rule := self._dropping()):
            self._removals.add(rule, text)
        elif text:
            self.passages.append(self._passage(text))
        self._pieces, self._linked, self._breaks, self._added = [], [], 0, 0

    def _passage(self, text: str) -> Passage:
        item, name = self._items[-1] if self._items else (NONE, "")
        table = self._open["table"]
        return Passage(
            text,
            words=count_words(text) - self._added,
            link_words=count_words("".join(self._linked)),
            inner_list=self._lists[-1] if self._lists else NONE,
            outer_list=self._lists[0] if self._lists else NONE,
            list_depth=len(self._lists),
            item=item,
            is_term=name == "dt",
            table=table[-1] if table else NONE,
            is_pre=self._is_pre(),
        )

    def _dropping(self) -> str:
        if self._rules.sentences_drop_options and self._open["option"]:
            return "option"
        return "menu" if self._rules.sentences_drop_menus and self._n_menus else ""

    def _is_pre(self) -> bool:
        return any(self._open[name] for name in _PRE)

    def _start(self, position: int, item: Item) -> None:
        name = item.text
        if name in SPLITTING or "-" in name or name == "option":
            self.flush()
        if name == "br":
            self._break()
        if name in VOID or name not in _WATCHED:
            return
        self._open[name].append(position)
        if name in LISTS:
            self._lists.append(position)
        elif name in ITEMS:
            self._items.append((position, name))
        elif name == "div":
            self._menus.append("menu" in item.attributes.get("id", "").lower())
            self._n_menus += self._menus[-1]

    def _end(self, name: str) -> None:
        if "-" in name:
            self.flush()
        if name not in _WATCHED or not self._open[name]:
            return
        self._open[name].pop()
        if name in LISTS:
            self._lists.pop()
        elif name in ITEMS:
            self._items.pop()
        elif name == "div":
            self._n_menus -= self._menus.pop()

    def _break(self) -> None:
        """Add a newline for a ``<br>``; two in a row end the passage."""
        self._breaks += 1
        if self._breaks >= _BREAKS_THAT_SPLIT:
            self.flush()
        else:
            self._pieces.append("\n")

    def _add(self, text: str, *, is_title: bool) -> None:
        if not text:
            return
        piece = (_SPACE_IN_LINE if self._is_pre() else _SPACE).sub(" ", text)
        if piece.strip():
            self._breaks = 0
        self._pieces.append(piece)
        if is_title:
            self._added += count_words(piece)
        elif self._open["a"]:
            self._linked.append(piece)
        elif self._linked:
            self._linked.append(" ")


# --- What rules remove ----------------------------------------------------------------------------

_WORD: Final = re.compile(r"[^\W_]+(?:['’.,:/-]?[^\W_]+)*")
_RUN: Final = re.compile(r"[^\W_]+")


class Removal(NamedTuple):
    """One text that is not in the output."""

    rule: str  # link-item, bullet, option, menu, or table with the reason that its reader gives
    text: str


@dataclass
class Removals:
    """What rules removed from a page, in order of removal."""

    entries: list[Removal] = field(default_factory=list)

    def add(self, rule: str, text: str) -> None:
        """Archive a text."""
        self.entries.append(Removal(rule, text))

    def rows(self) -> Iterator[dict[str, Any]]:
        """The entries as plain data, one row per text."""
        for entry in self.entries:
            yield {"rule": entry.rule, "text": entry.text, "words": count_words(entry.text)}


def count_words(text: str) -> int:
    """Number of words: letters and digits, joined by marks as in ``o'clock`` or 3.14."""
    return sum(1 for _ in _WORD.finditer(text))


def words_of(text: str) -> Counter[str]:
    """Runs of letters and digits, and how often each occurs."""
    return Counter(_RUN.findall(text))


# --- Marks at the ends of texts -------------------------------------------------------------------

_STOPS: Final = (".", "?", "!", "…", "。", "！", "？", "।", "۔", "؟")
_SEPARATORS: Final = ",;:،؛，；：、"
_PAUSES: Final = (",", ";", "،", "؛", "，", "；")
_QUOTES: Final = "\"'”’»“›"
_CLOSING: Final = _QUOTES + ")]} "  # quotes and brackets; the mark before them ends the text


def with_stop(text: str) -> str:
    """A block of text that ends as a sentence does.

    A comma or semicolon at its end becomes a full stop, a colon stays: it announces what follows.
    """
    if _ends(text, (*_STOPS, ":")):
        return text
    return (text.rstrip(";, ") if text.endswith((",", ";")) else text) + "."


def as_sentence(text: str) -> str:
    """A text that is a sentence by itself, such as a long item of a list or a row of a table.

    A final mark stays. Marks that separate, the colon too, become a full stop; brackets and dashes
    stay before it. A text without letters or digits stays as it is.
    """
    return text if _ends(text, _STOPS) else text.rstrip(_SEPARATORS + " ") + "."


def as_part(text: str, *, after_colon: bool = False) -> str:
    """A text that another one follows in the same sentence.

    It keeps a full stop, question or exclamation mark, semicolon or comma; else it gets a comma,
    in the place of a colon or, if asked, after it.
    """
    if text.rstrip(_QUOTES).endswith((*_STOPS, *_PAUSES)):
        return text
    return (text if after_colon else text.rstrip(":： ")) + ","


def _ends(text: str, marks: tuple[str, ...]) -> bool:
    return text.rstrip(_CLOSING).endswith(marks) or not any(map(str.isalnum, text))
