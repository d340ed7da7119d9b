"""A block table computed slowly: one page, one tag and one character after the other."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from tests.oracles import items
from victor.page.parsing.characters import JOINER, LINE_BREAK, SPACE, class_table
from victor.page.parsing.events import record
from victor.page.parsing.tags import SPLITTING, VOID

UNSEEN = "\xad\u200b\u2060\ufeff"
SPACES, JOINERS = (
    frozenset(map(chr, (class_table() == kind).nonzero()[0].tolist())) for kind in (SPACE, JOINER)
)
BREAK = chr(LINE_BREAK)
SHAPERS = re.compile("[\u180e\u200c\u200d\ufe00-\ufe0f\U00013430-\U00013438\U0001bca0-\U0001bca3"
                     "\U0001d173-\U0001d17a]")  # fmt: skip
NO_SPACES = "[\x0b\x0c\x1c-\x1e\x85\u2028\u2029\ue000-\uf8ff\U000f0000-\U0010ffff]"
PRE = ("pre", "listing")


class Element(NamedTuple):
    """One element; `parent` is its number, its own for a root; `open` the number of its tag."""

    name: str
    parent: int
    depth: int
    open: int


@dataclass
class Run:
    """The text after one tag: of which page and tag, in which elements, outermost first."""

    page: int
    tag: int
    path: tuple[int, ...]
    text: str = ""


class Walk:
    """Pages cut slowly; tags and elements are numbered through the batch, runs follow each tag."""

    def __init__(self, pages, split="tag", *, alt_text=False, pre_lines=False):
        self.tags, self.elements, self.runs, self.roots = [], [], [], []
        self._open, self._alt_text = [], alt_text
        has_lines = pre_lines and split == "tag"
        for number, page in enumerate(items(record(pages, alt_text=alt_text))):
            self.roots.append(len(self.elements))
            for item in page:
                if not isinstance(item, str):
                    self._tag(number, *item[:2])
                elif item == "\n" and has_lines and self.inside(self.runs[-1], PRE):
                    self._tag(number, "br", False)
                else:
                    # No character of the fuzzed pages is of a script without spaces.
                    self.runs[-1].text += item if item not in UNSEEN else ""
        self.segments = [run for run in self.runs if set(run.text) - SPACES - JOINERS]
        self.blocks = []
        for run in self.segments:
            if not self.blocks or split == "tag" or self._parted(self.blocks[-1][-1], run):
                self.blocks.append([])
            self.blocks[-1].append(run)

    def _tag(self, page, name, is_end):
        is_void = name in VOID and not (self._alt_text and name == "img")
        if is_end:
            self._open.pop()
        elif not is_void:
            number, depth = len(self.elements), len(self._open)
            parent = self._open[-1] if depth else number
            self.elements.append(Element(name, parent, depth, len(self.tags)))
            self._open.append(number)
        self.tags.append((name, 0 if is_void else -1 if is_end else 1))
        self.runs.append(Run(page, len(self.tags) - 1, tuple(self._open)))

    def _parted(self, before, run):
        between = [name for name, _ in self.tags[before.tag + 1 : run.tag + 1]]
        return before.page != run.page or SPLITTING & {*between} or between.count("br") >= 2

    def inside(self, run, names):
        """Those of some names among the elements around a run."""
        return [number for number in run.path if self.elements[number].name in names]

    def text(self, block):
        """Text of the segments of a block and of all that stands between them."""
        runs = self.runs[block[0].tag : block[-1].tag + 1]
        raw = "".join(trim(run.text) for run in runs).strip("".join(SPACES))
        if self.inside(block[0], PRE):
            return re.sub(NO_SPACES, " ", raw.replace(BREAK, "\n"))
        return collapse(raw)


def trim(text):
    """Text without joiners after white space, at its start and after its last visible character.

    There, those that shape the character stay.
    """
    end = len(text.rstrip("".join(SPACES | JOINERS)))
    kept = []
    for at, character in enumerate(text):
        loose = not kept or kept[-1] in SPACES or (at >= end and not SHAPERS.match(character))
        if character not in JOINERS or not loose:
            kept.append(character)
    return "".join(kept)


def collapse(text):
    """One space for a run of white space, a newline for one with a line break."""
    white = f"[{re.escape(''.join(SPACES))}]+"
    return re.sub(white, lambda run: "\n" if BREAK in run[0] else " ", text)


def written(events):
    """Each page as markup without its root; a bundle as the values that are there."""

    def of_item(item):
        if isinstance(item, str):
            return "\n" if item == BREAK else item
        name, is_end, bundle = item
        values = [value for value in bundle or () if value is not None]
        return "<" + "/" * is_end + " ".join([name, *values]) + ">"

    return ["".join(map(of_item, page[1:-1])) for page in items(events)]


def streams(*pages, **options):
    """The event stream of each page, written as markup."""
    return written(record([page.encode() for page in pages], **options))
