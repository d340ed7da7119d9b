"""Lists as text: short links and bullets are dropped, and a list joins the clause before it.

Source: Falco, Moriceau, Vilnat (2012), Kitten, section 3.2; its section 3.2.2 names ``*``, ``-``,
``1`` and ``a)`` as bullets, and where a number is text instead is decided here.

A language says where its sentences end and which words its lists repeat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise
from statistics import median
from typing import Final

from victor.base.files import package_folder
from victor.config import plain_yaml
from victor.kitten.passages import NONE, Passage, Removals, as_part, as_sentence
from victor.kitten.settings import Settings
from victor.language.sentences import sentences

LINK_ITEM: Final = "link-item"
BULLET: Final = "bullet"

_LONGEST_REPEATED: Final = 1_000
"""Characters of a clause that is repeated with every item; a longer one is no clause."""

Items = list[list[int]]
"""The items of one list, each as positions of its passages."""


def rewrite(
    passages: Sequence[Passage], rules: Settings, language: Language, removals: Removals
) -> list[Passage]:
    """Passages with their lists as text.

    Args:
        passages: of a page, in order.
        rules: which rules are switched on.
        language: of the page.
        removals: receives the dropped texts.
    """
    kept = [*passages]
    if rules.lists_drop_links:
        kept = _without_links(kept, rules, removals)
    if rules.lists_drop_bullets:
        kept = _without_bullets(kept, rules, removals)
    return _flatten(kept, rules, language) if rules.lists_flatten else kept


def _lists(passages: Sequence[Passage]) -> Mapping[int, Items]:
    """Items of every list by its start tag; text in no item is an item by itself."""
    lists: dict[int, Items] = {}
    last: dict[int, int] = {}
    for index, passage in enumerate(passages):
        if passage.inner_list == NONE:
            continue
        items = lists.setdefault(passage.inner_list, [])
        # An item that began before the list is around the list.
        item = passage.item if passage.item > passage.inner_list else NONE
        if items and item != NONE and last[passage.inner_list] == item:
            items[-1].append(index)
        else:
            items.append([index])
        last[passage.inner_list] = item
    return lists


# --- Lists of links ------------------------------------------------------------------------------


def _without_links(passages: list[Passage], rules: Settings, removals: Removals) -> list[Passage]:
    dropped: list[int] = []
    for items in _lists(passages).values():
        words = [sum(passages[index].words for index in item) for item in items]
        if _are_links(passages, items, words):
            short = (
                item for item, n in zip(items, words, strict=True) if n < rules.lists_link_words
            )
            dropped += chain.from_iterable(short)
    for index in dropped:
        removals.add(LINK_ITEM, passages[index].text)
    gone = frozenset(dropped)
    return [passage for index, passage in enumerate(passages) if index not in gone]


def _are_links(passages: list[Passage], items: Items, words: Sequence[int]) -> bool:
    linked = (sum(passages[index].link_words for index in item) for item in items)
    return any(words) and all(inside >= n for inside, n in zip(linked, words, strict=True))


# --- Bullets -------------------------------------------------------------------------------------


def _without_bullets(passages: list[Passage], rules: Settings, removals: Removals) -> list[Passage]:
    kept = [*passages]
    for items in _lists(passages).values():
        first = [item[0] for item in items]
        texts = [passages[index].text for index in first]
        marks = bullets(texts, every_number=rules.lists_every_number)
        for index, text, bullet in zip(first, texts, marks, strict=True):
            if bullet:
                removals.add(BULLET, bullet.strip())
                kept[index] = replace(passages[index], text=text.removeprefix(bullet))
    return [passage for passage in kept if passage.text]


# --- Lists after a clause ------------------------------------------------------------------------


def _flatten(passages: list[Passage], rules: Settings, language: Language) -> list[Passage]:
    deep = {passage.outer_list for passage in passages if passage.list_depth > 1}
    first_of = {
        items[0][0]: items
        for start, items in _lists(passages).items()
        if start not in deep and (rules.lists_every_item or _is_of_one_kind(passages, items))
    }
    out: list[Passage] = []
    index = 0
    while index < len(passages):
        items = first_of.get(index)
        if items and out and _is_introduction(out[-1], passages[index]):
            of_items = [[passages[i] for i in item] for item in items]
            if rules.lists_every_item:
                of_items = [[_in_one_line(item)] for item in of_items]
            out += _joined(out.pop(), of_items, rules, language)
            index = items[-1][-1] + 1
        else:
            out.append(passages[index])
            index += 1
    return out


def _is_of_one_kind(passages: Sequence[Passage], items: Items) -> bool:
    return len({passages[index].is_term for item in items for index in item}) == 1


def _is_introduction(clause: Passage, item: Passage) -> bool:
    return (
        clause.text.endswith(":")
        and clause.inner_list == NONE
        and clause.table == item.table
        and not clause.is_finished
    )


def _in_one_line(item: list[Passage]) -> Passage:
    words = " ".join(passage.text for passage in item).split()
    return replace(item[0], text=" ".join(words))


def _joined(
    clause: Passage, items: list[list[Passage]], rules: Settings, language: Language
) -> Iterator[Passage]:
    before, opening = _last_sentence(clause.text, language)
    announced = opening.rstrip(": ")
    repeats = (
        rules.lists_repeat_triggers
        and len(announced) <= _LONGEST_REPEATED
        and last_word(announced).lower() in language.triggers
    )
    is_one = not repeats and _are_short(items, rules.lists_flat_length)
    if before and (repeats or is_one):
        yield replace(clause, text=before)
    if is_one:
        texts = [item[0].text for item in items]
        sentence = _one_sentence(opening, texts, rules, language)
        yield replace(clause, text=sentence, is_finished=True)
        return
    if not repeats:
        yield clause
    for head, *rest in items:
        text = f"{announced} {head.text}" if repeats else head.text
        *inner, final = [replace(head, text=text), *rest]
        yield from inner
        yield replace(final, text=as_sentence(final.text))


def _are_short(items: list[list[Passage]], length: int) -> bool:
    """Can the items be parts of one sentence: each one line, and the median short."""
    if any(len(item) > 1 or "\n" in item[0].text for item in items):
        return False
    return median(len(item[0].text) for item in items) < length


def _last_sentence(text: str, language: Language) -> tuple[str, str]:
    last = language.sentences(text[text.rfind("\n") + 1 :])[-1]
    return text.removesuffix(last).rstrip(), last


def _one_sentence(opening: str, items: Sequence[str], rules: Settings, language: Language) -> str:
    *inner, final = (text.strip() for text in items)
    every = rules.lists_every_comma
    parts = [
        text
        if last_word(text).lower() in language.conjunctions and not every
        else as_part(text, after_colon=every)
        for text in inner
    ]
    return " ".join((opening, *parts, as_sentence(final)))


# --- What a bullet is -----------------------------------------------------------------------------

_SIGN: Final = re.compile(r"[•·‣◦▪▫■□●○►▸▹➢➤✓✔]+\s*|[*+–—-]+(?:\s+|$)")
_BRACKETED: Final = re.compile(r"(?:\(\d{1,3}\)|(?:\d{1,3}|[A-Za-z])\))(?:\s+|$)")
_NUMBERED: Final = re.compile(r"\(?(\d{1,3})(?:[.)](?:\s+|$)|\s?[–—:-]\s+(?!\d))")
_LETTERED: Final = re.compile(r"\(?([A-Za-z])[.)](?:\s+|$)")
_BARE: Final = re.compile(r"(\d{1,3})\s+(?=[^\W\d])")
_FEWEST: Final = 2  # a single item may begin with a date or an initial instead of a number
_STEM: Final = 3  # characters that the forms of one word share: 1 day, 2 days

Match = re.Match[str]


def bullets(texts: Sequence[str], *, every_number: bool = False) -> list[str]:
    """The bullet that each item of a list begins with, and the space after it; "" without one.

    Signs, ``1)`` and ``a)`` are always bullets. ``1.``, ``1 -`` and ``1:`` are bullets where the
    numbers of the list count up, or where all other items have bullets; letters with a full stop
    where they count up in all items. A number without a mark is one if all items are numbered from
    1 on and do not all begin alike after it.

    Args:
        texts: of the items of one list, each the start of an item.
        every_number: every number is a bullet, also in "1 day", as the expressions that the paper
            names have it.
    """
    sure = [_SIGN.match(text) or _BRACKETED.match(text) for text in texts]
    numbers = [_NUMBERED.match(text) for text in texts]
    if any(sure) and all(a or b for a, b in zip(sure, numbers, strict=True)):
        counted: Sequence[Match | None] = numbers
    else:
        counted = _counted(texts, numbers)
    if every_number:
        rows = zip(counted, numbers, texts, strict=True)
        counted = [mark or number or _BARE.match(text) for mark, number, text in rows]
    matches = (mark or number for mark, number in zip(sure, counted, strict=True))
    return [match[0] if match else "" for match in matches]


def _counted(texts: Sequence[str], numbers: Sequence[Match | None]) -> Sequence[Match | None]:
    letters = [_LETTERED.match(text) for text in texts]
    if all(letters) and _count_up([ord(mark[1]) for mark in letters if mark]):
        return letters
    all_numbers = [number or _BARE.match(text) for number, text in zip(numbers, texts, strict=True)]
    if _number_all(all_numbers) and not _begin_alike(texts, all_numbers):
        return all_numbers
    if _count_up([int(mark[1]) for mark in numbers if mark]):
        return numbers
    return [None] * len(texts)


def _count_up(values: Sequence[int]) -> bool:
    return len(values) >= _FEWEST and all(b == a + 1 for a, b in pairwise(values))


def _number_all(marks: Sequence[Match | None]) -> bool:
    values = [int(mark[1]) for mark in marks if mark]
    return len(values) == len(marks) and values[:1] == [1] and _count_up(values)


def _begin_alike(texts: Sequence[str], marks: Sequence[Match | None]) -> bool:
    ends = [mark.end() for mark in marks if mark]
    return len({text[end:][:_STEM].casefold() for text, end in zip(texts, ends, strict=True)}) == 1


_WORD: Final = re.compile(r"\w+(?:['’]\w+)*['’]?")
_NUMBER: Final = re.compile(r"\(?(?:\d{1,3}|[IVX]{1,5}|[^\W\d_])[.)]")
_DEFAULT: Final = "en"
LONGEST_WORD: Final = 50
"""Characters at the end of a text in which its last word is looked for."""
_SAMPLE: Final = 20_000
"""Characters that are enough to identify a language by its most frequent words."""


@dataclass(frozen=True)
class Language:
    """The code and the function words of a language."""

    code: str  # as in ISO 639
    triggers: frozenset[str] = frozenset()  # prepositions, auxiliaries and negation, in lower case
    conjunctions: frozenset[str] = frozenset()  # words that no comma follows, in lower case

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text, without the white space between them.

        A number that counts, as in ``1. Introduction``, is no sentence of its own.

        Raises:
            ConfigError: as `victor.language.sentences.sentences`.
        """
        whole: list[str] = []
        for sentence in sentences(text, self.code):
            if whole and _NUMBER.fullmatch(whole[-1]):
                whole[-1] += f" {sentence}"
            else:
                whole.append(sentence)
        return whole


