"""Groups of the names that authors give to elements: ``commentList`` is of the group of comments.

A name is a class, an id, or a value of role, itemprop or itemtype. It is cut into words at
whatever is no letter, and before a capital after a small letter. All names of a batch are cut,
hashed and looked up at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Hashes, Ints
from victor.base.errors import FeatureError
from victor.base.files import package_folder
from victor.base.lazy import cached_property
from victor.config import plain_yaml
from victor.page.parsing import characters as ch
from victor.page.parsing.tags import member_mask
from victor.page.table.hashes import GOLDEN, Known, mixed, span_hashes

if TYPE_CHECKING:
    from victor.page.table.blocks import BlockTable

ATTRIBUTES: Final = ("class", "id", "role", "itemprop", "itemtype")
"""The attributes that hold names."""
MOST_GROUPS: Final = 64
_DEFINED: Final = ("role", "itemprop", "itemtype")
"""Attributes whose names a standard defines; each is a kind of its own."""
WHOLE_PAGE: Final = frozenset({"html", "body"})
"""Elements around everything, whose names say nothing of a part."""
_NEAR_LEVELS: Final = 3
_MAX_WORDS: Final = 4
"""Words in a row that a pattern may have, as core/names/name_groups.c has it."""
_END: Final = "\0"  # ends a value: no attribute can hold it, for the parser's strings end with it
_ALL: Final = (1 << MOST_GROUPS) - 1

Bits = NDArray[np.uint64]  # (2, ...) bits of groups, and of the parts of patterns with spaces


class NameGroups:
    """Patterns of names, by group.

    A pattern is one or more of these, separated by spaces, that an element has to have all:
    ``post-body`` is these words in a row within one name, ``=fade`` a whole name of class or id,
    ``role=search`` a whole name of one attribute, and ``!`` before one that the element must not
    have. Whole names are compared without case.

    Args:
        groups: patterns of each group, at most `MOST_GROUPS` groups.

    Raises:
        ValueError: a pattern has no word or names another attribute; too many groups.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p class='comment-list x'>a<p class='modal fade'>b<p class=fade>c"])
    >>> NameGroups([["comment"], ["modal =fade", "=fade !modal"]]).masks(table)
    array([1, 2, 2, 0], dtype=uint64)
    """

    def __init__(self, groups: Sequence[Iterable[str]]) -> None:
        if len(groups) > MOST_GROUPS:
            raise ValueError(f"{len(groups)} groups, at most {MOST_GROUPS} are possible")
        bits, self._together = _bits_of_parts(groups)
        words = _words([*bits]) if bits else []
        wholes: dict[tuple[str, str], int] = {}
        runs: dict[tuple[str, ...], int] = {}
        for (part, mask), named in zip(bits.items(), words, strict=True):
            kind, whole, name = _checked(part, named)
            if whole:
                wholes[kind, name] = wholes.get((kind, name), 0) | mask
                continue
            run = tuple(map(_singular, named))
            runs[run] = runs.get(run, 0) | mask
        self._wholes = _Wholes.of(wholes)
        self._runs = _Runs.of(runs)

    def masks(self, table: BlockTable) -> Hashes:
        """(B + 1,) one bit per group by bundle row, the first group lowest; 0 for row -1.

        Raises:
            FeatureError: the attributes that hold names were not recorded.
        """
        if not table.bundles:
            return np.zeros(1, dtype=np.uint64)
        if missing := {*ATTRIBUTES} - {*table.attributes}:
            raise FeatureError(
                f"attribute {min(missing)} was not recorded; declare it in the feature"
            )
        return core.array(core.compiled.name_groups(table.batch, self._patterns), np.uint64)

    @cached_property
    def _patterns(self) -> object:
        """What the core looks for."""
        return core.compiled.name_patterns(self.arrays())

    def arrays(self) -> tuple[Hashes, ...]:
        """The patterns as the core reads them."""
        runs, wholes = self._runs, self._wholes
        return (
            *_of_known(runs.first, runs.bits),
            *_of_known(runs.runs, runs.run_bits),
            *_of_known(wholes.known, wholes.bits),
            runs.longest[runs.first.number].astype(np.uint64),
            np.array([*map(_kind, ATTRIBUTES)], dtype=np.uint64),
            np.array(self._together, dtype=np.uint64).ravel(),
        )


def _of_known(known: Known, bits: Bits) -> tuple[Hashes, ...]:
    """Hashes that are known, ascending, and the bits that each sets."""
    groups, parts = np.ascontiguousarray(bits[:, known.number])
    return known.hashes, groups, parts


def without_whole_page(table: BlockTable, masks: Hashes, elements: slice) -> Hashes:
    """Bits of some elements without those of <html> and <body>, which are around everything."""
    return np.where(member_mask(WHOLE_PAGE)[table.elements.tag[elements]], np.uint64(0), masks)


def near(table: BlockTable, masks: Hashes) -> Hashes:
    """(n,) the bits of the elements close around each block.

    These are its innermost element, the one around that, its container and two block-level
    ancestors.
    """
    bits = masks[table.element] | masks[table.elements.parent[table.element]]
    for element in table.ancestors(_NEAR_LEVELS):
        bits |= masks[element]
    return bits


class _Together(NamedTuple):
    """A pattern with spaces, as bits."""

    looked_at: np.uint64  # its parts
    needed: np.uint64  # those that an element has to have
    group: np.uint64  # its group


def _bits_of_parts(groups: Sequence[Iterable[str]]) -> tuple[dict[str, int], list[_Together]]:
    """The bits of every pattern without spaces, and the patterns with spaces.

    Parts of patterns with spaces have bits of their own above those of the groups.
    """
    bits: dict[str, int] = {}
    parts: dict[str, int] = {}
    together: list[_Together] = []
    for number, patterns in enumerate(groups):
        for pattern in patterns:
            if pattern.isprintable() and " " not in pattern and pattern[:1] != "!":
                bits[pattern] = bits.get(pattern, 0) | 1 << number
                continue
            needed = {part for part in pattern.split() if part[0] != "!"}
            barred = {part[1:] for part in pattern.split() if part[0] == "!"}
            if not needed:
                raise ValueError(f"{pattern!r} has no letter; write a word such as comment")
            for part in sorted(needed | barred):
                parts.setdefault(part, 1 << len(parts))
            masks = (sum(parts[part] for part in some) for some in (needed | barred, needed))
            if len(parts) > MOST_GROUPS:
                raise ValueError(f"parts of patterns with spaces: at most {MOST_GROUPS}")
            together.append(_Together(*map(np.uint64, (*masks, 1 << number))))
    for part, bit in parts.items():
        bits[part] = bits.get(part, 0) | bit << MOST_GROUPS
    return bits, together


def _checked(pattern: str, words: Sequence[str]) -> tuple[str, bool, str]:
    """The attribute of a pattern without spaces, whether it is a whole name, and the name."""
    attribute, whole, name = pattern.rpartition("=")
    if not words or (whole and not name):
        raise ValueError(f"{pattern!r} has no letter; write a word such as comment")
    if len(words) > _MAX_WORDS and not whole:
        raise ValueError(f"{pattern!r} has {len(words)} words, want {_MAX_WORDS} at most")
    if attribute and attribute not in _DEFINED:
        raise ValueError(f"{pattern!r}: want one of {', '.join(_DEFINED)} before the =")
    return attribute, bool(whole), name


def _singular(word: str) -> str:
    """The word without the s of a plural, as the core looks up the words of names, too."""
    return word[:-1] if len(word) > 2 and word[-1] == "s" and word[-2] != "s" else word


def _words(values: Sequence[str]) -> list[list[str]]:
    """The words of every value in lower case."""
    text = _END.join([*values, ""])
    chars = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    start, end = _words_of(ch.class_table().take(chars))
    lower = chars.tobytes().decode("utf-32-le").lower()
    words = [lower[first:last] for first, last in zip(start.tolist(), end.tolist(), strict=True)]
    cuts = [0, *np.searchsorted(start, np.flatnonzero(chars == 0)).tolist()]
    return [words[first:last] for first, last in pairwise(cuts)]


def _words_of(classes: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Start and end of every word, given the classes of characters of which the last is a space."""
    letter = classes - np.uint8(ch.LOWER) <= ch.IDEOGRAPH - ch.LOWER
    upper = classes == ch.UPPER
    begins = letter.copy()
    # A capital begins a word after a small letter, and after a capital before a small letter.
    in_word = letter[:-1] & (~upper[1:] | (classes[:-1] != ch.LOWER))
    in_word[:-1] &= ~(upper[:-2] & upper[1:-1] & (classes[2:] == ch.LOWER))
    begins[1:] &= ~in_word
    ends = letter.copy()
    ends[:-1] &= begins[1:] | ~letter[1:]
    return np.flatnonzero(begins), np.flatnonzero(ends) + 1


