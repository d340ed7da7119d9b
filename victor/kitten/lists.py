"""Lists as text: short links and bullets are dropped, and a list joins the clause before it.

Source: Falco, Moriceau, Vilnat (2012), Kitten, section on lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from statistics import median
from typing import Final

from victor.kitten import settings
from victor.kitten.language import Language, last_word
from victor.kitten.passages import NONE, Passage
from victor.kitten.removals import Removals

LINK_ITEM: Final = "link-item"
BULLET: Final = "bullet"

_SIGN: Final = re.compile(r"(?:[•·‣◦▪▫■□●○►▸▹➢➤✓✔]+\s*|[*+–—-]+(?:\s+|$))")
_NUMBER: Final = re.compile(r"\(?(\d{1,3}|[A-Za-z])[.)](?:\s+|$)")
_FEWEST_NUMBERED: Final = 2
"""A single item may begin with a date or an initial instead of a number."""
_ENDS: Final = ".?!…。！？"
_PAUSES: Final = ",;:"
_CLOSING: Final = "\"'”’»)]} "

Items = list[list[int]]
"""The items of one list, each as positions of its passages."""


def rewrite(
    passages: Sequence[Passage], rules: settings.Lists, language: Language, removals: Removals
) -> list[Passage]:
    """Passages with their lists as text.

    Args:
        passages: of a page, in order.
        rules: which rules are switched on.
        language: of the page.
        removals: receives the dropped texts.
    """
    kept = [*passages]
    if rules.drop_links:
        kept = _without_links(kept, rules, removals)
    if rules.drop_bullets:
        kept = _without_bullets(kept, removals)
    return _flatten(kept, rules, language) if rules.flatten else kept


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


def _without_links(
    passages: list[Passage], rules: settings.Lists, removals: Removals
) -> list[Passage]:
    """The passages without the short items of lists that mostly hold links."""
    dropped: list[int] = []
    for items in _lists(passages).values():
        words = [sum(passages[index].words for index in item) for item in items]
        linked = sum(passages[index].link_words for item in items for index in item)
        if linked > rules.link_share * sum(words):
            short = (item for item, n in zip(items, words, strict=True) if n < rules.link_words)
            dropped += chain.from_iterable(short)
    for index in dropped:
        removals.add(LINK_ITEM, passages[index].text)
    gone = frozenset(dropped)
    return [passage for index, passage in enumerate(passages) if index not in gone]


# --- Bullets -------------------------------------------------------------------------------------


def _without_bullets(passages: list[Passage], removals: Removals) -> list[Passage]:
    """The passages without signs and numbers typed before the items of lists."""
    kept = [*passages]
    for items in _lists(passages).values():
        first = [item[0] for item in items]
        texts = [passages[index].text for index in first]
        pattern = _NUMBER if _are_numbered(texts) else _SIGN
        for index, text in zip(first, texts, strict=True):
            if mark := pattern.match(text):
                removals.add(BULLET, mark[0].strip())
                kept[index] = replace(passages[index], text=text[mark.end() :])
    return [passage for passage in kept if passage.text]


def _are_numbered(texts: Sequence[str]) -> bool:
    """Do all items begin with consecutive numbers or letters."""
    marks = [match[1] for text in texts if (match := _NUMBER.match(text))]
    if len(marks) < max(len(texts), _FEWEST_NUMBERED):
        return False
    numbers = [int(mark) if mark.isdecimal() else ord(mark) - 1000 for mark in marks]
    return all(after == before + 1 for before, after in pairwise(numbers))


# --- Lists after a clause ------------------------------------------------------------------------


def _flatten(passages: list[Passage], rules: settings.Lists, language: Language) -> list[Passage]:
    """Join one-level lists with the clause before them."""
    deep = {passage.outer_list for passage in passages if passage.list_depth > 1}
    first_of = {
        items[0][0]: items
        for start, items in _lists(passages).items()
        if start not in deep and _is_of_one_kind(passages, items)
    }
    out: list[Passage] = []
    index = 0
    while index < len(passages):
        items = first_of.get(index)
        if items and out and _is_introduction(out[-1], passages[index]):
            of_items = [[passages[i] for i in item] for item in items]
            out += _joined(out.pop(), of_items, rules, language)
            index = items[-1][-1] + 1
        else:
            out.append(passages[index])
            index += 1
    return out


def _is_of_one_kind(passages: Sequence[Passage], items: Items) -> bool:
    """Does a list hold only terms, or none."""
    return len({passages[index].is_term for item in items for index in item}) == 1


def _is_introduction(clause: Passage, item: Passage) -> bool:
    return (
        clause.text.endswith(":")
        and clause.inner_list == NONE
        and clause.table == item.table
        and not clause.is_finished
    )


def _joined(
    clause: Passage, items: list[list[Passage]], rules: settings.Lists, language: Language
) -> Iterator[Passage]:
    """A clause and its list as passages."""
    before, opening = _last_sentence(clause.text, language)
    announced = opening.rstrip(": ")
    last = last_word(announced)
    trigger = last if rules.repeat_triggers and last.lower() in language.triggers else ""
    if _are_short(items, rules.flat_length, language):
        if before:
            yield replace(clause, text=before)
        texts = [item[0].text for item in items]
        start = announced if trigger else opening
        yield replace(clause, text=_one_sentence(start, texts, trigger, language), is_finished=True)
    elif trigger:
        head, *rest = items
        yield replace(head[0], text=f"{clause.text.rstrip(': ')} {head[0].text}")
        yield from head[1:]
        for item in rest:
            yield replace(item[0], text=f"{trigger} {item[0].text}")
            yield from item[1:]
    else:
        yield clause
        for item in items:
            yield from item


def _are_short(items: list[list[Passage]], length: int, language: Language) -> bool:
    """Can the items be parts of one sentence."""
    if any(len(item) > 1 for item in items):
        return False
    texts = [item[0].text for item in items]
    return median(map(len, texts)) < length and not any(_is_more(text, language) for text in texts)


def _is_more(text: str, language: Language) -> bool:
    """Is a text more than a part of a sentence: several lines or sentences, or a question."""
    is_call = text.rstrip(_CLOSING).endswith(("?", "!"))
    return "\n" in text or is_call or len(language.sentences(text)) > 1


def _last_sentence(text: str, language: Language) -> tuple[str, str]:
    """The text before the last sentence or line of a text, and that sentence."""
    last = language.sentences(text[text.rfind("\n") + 1 :])[-1]
    return text.removesuffix(last).rstrip(), last


def _one_sentence(start: str, items: Sequence[str], trigger: str, language: Language) -> str:
    """The clause and its items: ``start item, trigger item, trigger item.``."""
    repeated = f"{trigger} " if trigger else ""
    *inner, final = (text.strip() for text in items)
    parts = [_with_comma(text, language) for text in inner] + [_with_stop(final)]
    return f"{start} " + " ".join(
        part if number == 0 else repeated + part for number, part in enumerate(parts)
    )


def _with_comma(text: str, language: Language) -> str:
    """An item that another one follows; a full stop would end the sentence."""
    if text.endswith(tuple(_PAUSES)) or last_word(text).lower() in language.conjunctions:
        return text
    return text.removesuffix(".") + ","


def _with_stop(text: str) -> str:
    if text.rstrip(_CLOSING).endswith(tuple(_ENDS)):
        return text
    return text.rstrip(_PAUSES + " ") + "."
