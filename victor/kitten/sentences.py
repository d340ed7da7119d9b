"""One sentence a line, lists and tables of data read as sentences: a text for parsers of language.

A blank line stands between paragraphs; the items of a list and the clauses of a table are on
consecutive lines. What the rules of ``configs/kitten.yaml`` drop goes to an archive.

Source: Falco, Moriceau, Vilnat (2012), Kitten: a tool for normalizing HTML and extracting its
textual content.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from victor.errors import ConfigError
from victor.kitten.language import Language, language, language_of
from victor.kitten.line_breaks import join_lines
from victor.kitten.lists import rewrite
from victor.kitten.passages import NONE, Passage, read, shown_texts
from victor.kitten.removals import Removals
from victor.kitten.settings import Sentences, Settings
from victor.kitten.table_passages import read_tables
from victor.page.events import record
from victor.page.full_record import Markup, markup_of
from victor.page.segment import segment
from victor.page.verdict import Verdict, whole

_ENDS: Final = (".", "?", "!", "…", ":", "。", "！", "？", "।", "۔", "؟")
_PAUSES: Final = (",", ";")
_CLOSING: Final = "\"'”’“»›)]} "


def render(
    verdict: Verdict,
    page: int,
    *,
    markup: bytes | Markup | None = None,
    settings: Settings | None = None,
    removals: Removals | None = None,
    **metadata: object,
) -> str:
    """The kept part of a page as lines of one sentence; empty if nothing is kept.

    Args:
        verdict: what to keep.
        page: number of the page in the batch.
        markup: the UTF-8 bytes that the page was read from, or their full record.
        settings: which rules are switched on; None for the shipped ones.
        removals: where the texts go that rules drop; None if nobody asks.
        metadata: not used.

    Raises:
        ConfigError: no markup, or not that of this page.
    """
    if markup is None:
        raise ConfigError("sentences need the markup of the page: give markup=<UTF-8 bytes>")
    table = verdict.table
    rules = settings or Settings()
    archive = removals if removals is not None else Removals()
    full = markup if isinstance(markup, Markup) else markup_of(table, page, markup)
    expand = rules.sentences.expand_abbreviations
    texts = shown_texts(full, full.blocks(table, page), verdict.kept, expand=expand)
    passages = read(full.items, texts, rules.sentences, archive)
    spoken = _language(rules, table.heads[page].language, passages)
    if rules.tables.clauses:
        passages = read_tables(passages, full, texts, archive)
    if rules.sentences.join_breaks:
        passages = [_with_lines_joined(passage, spoken) for passage in passages]
    passages = rewrite(passages, rules.lists, spoken, archive)
    return "".join(_lines(passages, rules.sentences, spoken))


def whole_page(
    markup: bytes, settings: Settings | None = None, removals: Removals | None = None
) -> str:
    """A page, of which nothing but what the rules say is dropped, as lines of one sentence.

    Args:
        markup: UTF-8 bytes.
        settings: as for `render`.
        removals: as for `render`.
    """
    verdict = whole(segment(record([markup]), "block"))
    return render(verdict, 0, markup=markup, settings=settings, removals=removals)


def _language(rules: Settings, declared: str | None, passages: Sequence[Passage]) -> Language:
    if rules.language is not None:
        return language(rules.language)
    return language_of(declared, " ".join(passage.text for passage in passages))


def _with_lines_joined(passage: Passage, spoken: Language) -> Passage:
    if passage.is_pre or passage.is_finished or "\n" not in passage.text:
        return passage
    return replace(passage, text=join_lines(passage.text, spoken))


def _lines(passages: Sequence[Passage], rules: Sentences, spoken: Language) -> Iterator[str]:
    """The lines of a page, each with its end."""
    before: Passage | None = None
    for passage in passages:
        if before is not None and not _belong_together(before, passage):
            yield "\n"
        before = passage
        text = passage.text
        if rules.full_stops and not passage.is_finished:
            text = _with_stop(text)
        is_whole = passage.is_finished or not rules.split
        for line in text.split("\n"):
            for sentence in [line] if is_whole else spoken.sentences(line):
                yield f"{sentence}\n"


def _belong_together(before: Passage, after: Passage) -> bool:
    """Items of one list, or clauses of one table."""
    same_list = after.outer_list != NONE and before.outer_list == after.outer_list
    both_finished = before.is_finished and after.is_finished
    return same_list or (both_finished and after.table != NONE and before.table == after.table)


def _with_stop(text: str) -> str:
    """A text that ends as a sentence does; a comma at its end becomes a full stop."""
    end = text.rstrip(_CLOSING)
    if end.endswith(_ENDS) or not any(map(str.isalnum, text)):
        return text
    return (text.rstrip(";, ") if text.endswith(_PAUSES) else text) + "."
