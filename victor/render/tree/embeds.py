"""Videos, music and posts of other sites that a page shows in frames and players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote

import numpy as np

from victor.page.markup.full_record import Kind, Markup, markup_of
from victor.page.markup.start_tags import Attributes
from victor.page.parsing.tags import CUSTOM, IDS, VOID
from victor.render.tree.images import is_inside, row_of
from victor.render.tree.source import Source

_PLAYER: Final = re.compile(
    rb"<(?:video|audio|amp-youtube|lite-(?:youtube|vimeo))\b|<iframe\b(?P<attributes>[^>]*+)",
    re.IGNORECASE,
)
_HOST: Final = re.compile(
    rb"youtu|vimeo|twitter|[/.]x\.com|spotify|soundcloud|dailymotion|archive\.org|ted\.com|facebook|"
    rb"instagram|tiktok|bandcamp|twitch|loom\.com|streamable|codepen|giphy",
    re.IGNORECASE,
)
"""Sites whose frames are players; of others nothing is read."""
_LAZY: Final = ("data-src", "data-lazy-src", "data-litespeed-src", "data-original", "src")
_MEDIA: Final = frozenset({"video", "audio"})
_FACADES: Final = {
    "lite-youtube": "https://www.youtube.com/watch?v={}",
    "amp-youtube": "https://www.youtube.com/watch?v={}",
    "lite-vimeo": "https://vimeo.com/{}",
}
"""Elements that become players when they are clicked; they name the video."""
_ID: Final = re.compile(r"[\w-]{3,40}\Z")
_PLAIN_TITLE: Final = re.compile(
    r"(?:youtube|vimeo|video|audio|embedded|twitter|x|post|player|content|iframe|embed|[ -])+",
    re.IGNORECASE,
)
_PAGES: Final = tuple(
    (re.compile(pattern), address)
    for pattern, address in (
        (r"(?:www\.)?youtube(?:-nocookie)?\.com/(?:embed|v|shorts)/(?!videoseries)([\w-]{6,})",
         "https://www.youtube.com/watch?v={}"),
        (r"youtu\.be/([\w-]{6,})", "https://www.youtube.com/watch?v={}"),
        (r"(?:www\.)?youtube(?:-nocookie)?\.com/embed/?(?:videoseries)?\?(?:.*&)?list=([\w-]+)",
         "https://www.youtube.com/playlist?list={}"),
        (r"player\.vimeo\.com/video/(\d+)", "https://vimeo.com/{}"),
        (r"(?:www\.|geo\.)?dailymotion\.com/(?:embed/video/|player\.html\?video=)(\w+)",
         "https://www.dailymotion.com/video/{}"),
        (r"platform\.(?:twitter|x)\.com/embed/[\w.]+\?(?:.*&)?id=(\d+)", "https://x.com/i/status/{}"),
        (r"(?:www\.)?(?:twitter|x)\.com/(\w+/status/\d+)", "https://x.com/{}"),
        (r"open\.spotify\.com/embed(?:-podcast)?/(\w+/\w+)", "https://open.spotify.com/{}"),
        (r"w\.soundcloud\.com/player/?\?(?:.*&)?url=([^&]+)", "{}"),
        (r"(?:www\.)?facebook\.com/plugins/(?:video|post)\.php\?(?:.*&)?href=([^&]+)", "{}"),
        (r"(?:www\.)?instagram\.com/((?:p|reel)/[\w-]+)", "https://www.instagram.com/{}/"),
        (r"(?:www\.)?tiktok\.com/(?:embed(?:/v\d)?|player/v1)/(\d+)",
         "https://www.tiktok.com/embed/v2/{}"),
        (r"archive\.org/embed/([\w.-]+)", "https://archive.org/details/{}"),
        (r"embed(?:-ssl)?\.ted\.com/(talks/[\w./-]+)", "https://www.ted.com/{}"),
        (r"player\.twitch\.tv/\?(?:.*&)?video=v?(\d+)", "https://www.twitch.tv/videos/{}"),
        (r"(?:www\.)?loom\.com/embed/(\w+)", "https://www.loom.com/share/{}"),
        (r"streamable\.com/(?:[eos]/)?(\w+)", "https://streamable.com/{}"),
        (r"codepen\.io/([\w-]+)/embed/(?:preview/)?(\w+)", "https://codepen.io/{}/pen/{}"),
        (r"(?:www\.)?giphy\.com/embed/(\w+)", "https://giphy.com/gifs/{}"),
        (r"(bandcamp\.com/EmbeddedPlayer/\S+)", "https://{}"),
    )
)  # fmt: skip
"""Addresses of players without their scheme, and of the pages that show the same."""


class Embed(NamedTuple):
    """A video, a piece of music or a post.

    Attributes:
        tag: ordinal of the tag before it, or of its own.
        address: of the page that shows it, or of the file.
        title: as the page gives it, "" for none.
    """

    tag: int
    address: str
    title: str


def embeds(source: Source) -> list[Embed]:
    """What is embedded in the kept content, in order; one twice with no text between is one."""
    has_custom = bool((source.table.elements.tag == IDS[CUSTOM]).any())
    if not (has_custom or source.tags.may_have_players) or not _has_player(source.markup):
        return []
    record = markup_of(source.table, 0, source.markup)
    if record.n_tags != len(source.table.tags.id):
        return []
    found: dict[tuple[int, str], Embed] = {}
    for embed in _players(source, record, may_have_facades=has_custom):
        if embed.address and is_inside(source, embed.tag):
            found.setdefault((row_of(source, embed.tag), embed.address), embed)
    return [*found.values()]


def _has_player(markup: bytes) -> bool:
    """Is there a player in the markup of a page."""
    players = _PLAYER.finditer(markup)
    return any(each[1] is None or _HOST.search(each[1]) is not None for each in players)


def page_of(address: str) -> str:
    """The page that shows what a player shows, "" if the player is of no kind that is known.

    >>> page_of("//www.youtube-nocookie.com/embed/b_PXuEPxN50?rel=0")
    'https://www.youtube.com/watch?v=b_PXuEPxN50'
    """
    bare = re.sub(r"\A(?:https?:)?//", "", address.strip())
    for pattern, page in _PAGES:
        if match := pattern.match(bare):
            written = page.format(*map(unquote, match.groups()))
            return written if written.startswith(("https://", "http://")) else ""
    return ""


def _players(source: Source, record: Markup, *, may_have_facades: bool) -> Iterator[Embed]:
    """The players of a page but for those in what is dropped for other reasons."""
    depth = 0
    files: list[Attributes] = []
    is_start_tag = record.kind == Kind.START
    is_tag = (is_start_tag | (record.kind == Kind.END)) & record.dropped
    if may_have_facades:
        is_tag |= is_start_tag
    for row in np.flatnonzero(is_tag).tolist():
        name, is_start = record.texts[row], is_start_tag[row]
        if not record.dropped[row]:
            if name in _FACADES:
                attributes = record.attributes[row]
                yield Embed(int(record.tag[row]), _of_facade(name, attributes), _title(attributes))
        elif is_start:
            if depth == 0 and name == "iframe":
                attributes = record.attributes[row]
                yield Embed(int(record.tag[row]), _of_frame(attributes), _title(attributes))
            if (depth == 0 and name in _MEDIA) or (files and name == "source"):
                files.append(record.attributes[row])
            depth += name not in VOID
        elif name not in VOID:
            depth -= 1
            if depth == 0 and files:
                yield Embed(int(record.tag[row]), _of_files(source, files), _title(files[0]))
                files = []


def _of_frame(attributes: Attributes) -> str:
    written = (attributes.get(name, "") for name in _LAZY)
    return next((page for address in written if (page := page_of(address))), "")


def _of_facade(name: str, attributes: Attributes) -> str:
    number = attributes.get("videoid") or attributes.get("data-videoid") or ""
    return _FACADES[name].format(number) if _ID.match(number) else ""


def _of_files(source: Source, files: list[Attributes]) -> str:
    """The address of a video or sound; a video that plays by itself is part of the design."""
    if "autoplay" in files[0] and "controls" not in files[0]:
        return ""
    written = (each.get(name, "") for each in files for name in ("src", "data-src"))
    addresses = (source.addresses.image(each) for each in written if each)
    return next(filter(None, addresses), "")


def _title(attributes: Attributes) -> str:
    """The title of a player, but for those that say no more than that it is one."""
    title = " ".join(attributes.get("title", attributes.get("playlabel", "")).split())
    return "" if _PLAIN_TITLE.fullmatch(title) else title