# --- What patterns ask for ------------------------------------------------------------------------


class _Wholes(Struct, frozen=True, eq=False):
    """Whole names; K names."""

    known: Known  # their hashes, each with the attribute's
    bits: Bits  # (2, K) what they set

    @classmethod
    def of(cls, names: dict[tuple[str, str], int]) -> _Wholes:
        """The bits of names by kind and name."""
        kinds = np.array([_kind(attribute) for attribute, _ in names], dtype=np.uint64)
        known = Known.of(_hashes_of([name for _, name in names]) + kinds)
        return cls(known, _as_bits(names.values()))


_OF_DEFINED: Final[dict[str, int]] = dict(
    zip(_DEFINED, mixed(np.arange(len(_DEFINED), dtype=np.uint64)).tolist(), strict=True)
)


def _kind(attribute: str) -> int:
    """What is added to the hash of a name of an attribute."""
    return _OF_DEFINED.get(attribute, 0)


class _Runs(Struct, frozen=True, eq=False):
    """Runs of words; K first words, R runs of two words or more."""

    first: Known  # hashes of first words
    bits: Bits  # (2, K) what they set alone
    longest: Ints  # (K,) words of the longest run that begins with each
    runs: Known  # hashes of longer runs
    run_bits: Bits  # (2, R) what these set

    @classmethod
    def of(cls, runs: dict[tuple[str, ...], int]) -> _Runs:
        """The bits of runs of words."""
        longest: dict[str, int] = {}
        for first, *more in runs:
            longest[first] = max(longest.get(first, 0), 1 + len(more))
        longer = {run: mask for run, mask in runs.items() if len(run) > 1}
        words = [*dict.fromkeys(chain(longest, chain.from_iterable(longer)))]
        hashes = _hashes_of(words)
        hash_of = dict(zip(words, hashes.tolist(), strict=True))
        of_longer = [_hash_of_run([hash_of[word] for word in run]) for run in longer]
        return cls(
            Known.of(hashes[: len(longest)]),
            _as_bits([runs.get((word,), 0) for word in longest]),
            np.array([*longest.values()], dtype=np.int64),
            Known.of(np.array(of_longer, dtype=np.uint64)),
            _as_bits(longer.values()),
        )


