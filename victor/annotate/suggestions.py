"""What a labeler suggests for the blocks of an annotator.

Annotators label the blocks between block-level tags (`split: block`). A labeler may split a page
differently. Its labels are carried over by the segments that both ways have in common.

The guidelines keep the headline and leave out comments of readers, and so does the scope `article`:
what is suggested is what a labeler keeps in that scope.

A labeler works in another process; a background thread asks it and keeps the answers in the store.
"""

from __future__ import annotations

import logging
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from victor import __version__
from victor.annotate.store import Store, Suggestion
from victor.api import CleanerSpec
from victor.base.arrays import Floats, Ints
from victor.base.errors import PageError
from victor.base.labels import Label
from victor.base.processes import Calls
from victor.config.schema import Scope
from victor.corpus.pages import block_labels, segment_places, to_letters
from victor.kinds.finish import finish
from victor.labelers.labeler import Labeler
from victor.page.allowance import check_blocks, check_bytes
from victor.page.decoding.decode import utf8
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import read_pages
from victor.page.verdict.verdict import Verdict

_LOG: Final = logging.getLogger(__name__)
_LOADED: Final = 2
"""Labelers that a process keeps: one that suggests, and one that was adapted meanwhile."""
_GUIDELINES: Final = Scope(name="article")
"""The scope that keeps what the guidelines keep (annotations/GUIDELINES.md)."""
_BY_RULE: Final = 0.86
"""Probability of a label that the scope changed: 138 of 161 were right in annotations/ and
kinds-dev."""


class LabelerFile(NamedTuple):
    """A labeler as another process loads it: by name or path, and anew if its file has changed."""

    source: str
    version: str
    trust_code: bool = False


@lru_cache(maxsize=_LOADED)
def _labeler(chosen: LabelerFile) -> Labeler:
    spec = CleanerSpec.named(chosen.source)
    return replace(spec, trust_code=chosen.trust_code).build()


def check_labeler(chosen: LabelerFile) -> None:
    """Load a labeler in another process; what is wrong with it is raised there."""
    _labeler(chosen)


def suggest_as(chosen: LabelerFile, html: bytes) -> Suggestion:
    """`suggest` as a job of another process, which loads the labeler once."""
    return suggest(_labeler(chosen), html)


def suggest(labeler: Labeler, html: bytes) -> Suggestion:
    """Suggest labels for the blocks of a page split at block-level tags.

    Raises:
        PageError: the page is beyond the limits of the labeler.
    """
    limits = labeler.limits
    check_bytes(len(html), limits.bytes)
    markup = utf8(html)
    table = labeler.table([markup])
    check_blocks(len(table), limits.blocks)
    blocks = read_pages([markup])
    ((verdict, *_),) = finish(labeler.label(table), [markup], _GUIDELINES)
    rows = table.block_of_segment[_common_segments(table, blocks, canonical=labeler.canonical)]
    labels = block_labels(verdict.labels[rows], blocks)
    marginals = _mean_of_segments(_marginals(verdict)[rows], blocks)
    probability = marginals[np.arange(len(blocks)), labels]
    return Suggestion(
        labels=to_letters(labels),
        confidence=np.rint(100 * np.clip(probability, 0.0, 1.0)).astype(np.uint8),
    )


def _marginals(verdict: Verdict) -> Floats:
    """(n, 3) the labeler's marginals, and `_BY_RULE` where the scope has changed its label."""
    if verdict.by_scope is None or not verdict.by_scope.any():
        return verdict.marginals
    by_rule = np.full((len(Label), len(Label)), (1 - _BY_RULE) / (len(Label) - 1))
    np.fill_diagonal(by_rule, _BY_RULE)
    changed = verdict.by_scope[:, None]
    return np.asarray(np.where(changed, by_rule[verdict.labels], verdict.marginals))


def _common_segments(table: BlockTable, blocks: BlockTable, *, canonical: bool) -> Ints:
    """(S,) segment of the labeler's table in which every segment of `blocks` begins.

    Both have the same visible characters in the same order, except for alternative texts.
    """
    if canonical or not len(blocks.segments) or not len(table.segments):
        return np.arange(len(blocks.segments))
    visible, added = segment_places(table)
    ends = np.cumsum(np.where(added > 0, 0, visible))
    lengths = segment_places(blocks)[0]
    segments = np.searchsorted(ends, np.cumsum(lengths) - lengths, side="right")
    return np.asarray(np.minimum(segments, len(table.segments) - 1))


