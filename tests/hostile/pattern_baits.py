"""Texts that make a regular expression slow, generated from the expression itself.

A backtracking matcher is slow where it can go on in two ways, or begin at many places, and fails
late. So for each repeat of a pattern there are baits of three parts: a prefix that leads to the
repeat, a pump that the repeat (or its neighbour, or both) takes any number of times, and an end
where the match fails. More baits pump the prefix itself (a search then begins at many places),
every branch, and the whole match.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice, pairwise, product
from math import log
from re import _compiler, _parser
from re import _constants as op
from time import process_time
from typing import Any, NamedTuple

ATOMS = {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN}
REPEATS = {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}
COMMON = "a0 \n\tbZ-_.,:;/<>=\"'&()[]{}\\!?#%@|*\r\x0b\x00\xe9\u4e00"
MANY = 8
"""A repeat of fewer is no repeat."""

N_VARIANTS = 6
N_PREFIXES = 3
N_LETTERS = 10
N_ENDS = 2


class Bait(NamedTuple):
    """A text of three parts, of which the middle one is there any number of times."""

    prefix: str
    pump: str
    end: str

    def text(self, pumps: int) -> str:
        """The text with so many pumps."""
        return self.prefix + self.pump * pumps + self.end

    def long(self, length: int) -> str:
        """A text of about so many characters."""
        return self.text(max(length // len(self.pump), 1))


def baits(pattern: Any) -> list[Bait]:
    """Baits for a pattern, each once; a pattern of bytes gets characters up to 255."""
    return _unique(_Source(pattern).baits())


class _Source:
    """A pattern taken apart."""

    def __init__(self, pattern: Any) -> None:
        source = pattern.pattern
        self.pattern = pattern
        self.is_text = isinstance(source, str)
        flags = pattern.flags & (re.I | re.M | re.S | re.X | re.A | re.U)
        if not self.is_text:
            source, flags = source.decode("latin-1"), (flags & ~re.U) | re.A
        elif flags & re.A:
            flags &= ~re.U
        self.flags = flags
        self.tree = _parser.parse(source, flags)
        nodes = [*_nodes(self.tree)]
        self.groups = {value[0]: value[3] for _, kind, value in nodes if kind is op.SUBPATTERN}
        self.atoms = [node for node in nodes if node[1] in ATOMS]
        self._letters: dict[int, str] = {}

    @cached_property
    def alphabet(self) -> str:
        """Characters that the pattern names, and common ones."""
        letters = [chr(code) for _, kind, value in self.atoms for code in _named(kind, value)]
        if self.flags & re.I:
            letters += [c.swapcase() for c in letters if len(c.swapcase()) == 1]
        return "".join(c for c in _unique([*COMMON, *letters]) if self.is_text or ord(c) < 256)

    @cached_property
    def classes(self) -> list[str]:
        """One character of each kind that repeats tell apart, the most ambiguous first."""
        takers = {
            (kind, repr(value)): self.letters(kind, value)
            for is_repeated, kind, value in self.atoms
            if is_repeated
        }.values()
        by_takers: dict[tuple[bool, ...], str] = {}
        for letter in self.alphabet:
            kind = letter == "\n", letter.isalnum()  # lines and words have edges
            by_takers.setdefault((*kind, *(letter in taken for taken in takers)), letter)
        return sorted(by_takers.values(), key=lambda c: -sum(c in taken for taken in takers))

    @cached_property
    def _ends(self) -> list[str]:
        """Ends that may spoil a match: nothing, what few parts of the pattern take, and pairs."""
        taken = [self.letters(kind, value) for _, kind, value in self.atoms]
        rarest = min(self.alphabet, key=lambda c: sum(c in letters for letters in taken))
        single = _unique([rarest, "\n", " ", *self.classes[:2], *self.classes[-2:]])
        return ["", *single, *(a + b for a, b in product(single[:4], repeat=2) if a != b)]

    def ends(self, prefix: str, pump: str) -> list[str]:
        """No end, and the first that make a match of prefix and pumps impossible or shorter."""
        spoiling = (end for end in self._ends if not self._takes(prefix + pump + end))
        return _unique(["", *islice(spoiling, N_ENDS)])

    def _takes(self, text: str) -> bool:
        """Does the pattern match the whole text."""
        matched = self.pattern.match(text if self.is_text else text.encode("latin-1"))
        return matched is not None and matched.end() == len(text)

    def letters(self, kind: Any, value: Any) -> str:
        """Those of the alphabet that an atom takes."""
        key = id(value) if kind is op.IN else hash((kind, value))
        if key not in self._letters:
            single = _parser.SubPattern(self.tree.state, [(kind, value)])
            takes = _compiler.compile(single, self.flags).match
            self._letters[key] = "".join(filter(takes, self.alphabet))
        return self._letters[key]

    def baits(self) -> Iterator[Bait]:
        """All baits."""
        wholes = [a + b for a, b in product(self.variants(self.tree), ("", " ", "\n")) if a + b]
        yield from self._of([""], [*wholes, *self.classes[:N_LETTERS]])
        yield from self._walk(self.tree, [""])

    def _of(self, prefixes: Iterable[str], pumps: Iterable[str]) -> Iterator[Bait]:
        for pump, prefix in product(_unique(filter(None, pumps)), prefixes):
            for end in self.ends(prefix, pump):
                yield Bait(prefix, pump, end)

    def _walk(self, items: Any, prefixes: list[str]) -> Iterator[Bait]:
        """Baits for the repeats of a sequence, after what leads to it."""
        items = list(items)
        for number, node in enumerate(items):
            kind, value = node
            if _is_long(node):
                following = self.variants(items[number + 1 : number + 2])[:2]
                yield from self._of(prefixes, self._pumps(self.variants(value[2]), following))
            for inner in _inner(value):
                yield from self._walk(inner, prefixes)
            longer = [p + v for p, v in product(prefixes, self.variants([node], short=True))]
            prefixes = _spread(longer, N_PREFIXES)
            is_last = number == len(items) - 1
            is_in_word = kind is op.LITERAL and not is_last and items[number + 1][0] is op.LITERAL
            if (not is_last or kind in REPEATS) and not is_in_word:
                # The beginning of a match again and again: never, or only at its very end, a match.
                yield from self._of([""], prefixes)
                for prefix, letter in product(filter(None, prefixes), self.classes[:3]):
                    yield Bait("", prefix + letter, "")

    def _pumps(self, bodies: list[str], following: list[str]) -> list[str]:
        """What a repeat takes, in two ways too, and with what stands behind it."""
        pairs = [a + b for a, b in islice(product(bodies, repeat=2), 9) if a != b]
        behind = [body + after for body, after in product(bodies[:2], following)]
        return [*bodies, *pairs, *behind, *self.classes[:N_LETTERS]]

    def variants(self, items: Iterable[Any], *, short: bool = False) -> list[str]:
        """Some texts that a sequence takes, as different as possible."""
        texts = [""]
        for node in items:
            several = self._variants(*node)
            texts = _spread([t + v for t, v in product(texts, several)], 3 if short else N_VARIANTS)
        return texts

    def _variants(self, kind: Any, value: Any) -> list[str]:
        if kind in ATOMS:
            taken = self.letters(kind, value)
            ambiguous = [letter for letter in self.classes if letter in taken]
            return _unique([*ambiguous[:3], *taken[:1]])[:3] or [""]
        if kind in REPEATS:
            low, high, body = value
            counts = sorted({low, min(max(low, 1), high)})
            return _unique(v * n for n in counts for v in self.variants(body)[:3])
        if kind is op.BRANCH:
            return _unique(v for branch in value[1] for v in self.variants(branch)[:2])[:12]
        if kind is op.GROUPREF:
            return self.variants(self.groups[value])[:2]
        is_ahead = kind is op.ASSERT and value[0] > 0
        if is_ahead or kind not in (op.SUBPATTERN, op.ATOMIC_GROUP, op.ASSERT):
            return [""]
        (inner,) = _inner(value)
        return self.variants(inner)[: 3 if kind is op.ASSERT else None]


def _nodes(items: Iterable[Any], is_repeated: bool = False) -> Iterator[tuple[bool, Any, Any]]:
    """All nodes of a sequence, each with whether it stands in a repeat."""
    for node in items:
        yield is_repeated, *node
        for inner in _inner(node[1]):
            yield from _nodes(inner, is_repeated or _is_long(node))


def _is_long(node: Any) -> bool:
    return node[0] in REPEATS and node[1][1] >= MANY


def _inner(value: Any) -> Iterator[Any]:
    """Sequences inside a node."""
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _inner(part)


def _named(kind: Any, value: Any) -> list[int]:
    """Code points that an atom names."""
    if kind in (op.LITERAL, op.NOT_LITERAL):
        return [value]
    parts = [*islice(value, 12)] if kind is op.IN else []
    known = {op.LITERAL: lambda code: [code], op.RANGE: list}
    return [code for part, given in parts if part in known for code in known[part](given)]


def _unique(texts: Iterable[Any]) -> list[Any]:
    return [*dict.fromkeys(texts)]


def _spread(texts: list[str], count: int) -> list[str]:
    """At most so many of different texts, from the first to the last."""
    unique = _unique(texts)
    if len(unique) <= count:
        return unique
    return [unique[round(n * (len(unique) - 1) / (count - 1))] for n in range(count)]


SUSPECT, BOUND = 1.25, 1.5
"""Growth exponents: above the first a bait is tried again with longer texts, above the second it
is bad. Linear is 1, quadratic 2; the rest is slack for other work on the machine."""

PUMPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 40, 56, 80, 112)
"""Few, and not much more from one to the next: exponential time is found before it is long."""

STEEP, N_STEEP = 2.5, 3
"""The exponent from one of these to the next, several times in a row and rising, is exponential."""

LENGTHS = (256, 2048)
CONFIRMING = 8192

SHORTEST, LONG = 1e-6, 1e-2
"""Seconds: shorter ones are those of the clock, longer ones need no second try."""


def is_slow(use: Callable[[Any], object], bait: Bait, encode: Callable[[str], Any]) -> bool:
    """Whether time grows with more than the length of the text to the power of 1.5.

    Begins with few pumps, for an expression may well take exponential time.
    """
    steep: list[float] = []
    for few, more in pairwise(PUMPS):
        shorter, longer = encode(bait.text(few)), encode(bait.text(more))
        exponent = _exponent(use, shorter, longer)
        exponent = _exponent(use, shorter, longer, 5) if exponent > STEEP else exponent
        steep = [*steep, exponent] if exponent > STEEP else []
        if len(steep) >= N_STEEP and steep[-1] > steep[0]:
            return True
    short, long = (encode(bait.long(length)) for length in LENGTHS)
    if _exponent(use, short, long) <= SUSPECT or _exponent(use, short, long, 3) <= SUSPECT:
        return False
    longer = encode(bait.long(CONFIRMING))
    return _exponent(use, long, longer) > BOUND and _exponent(use, long, longer, 5) > BOUND


def _exponent(use: Callable[[Any], object], short: Any, long: Any, tries: int = 1) -> float:
    before, after = (_best(use, text, tries) for text in (short, long))
    return log(after / before) / log(len(long) / len(short))


def _best(use: Callable[[Any], object], text: Any, tries: int) -> float:
    times: list[float] = []
    while len(times) < tries and not (times and times[-1] > LONG):
        start = process_time()
        use(text)
        times.append(process_time() - start)
    return max(min(times), SHORTEST)


def user(pattern: Any, way: str) -> Callable[[Any], object]:
    """A function that uses a pattern in one of the ways on a text."""
    if way == "finditer":
        return lambda text: [None for _ in pattern.finditer(text)]
    if way == "steps":
        return lambda text: _steps(pattern, text)
    return getattr(pattern, way)


def _steps(pattern: Any, text: Any) -> None:
    position = 0
    while position < len(text) and (matched := pattern.match(text, position)):
        position = max(matched.end(), position + 1)


def slow_baits(pattern: Any, ways: Iterable[str]) -> Iterator[tuple[str, Bait]]:
    """The ways and baits with which a pattern is not linear.

    To find all matches is to search, and more; to search is to match at the start, and more.
    """
    ways = {*ways}
    ways -= {"search", "match"} if "finditer" in ways else {"match"} if "search" in ways else set()
    encode = str if isinstance(pattern.pattern, str) else lambda text: text.encode("latin-1")
    for bait in baits(pattern):
        for way in sorted(ways):
            if is_slow(user(pattern, way), bait, encode):
                yield way, bait