def _hash_of_run(words: Sequence[int]) -> int:
    """Hash of a run of words of which these are the hashes."""
    result = 0
    for word in words:
        result = (result * int(GOLDEN) + word) & _ALL
    return result


def _hashes_of(texts: Sequence[str]) -> Hashes:
    """Hash of each text, as spans of that text have it."""
    encoded = "".join(texts).encode("utf-32-le", "replace")
    ends = np.cumsum([0, *map(len, texts)])
    return span_hashes(np.frombuffer(encoded, dtype=np.uint32), ends[:-1], ends[1:])


def _as_bits(masks: Iterable[int]) -> Bits:
    """Masks of groups and parts as two rows."""
    rows = [(mask & _ALL, mask >> MOST_GROUPS) for mask in masks]
    return np.array(rows, dtype=np.uint64).reshape(-1, 2).T


COLUMN_GROUPS: Final = (
    "comment", "related", "teaser", "body", "author", "modal", "navigation", "footer", "forum",
)  # fmt: skip
"""Groups that have a column in the module `class_groups`."""


class Words(Struct, frozen=True, dict=True):
    """The words of the file."""

    groups: Mapping[str, np.uint64]  # name of each group to its bit in `BlockTable.names`
    lists: Mapping[str, int]  # name of each list of phrases to its bit
    texts: Sequence[Sequence[str]]  # the phrases of each list

    @cached_property
    def phrases(self) -> Phrases:
        """The lists, which only threads need."""
        return Phrases(self.texts)


@lru_cache(maxsize=1)
def words() -> Words:
    """The shipped words, read once."""
    file = _file()
    groups = {**file["groups"], **file["kinds"]}
    lists = {
        name: [phrase for phrases in by_language.values() for phrase in phrases]
        for name, by_language in file["texts"].items()
    }
    return Words(
        {name: np.uint64(1 << number) for number, name in enumerate(groups, len(COLUMN_GROUPS))},
        {name: 1 << number for number, name in enumerate(lists)},
        [*lists.values()],
    )


def shipped_names() -> list[Hashes]:
    """Patterns of `COLUMN_GROUPS` as columns count them, then of the groups of the file.

    They are arrays as of `NameGroups.arrays`.
    """
    compiled = plain_yaml.read_compiled(_path(), patterns)
    return [np.array(numbers, dtype=np.uint64) for numbers in compiled]


def patterns(file: Any) -> list[list[int]]:  # noqa: ANN401  (any YAML)
    """What `shipped_names` gives of the content of the file, as plain data."""
    of_columns = column_patterns(file)
    others = {**file["groups"], **file["kinds"]}
    names = NameGroups([*map(of_columns.__getitem__, COLUMN_GROUPS), *others.values()])
    return [array.tolist() for array in names.arrays()]


