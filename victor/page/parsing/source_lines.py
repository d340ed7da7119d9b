"""Lines of the source: their characters of text and of markup, and their numbers in the text.

The parser does not say where in the source a text stands. So every run of text is given the number
of its line, written in white space, before the page is parsed; afterwards the numbers are taken
out again. White space in front of a text changes nothing else, wherever the parser reads it.

Source: S. Pal (2009), Extracting Useful Text from HTML, the density filter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from victor.base.arrays import Bools, Ints, ReadOnlyColumns, prefix_sums
from victor.page.parsing.characters import LINE_BREAK
from victor.page.parsing.events import ATTRIBUTES, OPEN, TAG_BASE, Events, record
from victor.page.parsing.heads import Head
from victor.page.parsing.tags import IDS, LINE, SPLITTING, member_mask

_PROLOG: Final = re.compile(rb"(?>\s+|<!--.*?-->|<\?[^>]*>|<![^->][^>]*>)*+", re.DOTALL)
_LESS, _GREATER, _NEWLINE, _SPACE, _TAB = b"<>\n \t"


class SourceLines(ReadOnlyColumns):
    """The lines of the sources of P pages that hold more than white space; L lines."""

    page_starts: Ints  # (P + 1,) int64 first line of each page
    text: Ints  # (L,) int64 characters outside markup, without white space at the ends
    markup: Ints  # (L,) int64 characters inside markup
    of_tag: Ints  # (M,) int64 line of every line tag (`victor.page.parsing.tags.LINE`), in order


class NumberedPage(Struct, frozen=True, eq=False):
    """The source of one page with the numbers of its lines.

    Attributes:
        markup: its bytes; every run of text begins with a number in white space.
        bits: bits of a number.
        opening: line in which anything but comments and declarations begins; the parser skips all
            white space before it.
        text, markup_length: (K,) int64 characters of each of its lines, as in `SourceLines`.
    """

    markup: bytes
    bits: int
    opening: int
    text: Ints
    markup_length: Ints

    def without_numbers(self, text: str) -> str:
        """A text of the page as it stands in the source."""
        return _number_pattern(self.bits).sub("", text)

    def pieces(self, text: str, line: int) -> list[tuple[int, str]]:
        """A text of the page cut at its numbers: (line, text), the first one in a given line."""
        first, *rest = _number_pattern(self.bits).split(text)
        numbers = [_number(digits, len(self.text)) for digits in rest[::2]]
        return [(line, first), *zip(numbers, rest[1::2], strict=True)]

    def extract(self, codes: NDArray[np.uint32], tag: int) -> tuple[NDArray[np.uint32], Ints]:
        """Take the numbers out of the codes of the parsed page.

        Args:
            codes: (N,) uint32 codes of text and tags, those of the page around them included.
            tag: code that is put where the page or another line begins.

        Returns:
            The codes, and (M,) the line that begins at each such place.
        """
        width = 2 * self.bits
        at = np.flatnonzero(codes[: max(len(codes) - width, 0)] == _NEWLINE)
        number = np.zeros(len(at), dtype=np.int64)
        # One bit of all numbers after the other: what is no number drops out early.
        for bit in range(self.bits):
            first, second = codes[at + (2 * bit + 1)], codes[at + (2 * bit + 2)]
            is_one = (first == _TAB) & (second == _SPACE)
            is_digit = is_one | ((first == _SPACE) & (second == _TAB))
            at, number = at[is_digit], 2 * number[is_digit] + is_one[is_digit]
        # A text that looks like a number and is none could be of a line that is not there.
        number = np.minimum(number, max(len(self.text) - 1, 0))
        new = np.diff(number, prepend=self.opening) != 0
        stays = np.ones(len(codes), dtype=bool)
        for shift in range(width + 1):
            stays[at + shift] = False
        stays[at[new]] = True
        tagged = codes.copy()
        tagged[at[new]] = tag
        return np.insert(tagged[stays], 1, tag), np.append(self.opening, number[new])


def number_lines(markup: bytes) -> NumberedPage:
    """Count the characters of every line of a page, and write its number before its texts.

    A line is trimmed, and one without anything is none. Between ``<`` and ``>`` is markup; every
    line begins outside, and the brackets count as neither. So text of scripts is text, and the
    second line of a tag or comment is text up to its ``>``.

    Args:
        markup: UTF-8 bytes; ends of lines may be of any system.
    """
    markup = markup.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    codes = np.frombuffer(markup, dtype=np.uint8)
    is_bracket = (codes == _LESS) | (codes == _GREATER)
    edges = np.flatnonzero(is_bracket | (codes == _NEWLINE))
    inside = np.repeat(
        np.append(False, codes[edges] == _LESS), np.diff(edges, prepend=0, append=len(codes))
    )
    solid = codes > _SPACE
    start, stop = _trimmed(codes, solid)
    is_character = ((codes & 0xC0) != 0x80) & ~is_bracket
    is_text = is_character & ~inside
    bits = max(len(start).bit_length(), 1)
    first, line = _text_runs(is_text & solid, edges, start)
    return NumberedPage(
        markup=_with_numbers(codes, first, line, bits),
        bits=bits,
        opening=max(int(np.searchsorted(start, _opening(markup), side="right")) - 1, 0),
        text=_trimmed_length(is_text, solid, start, stop),
        markup_length=np.diff(prefix_sums(is_character & inside)[np.stack([start, stop])], axis=0)[
            0
        ],
    )


def _opening(markup: bytes) -> int:
    """Where anything but white space, comments and declarations begins."""
    prolog = _PROLOG.match(markup)
    return prolog.end() if prolog else 0


def _trimmed(codes: NDArray[np.uint8], solid: Bools) -> tuple[Ints, Ints]:
    """(K,) where each line that is not empty begins and ends without its white space."""
    newlines = np.flatnonzero(codes == _NEWLINE)
    n_solid = prefix_sums(solid)
    before = n_solid[np.append(0, newlines)]
    after = n_solid[np.append(newlines, len(codes))]
    filled = after > before
    solid_at = np.flatnonzero(solid)
    return solid_at[before[filled]], solid_at[after[filled] - 1] + 1


def _trimmed_length(is_text: Bools, solid: Bools, start: Ints, stop: Ints) -> Ints:
    """(K,) characters of text of each line from the first that is no white space to the last."""
    visible = is_text & solid
    n_visible, visible_at = prefix_sums(visible), np.append(np.flatnonzero(visible), 0)
    first, last = visible_at[n_visible[start]], visible_at[n_visible[stop] - 1]
    n_text = prefix_sums(is_text)
    return np.where(n_visible[stop] > n_visible[start], n_text[last + 1] - n_text[first], 0)


def _text_runs(visible: Bools, edges: Ints, start: Ints) -> tuple[Ints, Ints]:
    """Where each run of text between brackets and ends of lines begins, and in which line."""
    visible_at = np.flatnonzero(visible)
    run = np.searchsorted(edges, visible_at)
    first = visible_at[np.diff(run, prepend=-1) != 0]
    return first, np.searchsorted(start, first, side="right") - 1


def _with_numbers(codes: NDArray[np.uint8], first: Ints, line: Ints, bits: int) -> bytes:
    """The page with numbers of lines at some places: a newline, and two characters for a bit."""
    width = 2 * bits + 1
    is_one = (line[:, None] >> np.arange(bits - 1, -1, -1)) & 1 > 0
    digits = np.where(
        is_one[..., None],
        np.array([_TAB, _SPACE], dtype=np.uint8),
        np.array([_SPACE, _TAB], dtype=np.uint8),
    )
    numbers = np.full((len(line), width), _NEWLINE, dtype=np.uint8)
    numbers[:, 1:] = digits.reshape(len(line), 2 * bits)
    step = np.zeros(len(codes) + numbers.size + 1, dtype=np.int8)
    begin = first + width * np.arange(len(first))
    step[begin] += 1
    step[begin + width] -= 1
    is_number = np.cumsum(step[:-1], dtype=np.int8) > 0
    numbered = np.empty(len(is_number), dtype=np.uint8)
    numbered[is_number], numbered[~is_number] = numbers.ravel(), codes
    return numbered.tobytes()


def _number_pattern(bits: int) -> re.Pattern[str]:
    """A number in white space; its only group is the digits."""
    return re.compile(rf"\n((?: \t|\t ){{{bits}}})")


def _number(digits: str, n_lines: int) -> int:
    """The number that digits write; one that looks like a number and is none is of some line."""
    number = int("".join("1" if first == "\t" else "0" for first in digits[::2]), 2)
    return min(number, max(n_lines - 1, 0))


# --- Events of pages whose blocks end with these lines --------------------------------------------

LINE_CODE: Final = TAG_BASE + 3 * IDS[LINE] + OPEN
"""Code of the tag that stands where the page or a text of another line begins."""


def record_lines(pages: Iterable[bytes], *, attributes: tuple[str, ...] = ATTRIBUTES) -> Events:
    """Events of a batch of pages given as UTF-8 bytes, with the lines of their sources.

    They are those of `victor.page.parsing.events.record` but for line tags, and for a line break
    before every block-level tag: it parts words of one block, which may lie in several elements
    here. Values of attributes that go over lines have more white space in them.
    """
    numbered = [number_lines(page) for page in pages]
    events = record([page.markup for page in numbered], attributes=attributes)
    spans = pairwise(events.page_starts.tolist())
    extracted = [
        page.extract(events.codes[a:b], LINE_CODE)
        for page, (a, b) in zip(numbered, spans, strict=True)
    ]
    codes = [_with_breaks(page_codes) for page_codes, _ in extracted]
    return structs.replace(
        events,
        codes=np.concatenate([np.zeros(0, dtype=np.uint32), *codes]),
        page_starts=np.cumsum([0, *map(len, codes)], dtype=np.int64),
        heads=tuple(map(_plain_head, events.heads, numbered)),
        lines=_joined(numbered, [numbers for _, numbers in extracted]),
    )


def _with_breaks(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Codes of a page with a line break before every block-level tag."""
    tag = (codes - np.uint32(TAG_BASE)) // 3
    splits = np.append(member_mask(SPLITTING), False)[np.minimum(tag, len(member_mask(SPLITTING)))]
    return np.insert(codes, np.flatnonzero(splits)[1:], np.uint32(LINE_BREAK))


def _plain_head(head: Head, page: NumberedPage) -> Head:
    """What a page declares, without the numbers of lines; other ordinals of tags do not hold."""
    plain = page.without_numbers
    return structs.replace(
        head,
        meta={name: plain(value) for name, value in head.meta.items()},
        metas=tuple((name, plain(value)) for name, value in head.metas),
        links=tuple(link._replace(href=plain(link.href)) for link in head.links),
        json_ld=tuple(map(plain, head.json_ld)),
        times=(),
        tables=tuple(
            (tag, {name: plain(value) for name, value in said.items()}) for tag, said in head.tables
        ),
    )


def _joined(numbered: list[NumberedPage], numbers: list[Ints]) -> SourceLines:
    """The lines of all pages."""
    starts = np.cumsum([0, *(len(page.text) for page in numbered)], dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    return SourceLines(
        page_starts=starts,
        text=np.concatenate([none, *(page.text for page in numbered)]),
        markup=np.concatenate([none, *(page.markup_length for page in numbered)]),
        of_tag=np.concatenate([none, *map(np.add, numbers, starts.tolist())]),
    )