def _mean_of_segments(marginals: Floats, blocks: BlockTable) -> Floats:
    """(n, 3) mean over the words of each block, from (S, 3); over its segments if it has none."""
    owner, n = blocks.block_of_segment, len(blocks)
    weight = np.where(blocks.words[owner] > 0, blocks.segment_words, 1).astype(np.float64)
    total = np.bincount(owner, weight, n)
    sums = [np.bincount(owner, weight * marginals[:, label], n) for label in Label]
    return np.asarray(np.stack(sums, axis=1) / np.maximum(total, 1.0)[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class Suggester:
    """A labeler that suggests labels.

    Attributes:
        name: as people read it.
        key: as the store knows it; another model of the same name has another key.
        suggest: the suggestion for the bytes of a page; may raise a `PageError`.
    """

    name: str
    key: str
    suggest: Callable[[bytes], Suggestion]


def load_suggester(
    source: str, processes: Calls, name: str | None = None, *, trust_code: bool = False
) -> Suggester:
    """A labeler that suggests, by the name of a labeler or a shipped model, or by a model's path.

    It works in the processes, and is called as its source unless it has another name.

    Raises:
        ModelError: there is none.
        FeatureError: it brings code, and `trust_code` does not allow it.
    """
    path = Path(source)
    version_of = f"{zlib.crc32(path.read_bytes()):08x}" if path.is_file() else __version__
    name = name or (path.stem if path.is_file() else source)
    chosen = LabelerFile(source, version_of, trust_code)
    processes.call(check_labeler, chosen)
    suggest = partial(suggest_as, chosen)
    return Suggester(name, f"{name} {version_of}", lambda html: processes.call(suggest, html))


# --- The thread that asks for them ----------------------------------------------------------------


class _Task(NamedTuple):
    page: str
    suggester: Suggester


class SuggestionWorker:
    """Suggestions for the pages of a store, one after the other, each computed once and kept there.

    Pages that somebody looks at come first.

    Args:
        store: pages and stored suggestions.
        suggester: the labeler that suggests; None for none.

    Attributes:
        suggester: the labeler that suggests now.
    """

    def __init__(self, store: Store, suggester: Suggester | None = None) -> None:
        self._store = store
        self.suggester = suggester
        self._waiting: list[_Task] = []
        """Pages that somebody looks at, or is likely to open next; the last one comes first."""
        self._current: _Task | None = None
        self._failed: set[_Task] = set()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="suggestions", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop after the page that is being worked on."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def replace(self, suggester: Suggester | None) -> None:
        """Use another suggester from now on, and drop the waiting tasks."""
        with self._changed:
            self.suggester = suggester
            self._waiting = []
            self._changed.notify_all()

    def suggestion(self, page_id: str, seconds: float) -> tuple[str, Suggestion] | None:
        """The suggester's name and suggestion, waiting for it at most so many seconds."""
        known = self.known(page_id)
        if known is not None or self.suggester is None:
            return known
        task = _Task(page_id, self.suggester)
        self._ask(task)
        with self._changed:
            self._changed.wait_for(
                lambda: task != self._current and task not in self._waiting, seconds
            )
        return self.known(page_id)

    def known(self, page_id: str) -> tuple[str, Suggestion] | None:
        """The suggester's name and suggestion, if it has been made."""
        if self.suggester is None:
            return None
        suggestion = self._store.suggestions.get(page_id, self.suggester.key)
        return None if suggestion is None else (self.suggester.name, suggestion)

    def is_coming(self, page_id: str) -> bool:
        """Will there be a suggestion for a page that has none yet."""
        return self.suggester is not None and _Task(page_id, self.suggester) not in self._failed

    def prepare(self, page_id: str) -> None:
        """Compute the suggestion for the page that somebody is likely to open next."""
        if self.suggester is not None and self.known(page_id) is None:
            self._ask(_Task(page_id, self.suggester))

    def _ask(self, task: _Task) -> None:
        """Compute a suggestion next, unless it is being computed or has failed."""
        with self._changed:
            if task in self._waiting:
                self._waiting.remove(task)
            if task != self._current and task not in self._failed and not self._closed:
                self._waiting.append(task)
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting)
                if self._closed:
                    return
                task = self._current = self._waiting.pop()
            done = self._try(task)
            with self._changed:
                self._current = None
                if not done:
                    self._failed.add(task)
                self._changed.notify_all()

    def _try(self, task: _Task) -> bool:
        """Compute one suggestion; a page that fails does not stop the others."""
        name, key, suggest_for = task.suggester.name, task.suggester.key, task.suggester.suggest
        try:
            made = suggest_for(self._store.pages.html(task.page))
            self._store.suggestions.keep(task.page, key, made)
        except PageError as error:
            _LOG.warning("no suggestion of %s for %s: %s", name, task.page, error)
        except Exception:  # the thread has to go on with other pages
            _LOG.exception("no suggestion of %s for %s", name, task.page)
        else:
            return True
        return False
