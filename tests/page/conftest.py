"""A block table computed slowly: one page, one tag and one character after the other."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from victor.page.parsing.characters import JOINER, LINE_BREAK, SPACE, class_table
from victor.page.parsing.events import CLOSE, OPEN_WITH_ATTRIBUTES, TAG_BASE, record
from victor.page.parsing.tags import NAMES, SPLITTING, VOID
from victor.page.table.segment import segment

LAST_TAG = TAG_BASE + 3 * len(NAMES)
UNSEEN = "\xad\u200b\u2060\ufeff"
SPACES, JOINERS = (
    frozenset(map(chr, (class_table() == kind).nonzero()[0].tolist())) for kind in (SPACE, JOINER)
)
BREAK = chr(LINE_BREAK)
SHAPERS = frozenset("\u180e\u200c\u200d").union(
    *(map(chr, range(first, last + 1)) for first, last in (
        (0xFE00, 0xFE0F), (0x13430, 0x13438), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    ))
)  # fmt: skip
NO_SPACES = "[\x0b\x0c\x1c-\x1e\x85\u2028\u2029\ue000-\uf8ff\U000f0000-\U0010ffff]"


@dataclass
class Element:
    """One element; `parent` is its number, its own for the root; `tag` ordinal where it opens."""

    name: str
    parent: int
    depth: int
    tag: int
    bundle: int


@dataclass
class Run:
    """The text after one tag: which tag, in which elements (outermost first), and the text."""

    tag: int
    path: tuple[int, ...]
    text: str = ""


@dataclass
class Page:
    """One page: the names of its tags, its elements, and all runs of text."""

    names: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)

    def inside(self, run, names):
        return [number for number in run.path if self.elements[number].name in names]

    def segments(self):
        return [run for run in self.runs if set(run.text) - SPACES - JOINERS]

    def blocks(self, split):
        """Lists of segments."""
        found = []
        for run in self.segments():
            between = self.names[found[-1][-1].tag + 1 : run.tag + 1] if found else []
            cut = split == "tag" or SPLITTING & set(between) or between.count("br") >= 2
            if cut or not found:
                found.append([run])
            else:
                found[-1].append(run)
        return found

    def text(self, block):
        """Text of the segments of a block and of all that stands between them."""
        first, last = block[0].tag, block[-1].tag
        raw = strip("".join(trim(run.text) for run in self.runs[first : last + 1]), SPACES)
        if self.inside(block[0], ("pre", "listing")):
            return re.sub(NO_SPACES, " ", raw.replace(BREAK, "\n"))
        return collapse(raw)


def strip(text, unwanted):
    """Text without unwanted characters at its ends."""
    wanted = [at for at, c in enumerate(text) if c not in unwanted]
    return text[wanted[0] : wanted[-1] + 1] if wanted else ""


def trim(text):
    """Text without joiners after white space, at its start and after its last visible character.

    There, those that shape the character stay.
    """
    end = len(text.rstrip("".join(SPACES | JOINERS)))
    kept = []
    for at, character in enumerate(text):
        loose = not kept or kept[-1] in SPACES or (at >= end and character not in SHAPERS)
        if character not in JOINERS or not loose:
            kept.append(character)
    return "".join(kept)


def collapse(text):
    """One space for a run of white space, a newline for one with a line break."""
    pieces, white = [], ""
    for character in text:
        if character in SPACES:
            white = "\n" if character == BREAK or white == "\n" else " "
        else:
            pieces.append(white + character)
            white = ""
    return "".join(pieces)


def walk(codes, *, pre_lines, alt_text):
    """The page that a balanced stream of codes describes."""
    page, stack, codes = Page(), [], iter(codes.tolist())
    for code in codes:
        in_pre = any(page.elements[number].name in ("pre", "listing") for number in stack)
        if TAG_BASE <= code < LAST_TAG:
            number, kind = divmod(code - TAG_BASE, 3)
            name = NAMES[number]
            bundle = next(codes) - 0x10000 if kind == OPEN_WITH_ATTRIBUTES else -1
            void = name in VOID and not (alt_text and name == "img")
            if kind == CLOSE:
                stack.pop()
            elif not void:
                parent = stack[-1] if stack else len(page.elements)
                page.elements.append(Element(name, parent, len(stack), len(page.names), bundle))
                stack.append(len(page.elements) - 1)
            step = 0 if void else -1 if kind == CLOSE else 1
        elif chr(code) == "\n" and in_pre and pre_lines:
            name, step = "br", 0
        else:
            # No character of the fuzzed pages is of a script without spaces.
            page.runs[-1].text += chr(code) if chr(code) not in UNSEEN else ""
            continue
        page.names.append(name)
        page.steps.append(step)
        page.runs.append(Run(len(page.names) - 1, tuple(stack)))
    return page


@pytest.fixture(scope="session")
def cut():
    """Function: pages to a block table and the same pages cut slowly."""

    def both(pages, split="tag", *, alt_text=False, pre_lines=False):
        events = record([p.encode() if isinstance(p, str) else p for p in pages], alt_text=alt_text)
        starts = events.page_starts.tolist()
        slow = [
            walk(events.codes[a:b], pre_lines=pre_lines and split == "tag", alt_text=alt_text)
            for a, b in pairwise(starts)
        ]
        return segment(events, split, pre_lines=pre_lines), slow

    return both


LAST_TAG = TAG_BASE + 3 * len(NAMES)


def written(codes, bundles=()):
    """The codes of a page as markup without its root; a bundle as the values that are there."""
    pieces, at, codes = [], 0, codes.tolist()
    while at < len(codes):
        code = codes[at]
        if TAG_BASE <= code < LAST_TAG:
            number, kind = divmod(code - TAG_BASE, 3)
            values = []
            if kind == OPEN_WITH_ATTRIBUTES:
                at += 1
                values = [value for value in bundles[codes[at] - 0x10000] if value is not None]
            slash = "/" if kind == CLOSE else ""
            pieces.append("<" + slash + " ".join([NAMES[number], *values]) + ">")
        else:
            pieces.append("\n" if code == LINE_BREAK else chr(code))
        at += 1
    assert (pieces[0], pieces[-1]) == ("<#page>", "</#page>")
    return "".join(pieces[1:-1])


@pytest.fixture(scope="session")
def streams():
    """Function: pages to the event stream of each, written as markup."""

    def stream(*pages, **options):
        found = record([p.encode() if isinstance(p, str) else p for p in pages], **options)
        return [
            written(found.codes[a:b], found.bundles)
            for a, b in pairwise(found.page_starts.tolist())
        ]

    return stream
