"""Pages as text for syntactic parsers: one sentence per line, lists and data tables as sentences.

A blank line separates paragraphs; the items of a list and the clauses of a table are on
consecutive lines. What the rules of ``configs/kitten.yaml`` drop goes to an archive.

Source: Falco, Moriceau, Vilnat (2012), Kitten: a tool for normalizing HTML and extracting its
textual content.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from victor.base.errors import ConfigError
from victor.base.labels import Label
from victor.kitten.lists import (
    LONGEST_WORD,
    Language,
    language_by_code,
    language_of,
    last_word,
    rewrite,
)
from victor.kitten.passages import NONE, Passage, Removals, read, shown_texts, with_stop
from victor.kitten.settings import Settings
from victor.kitten.tables import read_tables
from victor.language.sentences import begins_small, check
from victor.page.allowance import Allowance, Within
from victor.page.markup.full_record import markup_of
from victor.page.table.blocks import BlockTable, some_pages
from victor.page.table.segment import read_pages
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Page
from victor.tables.data_tables import data_tables

__all__ = ["check", "render", "whole_page"]


def render(
    page: Page, *, settings: Settings | None = None, removals: Removals | None = None
) -> str:
    """The kept part of a page, one sentence per line; empty if nothing is kept.

    Args:
        page: with its markup.
        settings: which rules are switched on; None for the shipped ones.
        removals: receives the texts that rules drop; None to discard them.

    Raises:
        ConfigError: no markup, or not that of this page.
        PageError: it takes more than it may.
    """
    if page.markup is None:
        raise ConfigError("sentences need the markup of the page: give markup=<UTF-8 bytes>")
    rules = Settings() if settings is None else settings
    archive = Removals() if removals is None else removals
    verdict, number, table = page.verdict, page.number, page.verdict.table
    allowance, full = table.allowance, markup_of(table, number, page.markup)
    expand = rules.sentences_expand_abbreviations
    texts = shown_texts(full, full.segments(table, number), verdict.kept_segments, expand=expand)
    passages = read(full.items, texts, rules, archive, allowance)
    language = _language(rules, table.heads[number].language, passages)
    if rules.tables_clauses:
        of_data = _tables_of_data(some_pages(table, [number]))
        passages = read_tables(passages, full, texts, of_data, archive, allowance)
    if rules.sentences_join_breaks:
        joined = (_with_lines_joined(passage, language) for passage in passages)
        passages = [*allowance.over(joined)]
    passages = rewrite(passages, rules, language, archive)
    return "".join(_checked(_lines(passages, rules, language), allowance))


def _tables_of_data(table: BlockTable) -> set[int]:
    """Ordinals of the start tags of tables of data on the only page, judged by all they hold."""
    if not table.elements.have(frozenset({"table"})):
        return set()
    is_data = data_tables(table, np.ones(len(table), dtype=bool)).is_data
    return {*table.elements.open[is_data].tolist()}


def whole_page(
    markup: bytes, settings: Settings | None = None, removals: Removals | None = None
) -> str:
    """A whole page, one sentence per line; only the rules drop anything.

    Args:
        markup: UTF-8 bytes.
        settings: as for `render`.
        removals: as for `render`.

    Raises:
        PageError: the text takes more than the limits of the settings let it.
    """
    table = read_pages([markup])
    labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
    verdict = Verdict(table, labels, np.zeros((len(table), len(Label))), "none")
    limits = (settings or Settings()).limits
    with Within(table.allowances, Allowance(limits.output, limits.seconds)):
        return render(Page(verdict, markup=markup), settings=settings, removals=removals)


def _checked(lines: Iterator[str], allowance: Allowance) -> Iterator[str]:
    length = 0
    for line in lines:
        length += len(line)
        allowance.check(length)
        yield line


def _language(rules: Settings, declared: str | None, passages: Sequence[Passage]) -> Language:
    if rules.language is not None:
        return language_by_code(rules.language)
    return language_of(declared, " ".join(passage.text for passage in passages))


def _with_lines_joined(passage: Passage, language: Language) -> Passage:
    if passage.is_pre or passage.is_finished or "\n" not in passage.text:
        return passage
    return replace(passage, text=join_lines(passage.text, language))


def _lines(passages: Sequence[Passage], rules: Settings, language: Language) -> Iterator[str]:
    previous: Passage | None = None
    for passage in passages:
        if previous is not None and not _belong_together(previous, passage):
            yield "\n"
        previous = passage
        text = passage.text
        if rules.sentences_full_stops and not passage.is_finished:
            text = with_stop(text)
        is_whole = passage.is_finished or not rules.sentences_split
        for line in text.split("\n"):
            for sentence in [line] if is_whole else language.sentences(line):
                yield f"{sentence}\n"


def _belong_together(before: Passage, after: Passage) -> bool:
    """Items of one list, or clauses of one table."""
    same_list = after.outer_list != NONE and before.outer_list == after.outer_list
    both_finished = before.is_finished and after.is_finished
    return same_list or (both_finished and after.table != NONE and before.table == after.table)


# --- Lines made by <br> ---------------------------------------------------------------------------

_CONTINUES: Final = (",", "(", "[", "„", "–", "—", "&", "+", "/")
_NOT_INITIAL: Final = (",", ";", ".", ")", "]", "!", "?", "–", "—")


def join_lines(text: str, language: Language) -> str:
    """A text in which newlines no longer break sentences.

    Two lines are joined if the first ends with a comma, a preposition or another word that must
    be followed by something, or if the second does not begin like a sentence: with a small letter
    or a closing mark. Lines of marks, and items of lists typed by hand, stay separate.
    """
    first, *rest = text.split("\n")
    joined = [first]
    end, is_mark = first, _is_mark(first)  # of what is joined so far, which may be very long
    for line in rest:
        if _continues(end, line, language, is_mark=is_mark):
            joined += " ", line
            end, is_mark = f"{end[-LONGEST_WORD:]} {line}", is_mark and _is_mark(line)
        else:
            joined += "\n", line
            end, is_mark = line, _is_mark(line)
    return "".join(joined)


def _continues(line: str, following: str, language: Language, *, is_mark: bool) -> bool:
    if begins_small(following) or following.startswith(_NOT_INITIAL):
        return not is_mark and not _is_bullet(following)
    last = last_word(line).lower()
    return line.endswith(_CONTINUES) or last in language.triggers or last in language.conjunctions


def _is_mark(line: str) -> bool:
    return not any(character.isalnum() for character in line)


def _is_bullet(line: str) -> bool:
    """An item of a list typed by hand: ``- milk``, ``a) milk``."""
    mark, _, rest = line.partition(" ")
    return bool(rest) and (not any(map(str.isalnum, mark)) or (len(mark) == 2 and mark[1] in ")."))