def language_by_code(code: str) -> Language:
    """A language by its code, without function words if there is no file of them."""
    return _with_words().get(code) or Language(code)


@cache
def _with_words() -> Mapping[str, Language]:
    files = (package_folder("victor.kitten") / "word_lists").glob("*.yaml")
    return {file.stem: _of_lists(file.stem, plain_yaml.read(file)) for file in sorted(files)}


def _of_lists(code: str, words: Mapping[str, Sequence[str]]) -> Language:
    triggers = (*words["prepositions"], *words["auxiliaries"], *words["negation"])
    return Language(code, frozenset(triggers), frozenset(words["conjunctions"]))


def last_word(text: str) -> str:
    """The word at the very end of a text, as written; empty if the text ends otherwise."""
    end = text.rstrip()
    matches = [*_WORD.finditer(end, max(0, len(end) - LONGEST_WORD))]
    return matches[-1][0] if matches and matches[-1].end() == len(end) else ""


def language_of(declared: str | None, text: str) -> Language:
    """The language that a page declares, else the one most of whose function words it uses.

    Args:
        declared: value of ``lang``, if any.
        text: text of the page.
    """
    code = re.split(r"[-_]", (declared or "").strip().lower())[0]
    if code.isascii() and code.isalpha() and 2 <= len(code) <= 3:
        return language_by_code(code)
    words = [match[0].lower() for match in _WORD.finditer(text[:_SAMPLE])]
    counts = {
        code: sum(word in language.triggers or word in language.conjunctions for word in words)
        for code, language in _with_words().items()
    }
    best = max(counts, key=lambda code: counts[code])
    return language_by_code(best if counts[best] > counts[_DEFAULT] else _DEFAULT)
