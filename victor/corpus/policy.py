"""One labelling policy over all corpora: what a gold standard decides otherwise is don't-care.

Corpora draw the line between content and the rest in different places. A labeler that learns from
several of them would learn what they contradict each other on. So the blocks of these kinds take
the label of the policy where the corpus says their kind itself, and are neither learnt from nor
scored where rules find it. `RULES` is the whole policy; docs/concepts/labelling-policy.md explains
it, and annotations/GUIDELINES.md is its long form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Floats, Hashes, Ints, Labels
from victor.base.labels import UNLABELLED, Label
from victor.base.lazy import cached_property
from victor.corpus.pages import block_labels
from victor.kinds.kinds import Kinds
from victor.page.parsing.tags import SPLITTING, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN, equal_groups, mixed
from victor.page.verdict.preformatted import PRE

_BY_KIND: Final = {
    "headline": Label.HEADER,
    "byline": Label.OTHER,
    "tags": Label.OTHER,
    "post-meta": Label.OTHER,
}
"""Labels of the kinds that corpora name and leave undecided."""
BY_KIND: Final = "kind"  # name of the rule that a source decides which says what each block is
_COMMENT: Final = "comment"
_COMMENTED: Final = frozenset({"article", "blog", "news", "product", "recipe"})
"""Types of pages below whose text readers comment; elsewhere a comment may be a post."""
_TEXTS: Final = frozenset({"article", "blog", "news"})
_LISTS: Final = frozenset({"collection", "front", "listing"})  # types of pages that lead to others
_TABLES: Final = frozenset({"table"})
_FIGURES: Final = frozenset({"figure", "figcaption"})
_NO_FIGURES: Final = frozenset({"table", "blockquote"})
_DATES: Final = frozenset({"time", "address"})
_LONGEST_BYLINE, _LONGEST_CAPTION = 25, 90
_FORUM, _POST = "forum", "post"
_FEWEST: Final = 3  # entries of a list, at least
_LEVELS: Final = 10  # block-level elements around a block that are looked at for entries
_LEADS: Final = 0.1  # share of the words of entries that are linked, at least
_LINKS: Final = 0.5
_LONGEST_ENTRY: Final = 80
_LONGEST_LINK: Final = 30  # mean words of entries of each sort, at most
_NO_HEADING: Final = 7  # level of a header that is no h1 to h6: it ends at any heading
_PROSE: Final = 10  # words outside links that make running text of a block


class Rule(NamedTuple):
    """One line of the policy, in words and as where gold decides otherwise on the n blocks.

    `by_kind`: where the source says what each block is, that decides instead.
    """

    name: str
    policy: str
    differs: Callable[[_Page], Bools]
    by_kind: bool = True


def judge(
    table: BlockTable,
    labels: Labels,
    *,
    page_type: str | None,
    kinds: Sequence[str] = (),
    believed: Collection[str] = (),
) -> tuple[Labels, Counter[str]]:
    """(S,) labels of segments by the policy, and the blocks changed by the name of the rule.

    Args:
        table: of the page, of `split: block`.
        labels: (S,) of its segments by its gold standard.
        page_type: in the words of the source.
        kinds: (S,) what each segment is, where the source says it, "" where it does not.
        believed: names of rules on which the gold standard decides.
    """
    changes: Counter[str] = Counter()
    if not len(table):
        return labels, changes
    named = labels if BY_KIND in believed else _of_kinds(labels, kinds)
    if _COMMENT not in believed:
        named = _without_replies(named, kinds, page_type)
    changes[BY_KIND] = _n_blocks(table, named != labels)
    is_thread = page_type == _FORUM or _POST in kinds
    page = _Page(table, block_labels(named, table), page_type or "", is_thread)
    is_free = page.labels != UNLABELLED
    result = named.copy()
    for rule in RULES:
        if rule.name in believed or (kinds and rule.by_kind):
            continue
        differs = rule.differs(page) & is_free
        changes[rule.name] = int(differs.sum())
        is_free &= ~differs
        result[differs[table.block_of_segment]] = UNLABELLED
    if not (result == Label.TEXT).any():  # no header where nothing else is kept
        result[result == Label.HEADER] = UNLABELLED
    return result, +changes


def _of_kinds(labels: Labels, kinds: Sequence[str]) -> Labels:
    if not len(kinds):
        return labels
    result = labels.copy()
    names = np.asarray(kinds, dtype=object)
    for name, label in _BY_KIND.items():
        result[names == name] = label
    return result


def _without_replies(labels: Labels, kinds: Sequence[str], page_type: str | None) -> Labels:
    """(S,) labels in which what may be a post of a thread is undecided."""
    if not len(kinds) or page_type in _COMMENTED:
        return labels
    is_comment = np.asarray(kinds, dtype=object) == _COMMENT
    return np.where(is_comment, np.uint8(UNLABELLED), labels)


def _n_blocks(table: BlockTable, is_changed: Bools) -> int:
    return len(np.unique(table.block_of_segment[is_changed]))


class _Page:
    def __init__(self, table: BlockTable, labels: Labels, page_type: str, is_thread: bool) -> None:
        self.table, self.labels = table, labels
        self.page_type, self.is_thread = page_type, is_thread
        self.is_other = labels == Label.OTHER
        self.kept: Bools = (labels == Label.HEADER) | (labels == Label.TEXT)
        self.with_words = table.words > 0

    @cached_property
    def kinds(self) -> Kinds:
        """Headline and comments by the rules, given the labels."""
        labels = np.where(self.labels == UNLABELLED, np.uint8(Label.OTHER), self.labels)
        return Kinds(self.table, labels)

    @cached_property
    def bylines(self) -> Bools:
        """(n,) is a block short, no running text, and named as the author or the date of a text."""
        table, signs = self.table, self.kinds.signs
        named = signs.near("byline", "author") | table.blocks_inside(_DATES)
        is_prose = (self.labels == Label.TEXT) & (table.free_words >= _PROSE)
        return np.asarray(named & (table.words <= _LONGEST_BYLINE) & ~is_prose)


def _subhead(page: _Page) -> Bools:
    following = next_from(page.table, page.with_words)
    following = np.append(following[1:], -1)
    is_text = (page.labels == Label.TEXT) & (page.table.heading_level == 0)
    above = (following >= 0) & is_text[following]
    named = page.bylines | page.kinds.comments.blocks
    return np.asarray((page.table.heading_level > 0) & page.is_other & above & ~named)


def _heads_nothing(page: _Page) -> Bools:
    """Headers without kept text before the next header or heading of their level."""
    level = page.table.heading_level
    rank = np.where(level > 0, level, _NO_HEADING)
    is_head = (level > 0) | (page.labels == Label.HEADER)
    heads = np.zeros(len(page.table), dtype=bool)
    open_heads: list[int] = []
    is_text = (page.labels == Label.TEXT) & ~is_head
    for block in np.flatnonzero(is_head | is_text).tolist():
        if is_text[block]:
            heads[open_heads] = True
            open_heads = []
            continue
        if not (open_heads and open_heads[-1] == block - 1):
            open_heads = [head for head in open_heads if rank[head] < rank[block]]
        open_heads.append(block)
    return np.asarray((page.labels == Label.HEADER) & ~heads)


def _caption(page: _Page) -> Bools:
    """Blocks that stand under a picture, or are named so."""
    table = page.table
    named = table.blocks_inside(_FIGURES) | page.kinds.signs.near("caption")
    named &= (table.heading_level == 0) & (table.free_words > 0)
    elsewhere = table.blocks_inside(_NO_FIGURES)
    return np.asarray(named & (table.words <= _LONGEST_CAPTION) & ~elsewhere)


def _entry(page: _Page) -> Bools:
    """Kept links in a list, and kept parts of cards that lead to other pages."""
    inner, outer = entries(page.table)
    least = 0.0 if page.page_type in _LISTS else _LEADS
    links = (inner.size >= _FEWEST) & (inner.link >= _LINKS) & (inner.words <= _LONGEST_LINK)
    cards = (outer.size >= _FEWEST) & (outer.link >= least) & (outer.words <= _LONGEST_ENTRY)
    if page.page_type not in _LISTS:
        cards &= ~page.table.blocks_inside(_TABLES)
    is_text = page.is_thread or page.page_type in _TEXTS
    return np.asarray((links | cards) & page.kept & (not is_text))


def _post(page: _Page) -> Bools:
    """Running text that is left out of a thread, in records like those that are kept."""
    is_prose = page.kinds.comments.said & (page.table.free_words >= _PROSE)
    return np.asarray(page.is_other & is_prose & page.is_thread)


def _listing(page: _Page) -> Bools:
    """Preformatted text between two kept blocks that gold leaves out."""
    is_pre = page.table.blocks_inside(PRE)
    is_text = page.with_words & ~is_pre
    before, after = last_until(page.table, is_text), next_from(page.table, is_text)
    between = (before >= 0) & page.kept[before] & (after >= 0) & page.kept[after]
    return np.asarray(is_pre & page.is_other & between)


RULES: Final = (
    Rule(
        "headline",
        "The headline of a page with content is a header.",
        lambda page: page.kinds.is_headline & page.is_other & page.kept.any(),
    ),
    Rule("subhead", "A heading right above kept text is a header.", _subhead),
    Rule("empty-heading", "A heading with nothing kept below it is other.", _heads_nothing, False),
    Rule(
        "byline",
        "Who wrote something, and when, is other.",
        lambda page: page.bylines & (page.labels == Label.TEXT),
    ),
    Rule("caption", "A caption may be content: some are sentences, some are names.", _caption),
    Rule(
        _COMMENT,
        "Comments of readers below a text are other.",
        lambda page: page.kinds.comments.blocks & page.kept & (not page.is_thread),
    ),
    Rule(
        "entry",
        "Teasers, products and results that lead to other pages are other.",
        _entry,
        by_kind=False,
    ),
    Rule("post", "Every post of a thread is text.", _post),
    Rule("listing", "Preformatted text between kept blocks is text.", _listing),
)


# --- Entries of lists -----------------------------------------------------------------------------


class Entries(Struct, frozen=True, eq=False):
    """The lists that n blocks are in: how many entries, their mean words, and their linked share.

    Entries are three or more siblings of one tag and first class, block-level and with text.
    """

    size: Floats
    words: Floats
    link: Floats


def entries(table: BlockTable) -> tuple[Entries, Entries]:
    """Lists of the innermost entry around each block, and of the outermost of several blocks."""
    element, starts = _groups(table)
    size = np.diff(starts, append=len(element))
    group = np.repeat(np.arange(len(size)), size)
    words = np.bincount(group, table.element_words[element], len(size))
    links = np.bincount(group, table.element_link_words[element], len(size))
    measures = np.stack((size, words / size, links / np.maximum(words, 1)))
    # The last column is for blocks outside of any.
    columns = np.append(measures.take(group, axis=1), np.zeros((3, 1)), axis=1)
    of_element = np.full(len(table.elements), len(element))
    of_element[element] = np.arange(len(element))
    inner, outer = _around(table, of_element, np.append(_hold_several(table, element), False))
    return Entries(*columns.take(inner, axis=1)), Entries(*columns.take(outer, axis=1))


def _groups(table: BlockTable) -> tuple[Ints, Ints]:
    """Entries, list after list, and where each list begins among them."""
    elements = table.elements
    fit = np.flatnonzero(member_mask(SPLITTING)[elements.tag] & (table.element_words > 0))
    groups = equal_groups(_likeness(table, fit))
    enough = groups.sizes >= _FEWEST
    sizes = groups.sizes[enough]
    return fit[groups.order[np.repeat(enough, groups.sizes)]], np.cumsum(sizes) - sizes


def _likeness(table: BlockTable, element: Ints) -> Hashes:
    """A random-looking number per element, the same for siblings of one tag and first class."""
    elements = table.elements
    looks = table.class_numbers[elements.bundle[element]] << 8 | elements.tag[element]
    parent = elements.parent[element].astype(np.uint64)
    return mixed(parent * GOLDEN ^ mixed(looks.astype(np.uint64)))


def _hold_several(table: BlockTable, element: Ints) -> Bools:
    held = np.searchsorted(table.tag, table.elements.close[element])
    return np.asarray(held - np.searchsorted(table.tag, table.elements.open[element]) > 1)


def _around(table: BlockTable, of_element: Ints, several: Bools) -> tuple[Ints, Ints]:
    """(n,) innermost entry, and outermost entry of several blocks, the last number for none."""
    none = len(several) - 1
    inner, outer = np.full((2, len(table)), none)
    for element in table.ancestors(_LEVELS):
        entry = of_element[element]
        np.copyto(inner, entry, where=inner == none)
        np.copyto(outer, entry, where=several[entry])
    return inner, outer


def last_until(table: BlockTable, chosen: Bools) -> Ints:
    """(n,) the last chosen block of the page at or before each block, -1 if none."""
    last = np.maximum.accumulate(np.where(chosen, np.arange(len(table)), -1))
    return np.where(last >= table.page_starts[table.page], last, -1)


def next_from(table: BlockTable, chosen: Bools) -> Ints:
    """(n,) the first chosen block of the page at or after each block, -1 if none."""
    index = np.where(chosen, np.arange(len(table)), len(table))
    following = np.minimum.accumulate(index[::-1])[::-1]
    return np.where(following < table.page_starts[table.page + 1], following, -1)
