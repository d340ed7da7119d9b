"""What markup calls the elements around a block, e.g. comment or teaser; signs of comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Hashes, Ints, prefix_sums, window_sums
from victor.base.errors import ConfigError
from victor.base.files import package_folder
from victor.config import Section, compiled, from_data, plain_yaml
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.features.kernels import tag_ids
from victor.page.names.name_groups import (
    ATTRIBUTES,
    MOST_GROUPS,
    WHOLE_PAGE,
    NameGroups,
    near,
    without_whole_page,
)
from victor.page.names.phrases import Phrases
from victor.page.names.threads import head_signs, thread_signs
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import distance, first_of_page, last_until

_LIST: Final = "class_groups.yaml"
_NOT_MEASURED: Final = frozenset({"advertisement", "meta", "tags"})
"""Groups without a column: there trees did better without (docs/reference/columns.md)."""
_THREAD: Final = "forum"
"""The group that tells threads."""
_SHARES: Final = ("comment", "body", "related", "modal", "cookie")
_FAR: Final = 255
_FAR_WORDS: Final = 2000
_PROSE: Final = 25
_WINDOW: Final = 8
_SHORT: Final = 80
_EDGE: Final = 50
_HEADING, _MARK, _MORE, _DIALOG, _LONG_MORE, _LONG_DIALOG = (1 << list_ for list_ in range(6))
_GROUP: Final = re.compile(r"[a-z][a-z0-9-]*")

_COLUMNS: Final = (
    Column("comment.since", "count", "blocks since the last in a comment element, 255 if none"),
    Column("comment.offset", "number", "blocks after the first in a comment element, 999 if none"),
    Column("comment.words-before", "number", "words before the first comment element, -1 if none"),
    Column("comment.prose-outside", "count", "blocks of 25 free words outside comment elements"),
    Column("comment.since-heading", "count", "blocks since a heading of comments, 255 if none"),
    Column("comment.marks", "count", "marks such as reply, report or said within 8 blocks"),
    Column("more.own", "bool", "does the text end like a teaser: read more"),
    Column("more.near", "count", "texts within 8 blocks that end like a teaser"),
    Column("dialog.near", "count", "texts of cookie banners and dialogs within 8 blocks"),
    Column(
        "thread.signs", "count", "sorts of sign that the page is a thread: names, generator, type"
    ),
    Column("thread.posts", "count", "elements of the page that are named as posts of threads are"),
)


class _Texts(Section, frozen=True):
    """What short blocks say, by language: phrases as `victor.page.names.phrases` reads them."""

    headings: Mapping[str, tuple[str, ...]] = {}
    """Headings of comments."""
    marks: Mapping[str, tuple[str, ...]] = {}
    """Marks of single comments."""
    more: Mapping[str, tuple[str, ...]] = {}
    """Ends of teasers."""
    dialogs: Mapping[str, tuple[str, ...]] = {}
    """Texts of cookie banners and other dialogs."""


class _Lists(Section, frozen=True):
    """A file of words."""

    groups: Mapping[str, tuple[str, ...]] = {}
    """Patterns of names by group, as `victor.page.names.name_groups` reads them."""
    texts: _Texts = _Texts()
    """Phrases of blocks."""


def build(lists: str | Sequence[str] = (), *, shipped: bool = True) -> Feature:
    """Groups of names around a block, and signs of comments and teasers near it.

    Names are classes, ids, roles, itemprops and itemtypes; those of <html> and <body> do not count,
    as they are around everything. Near are the block's innermost element, the one around that, its
    container and two block-level ancestors.

    Args:
        lists: one or more YAML files in the form of ``features/class_groups.yaml``, whose words are
            added; a group that is new has columns of its own.
        shipped: whether the words of that file count.

    Raises:
        ConfigError: a file cannot be read, or has another form; there is no word at all.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<p>Bees<div class=comment-list><h3>1 comment</h3><p>Nice!<a>Reply</a></div>"
    >>> values = build()(parse_pages([page], "block"))
    >>> values["class.comment"].tolist(), values["comment.since-heading"].tolist()
    ([0, 2, 2], [255, 0, 1])
    >>> values["class-share.comment"], values["comment.offset"]
    (array([0.8, 0.8, 0.8]), array([-1,  0,  1]))
    """
    paths = [lists] if isinstance(lists, str) else lists
    if not isinstance(paths, list | tuple) or not all(isinstance(path, str) for path in paths):
        raise ConfigError(f"class_groups: lists: want paths of YAML files, got {lists!r}")
    if not isinstance(shipped, bool):
        raise ConfigError(f"class_groups: shipped is true or false, got {shipped!r}")
    files = [_checked_lists(Path(path)) for path in paths]
    if shipped:
        file = package_folder("victor.features") / _LIST
        files.insert(0, from_data(_Lists, compiled.read(file), str(file)))
    words = _Words.of(files)
    compute = partial(_compute, words=words)
    return Measure(_columns(words.groups), compute, attributes=ATTRIBUTES, kernel=_kernel(words))


def _kernel(words: _Words) -> Kernel:
    """The compiled twin."""
    rows = {group: number for number, group in enumerate(words.groups)}
    shares = [rows[group] for group in _SHARES]
    parameters = (
        np.arange(len(rows), dtype=np.int64),
        np.array(shares, dtype=np.int64),
        tag_ids(sorted(WHOLE_PAGE)),
        np.array([rows[_THREAD]] if _THREAD in rows else [], dtype=np.int64),
    )

    def inputs(table: BlockTable) -> tuple[Hashes, Ints, Ints]:
        return words.names.masks(table), _phrases_of(table, words.phrases), head_signs(table)

    return Kernel("class_groups", parameters, inputs)


def _columns(groups: Iterable[str]) -> tuple[Column, ...]:
    """The columns, given the names of the groups."""
    places = [
        Column(
            f"class.{group}",
            "count",
            f"is an element around it named as {group}: 0 none, 1 far, 2 near",
        )
        for group in groups
    ]
    shares = [
        Column(f"class-share.{group}", "number", f"share of the page's words in {group} elements")
        for group in _SHARES
    ]
    return (*places, *shares, *_COLUMNS)


def _checked_lists(path: Path) -> _Lists:
    """The words of a file of the user, each checked, so that a message names the file."""
    content = plain_yaml.read(path)
    if not content:
        raise ConfigError(f"{path} is empty; want `groups` or `texts`, see features/{_LIST}")
    words = from_data(_Lists, content, str(path))
    for group, patterns in words.groups.items():
        if not _GROUP.fullmatch(group):
            raise ConfigError(f"{path}: groups.{group}: want small letters, digits and hyphens")
        _checked(partial(NameGroups, [patterns]), f"{path}: groups.{group}")
    for name, by_language in words.texts.to_data().items():
        for language, phrases in by_language.items():
            _checked(partial(Phrases, [phrases]), f"{path}: texts.{name}.{language}")
    return words


def _checked(make: Callable[[], object], where: str) -> None:
    """Name the place of what a list of words refuses."""
    try:
        make()
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


class _Words(Struct, frozen=True):
    """The words of all files.

    Attributes:
        groups: name of each group to its bit; the first are those that columns are about.
        names: patterns of the groups.
        phrases: headings, marks, ends of teasers, texts of dialogs; once more the ends of teasers
            and beginnings of dialogs that blocks of any length may have.
    """

    groups: Mapping[str, np.uint64]
    names: NameGroups
    phrases: Phrases

    @classmethod
    def of(cls, files: Sequence[_Lists]) -> _Words:
        """The words of some files together.

        Raises:
            ConfigError: there is none, or there are too many groups.
        """
        if not files:
            raise ConfigError("class_groups: without the shipped words, `lists` has to name a file")
        patterns: dict[str, list[str]] = {group: [] for group in _SHARES}
        for file in files:
            for group, added in file.groups.items():
                patterns.setdefault(group, []).extend(added)
        if len(patterns) > MOST_GROUPS:
            message = f"{len(patterns)} groups, at most {MOST_GROUPS} are possible; join some"
            raise ConfigError(f"class_groups: {message}")
        for group in _NOT_MEASURED & patterns.keys():
            del patterns[group]
        bits = {group: np.uint64(1 << number) for number, group in enumerate(patterns)}
        return cls(bits, NameGroups([*patterns.values()]), _phrases(files))


def _phrases(files: Sequence[_Lists]) -> Phrases:
    """The phrases of some files, list after list as the bits of signs are."""
    headings, marks, more, dialogs = (
        [
            phrase
            for file in files
            for phrases in getattr(file.texts, name).values()
            for phrase in phrases
        ]
        for name in ("headings", "marks", "more", "dialogs")
    )
    long_more = [phrase for phrase in more if phrase.startswith("* ")]
    long_dialogs = [phrase for phrase in dialogs if phrase.endswith(" *")]
    return Phrases([headings, marks, more, dialogs, long_more, long_dialogs])


def _compute(table: BlockTable, *, words: _Words) -> Mapping[str, ColumnValues]:
    of_bundles = words.names.masks(table)
    masks = without_whole_page(table, of_bundles[table.elements.bundle])
    signs_of_pages, posts = _of_threads(table, of_bundles, words.groups)
    far = table.elements.gathered(masks)
    signs = _signs(table, words.phrases)
    comment = far[table.element] & words.groups["comment"] != 0
    return {
        **_places(words.groups, near(table, masks), far[table.element]),
        **_shares(table, far[table.segment_element], words.groups),
        **_around_comments(table, comment),
        **_of_signs(table, signs),
        "thread.signs": signs_of_pages[table.page],
        "thread.posts": posts[table.page],
    }


def _of_threads(
    table: BlockTable, masks: Hashes, groups: Mapping[str, np.uint64]
) -> tuple[Ints, Ints]:
    """(P,) signs of a thread on each page, and elements named as its posts are, at most 255.

    Args:
        table: the pages.
        masks: bits of the groups by bundle row.
        groups: name of each group to its bit.
    """
    is_named = masks & groups.get(_THREAD, np.uint64(0)) != 0
    named = np.flatnonzero(is_named[table.elements.bundle])
    is_post = ~member_mask(WHOLE_PAGE)[table.elements.tag[named]]
    posts = np.bincount(table.page_of_element[named[is_post]], minlength=table.n_pages)
    return thread_signs(table, named), np.minimum(posts, _FAR)


def _places(groups: Mapping[str, np.uint64], near: Hashes, far: Hashes) -> dict[str, ColumnValues]:
    """2 where an element near a block is of the group, 1 where one further out is, else 0."""
    return {
        f"class.{group}": (near & bit != 0).view(np.uint8) + (far & bit != 0).view(np.uint8)
        for group, bit in groups.items()
    }


def _shares(
    table: BlockTable, masks: Hashes, groups: Mapping[str, np.uint64]
) -> dict[str, ColumnValues]:
    """Shares of the words of each page, given the bits around each segment."""
    page_words = np.maximum(table.page_words, 1)
    values: dict[str, ColumnValues] = {}
    for group in _SHARES:
        inside = table.sum_segments(table.segment_words * (masks & groups[group] != 0))
        share = window_sums(inside, table.page_starts) / page_words
        values[f"class-share.{group}"] = share[table.page]
    return values


def _around_comments(table: BlockTable, comment: Bools) -> dict[str, ColumnValues]:
    """Distances to comment elements, and what is outside them."""
    first_comment = first_of_page(table, comment)
    before = prefix_sums(table.words)
    words = before[first_comment] - before[table.page_starts[:-1]]
    words_before = np.where(first_comment >= 0, np.minimum(words, _FAR_WORDS), -1)
    prose = (table.free_words >= _PROSE) & ~comment
    return {
        "comment.since": _since(table, comment),
        "comment.offset": distance(table, first_comment),
        "comment.words-before": words_before[table.page],
        "comment.prose-outside": window_sums(prose, table.page_starts)[table.page],
    }


def _of_signs(table: BlockTable, signs: Ints) -> dict[str, ColumnValues]:
    """What is near headings of comments, marks of comments, ends of teasers and dialogs."""
    more, dialog = signs & _MORE > 0, signs & _DIALOG > 0
    return {
        "comment.since-heading": _since(table, signs & _HEADING > 0),
        "comment.marks": _within(table, signs & _MARK > 0),
        "more.own": more,
        "more.near": _within(table, more),
        "dialog.near": _within(table, dialog),
    }


def _signs(table: BlockTable, phrases: Phrases) -> Ints:
    """(n,) bits of what each block says; of a long one only its begin and end are looked at."""
    signs = _phrases_of(table, phrases).copy()
    is_long = table.end - table.start > _SHORT
    signs[is_long] &= _LONG_MORE | _LONG_DIALOG
    signs[signs & _LONG_MORE > 0] |= _MORE
    signs[signs & _LONG_DIALOG > 0] |= _DIALOG
    signs[_is_cut_off(table)] |= _MORE
    return signs


def _phrases_of(table: BlockTable, phrases: Phrases) -> Ints:
    """(n,) bits of the phrases that each block, or an end of it, consists of."""
    return phrases.of_blocks(table, short=_SHORT, edge=_EDGE)


def _is_cut_off(table: BlockTable) -> Bools:
    """(n,) does a text end in an ellipsis in brackets, as excerpts do."""
    last, dots, more_dots = (
        table.chars[np.maximum(table.end - back, table.start)] for back in (1, 2, 3)
    )
    is_cut = (dots == ord("…")) | (dots == ord(".")) & (more_dots == ord("."))
    is_cut &= (last == ord("]")) | (last == ord(")"))
    return np.asarray(is_cut)


def _since(table: BlockTable, chosen: Bools) -> Ints:
    """(n,) blocks since the last chosen one of the page, 255 if none."""
    last_block = last_until(table, chosen)
    return np.where(last_block >= 0, np.minimum(np.arange(len(table)) - last_block, _FAR), _FAR)


def _within(table: BlockTable, chosen: Bools) -> Ints:
    """(n,) chosen blocks of the page at most `_WINDOW` blocks away, the block itself included."""
    index, before = np.arange(len(table)), prefix_sums(chosen)
    start = np.maximum(index - _WINDOW, table.page_starts[table.page])
    beyond = np.minimum(index + _WINDOW + 1, table.page_starts[table.page + 1])
    return before[beyond] - before[start]