def column_patterns(file: Any = None) -> dict[str, list[str]]:  # noqa: ANN401  (any YAML)
    """The patterns of each group as columns count them, of the shipped file or its content."""
    file = file or _file()
    return {
        group: [*patterns, *file["columns"].get(group, ())]
        for group, patterns in file["groups"].items()
    }


@lru_cache(maxsize=1)
def _file() -> Any:  # noqa: ANN401  (any YAML)
    return plain_yaml.read_compiled(_path())


def _path() -> Path:
    return package_folder("victor.features") / "class_groups.yaml"


# --- Lists of phrases that whole texts are compared with ------------------------------------------

_NO_WORD: Final = re.compile(r"(?:[^\w\n]|[\d_])+")
_SEPARATED: Final = {c: " " for c in range(128) if not chr(c).isalpha() and chr(c) != "\n"}
"""For `str.translate`: a space for every ASCII character but letters and the newline."""


def plain(texts: Sequence[str]) -> list[str]:
    r"""Texts in lower case with nothing but words and single spaces.

    Those in ASCII, and the others, are dealt with all at once each; the former is five times as
    fast.

    >>> plain(["12 Comments:", "Ann\nsays ...", "12 komentářů"])
    ['comments', 'ann says', 'komentářů']
    """
    lines = [text.replace("\n", " ") for text in texts]
    others = [line for line in lines if not line.isascii()]
    spaced = iter("\n".join(filter(str.isascii, lines)).lower().translate(_SEPARATED).split("\n"))
    matched = iter(_NO_WORD.sub(" ", "\n".join(others).lower()).split("\n"))
    return [" ".join(next(spaced if line.isascii() else matched).split()) for line in lines]


class Phrases:
    """Several lists of phrases.

    ``x *`` is x, or a text that begins with the words of x; ``* x`` is x, or one that ends so.

    Args:
        lists: the phrases of each list, at most 63 lists.

    Raises:
        ValueError: a phrase has no letter, or a ``*`` in another place.

    >>> phrases = Phrases([["comments", "comments on *"], ["* says"]])
    >>> phrases.masks(["2 Comments", "Comments on bees", "Ann says:", "says", "Comments off"])
    array([1, 1, 2, 2, 0])
    """

    def __init__(self, lists: Sequence[Iterable[str]]) -> None:
        pairs = [(text, 1 << number) for number, texts in enumerate(lists) for text in texts]
        texts = [text for text, _ in pairs]
        self._exact: dict[str, int] = {}
        self._first: dict[str, dict[str, int]] = {}
        self._last: dict[str, dict[str, int]] = {}
        for (phrase, bit), text in zip(pairs, plain(texts), strict=True):
            self._add(phrase, text, bit)

    def masks(self, texts: Sequence[str]) -> Ints:
        """(m,) one bit per list for each of some texts, the first list lowest.

        Each distinct text is looked at once.
        """
        distinct = [*dict.fromkeys(texts)]
        known = dict(zip(distinct, map(self._mask, plain(distinct)), strict=True))
        return np.array([known[text] for text in texts], dtype=np.int64)

    def _add(self, phrase: str, text: str, bit: int) -> None:
        """Let a phrase set a bit, given it plain."""
        begins, ends = phrase.endswith(" *"), phrase.startswith("* ")
        if not text:
            raise ValueError(f"{phrase!r} has no letter; write a phrase such as 'comments on *'")
        if phrase.count("*") != begins + ends or (begins and ends):
            raise ValueError(f"{phrase!r}: a * stands at the begin or the end, with a space")
        self._exact[text] = self._exact.get(text, 0) | bit
        if begins:
            first = self._first.setdefault(text.partition(" ")[0], {})
            first[f"{text} "] = first.get(f"{text} ", 0) | bit
        if ends:
            last = self._last.setdefault(text.rpartition(" ")[2], {})
            last[f" {text}"] = last.get(f" {text}", 0) | bit

    def _mask(self, text: str) -> int:
        """The bits of one plain text."""
        mask = self._exact.get(text, 0)
        first, _, rest = text.partition(" ")
        if rest:
            for phrase, bit in self._first.get(first, _NONE).items():
                mask |= bit if text.startswith(phrase) else 0
            for phrase, bit in self._last.get(text.rpartition(" ")[2], _NONE).items():
                mask |= bit if text.endswith(phrase) else 0
        return mask


_NONE: Final[Mapping[str, int]] = {}
