"""Frames, videos and sounds of the kept content, each as its address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from victor.page.markup.full_record import Kind, Markup, markup_of
from victor.page.parsing.tags import VOID
from victor.render.tree.images import is_inside, row_of
from victor.render.tree.nodes import Embed
from victor.render.tree.source import Source

_HOLDER: Final = re.compile(rb"<(?:video|audio|iframe\b[^<>]*?(?:embed|player|video))", re.I)
"""What the markup of every page with an embed has; a record of its tags takes time to make."""
_PLAYER: Final = re.compile(r"[^?#]*?(?:embed|player|video)", re.I)
"""The address of a frame that shows more than an advertisement or a button."""
_YOUTUBE: Final = re.compile(
    r"(?:https?:)?//(?:www\.)?youtube(?:-nocookie)?\.com/embed/([\w-]{6,})"
)
"""Its frames refuse to be opened as pages."""
_ADDRESSES: Final = ("src", "data-src", "data-lazy-src")
_NO_TITLE: Final = re.compile(r"(?:youtube|vimeo|video|player|embed(?:ded)?|iframe|[ -])*", re.I)
"""A title that says only that something is shown."""
_Tag = Mapping[str, str]


def embeds(source: Source) -> list[tuple[int, Embed]]:
    """What is embedded in the kept content, each with the tag before it, in order.

    One address twice with no text between is one.
    """
    if not source.tags.may_have_players or not _HOLDER.search(source.markup):
        return []
    record = markup_of(source.table, 0, source.markup)
    if record.n_tags != len(source.table.tags.id):
        return []
    found: dict[tuple[int, str], tuple[int, Embed]] = {}
    for tag, name, holders in _holders(record):
        address = _address(source, name, holders)
        if address and is_inside(source, tag):
            title = " ".join(holders[0].get("title", "").split())
            embed = Embed(address, "" if _NO_TITLE.fullmatch(title) else title)
            found.setdefault((row_of(source, tag), address), (tag, embed))
    return [*found.values()]


def _holders(record: Markup) -> Iterator[tuple[int, str, list[_Tag]]]:
    """The outermost elements that are dropped from the text, as frames and media are.

    Yields:
        The tag before one, its name, and its attributes followed by those of the sources in it.
    """
    depth, holders = 0, list[_Tag]()
    is_start = record.kind == Kind.START
    is_tag = (is_start | (record.kind == Kind.END)) & record.dropped
    for row in np.flatnonzero(is_tag).tolist():
        name = record.texts[row]
        is_void = name in VOID
        if is_start[row]:
            if depth == 0:
                holders = []
            if not is_void or name == "source":
                holders.append(record.attributes[row])
            depth += not is_void
        elif not is_void:
            depth -= 1
            if depth == 0:
                yield int(record.tag[row]), name, holders


def _address(source: Source, name: str, holders: Sequence[_Tag]) -> str:
    """The address of a frame or of media; a video that plays by itself is part of the design."""
    is_media = name in ("video", "audio")
    if not (is_media or name == "iframe") or (
        "autoplay" in holders[0] and "controls" not in holders[0]
    ):
        return ""
    written = (each.get(key, "") for each in holders for key in _ADDRESSES)
    addresses = (source.addresses.image(each) for each in written if each)
    address = next(filter(None, addresses), "")
    if match := _YOUTUBE.match(address):
        return f"https://www.youtube.com/watch?v={match[1]}"
    return address if is_media or _PLAYER.match(address) else ""
