"""The header of a TEI document: what is known of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from victor.page.xml_text import attributes, escaped
from victor.render.tei.pointers import pointer

_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}\Z")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|\Z)", re.ASCII)
_DAY_LENGTH: Final = len("2000-01-01")
_FARTHEST: Final = timedelta(hours=14)


def header(metadata: Mapping[str, Any], url: str) -> str:
    """The header, ended by a newline.

    Args:
        metadata: plain data; read are ``title``, ``window_title``, ``authors``, ``published``,
            ``modified``, ``site``, ``publisher``, ``language``, ``description``, ``canonical``,
            ``next_page``, ``previous_page``, ``licence``, ``section`` and ``tags``.
        url: address of the page, "" if unknown.
    """
    statement = _title_statement(metadata)
    dates = "".join(_dates(metadata))
    publication = f"<publisher>{escaped(_publisher(metadata, url))}</publisher>\n"
    return (
        f"<teiHeader>\n<fileDesc>\n<titleStmt>\n{statement}</titleStmt>\n"
        f"<publicationStmt>\n{publication}{dates}{_availability(metadata)}</publicationStmt>\n"
        f"<sourceDesc>\n<bibl>\n{statement}{publication}{dates}"
        f"{''.join(_references(metadata, url))}</bibl>\n</sourceDesc>\n</fileDesc>\n"
        f"{_profile(metadata)}</teiHeader>\n"
    )


def language_of(metadata: Mapping[str, Any]) -> str:
    """The tag of the language, "" if there is none."""
    tag = _first(metadata, "language")
    return tag if _LANGUAGE.match(tag) else ""


def _title_statement(metadata: Mapping[str, Any]) -> str:
    authors = _texts(metadata, "authors")
    main, window = _first(metadata, "title"), _first(metadata, "window_title")
    title = f"<title>{escaped(main)}</title>\n"
    if window not in ("", main):
        title += f'<title type="alt">{escaped(window)}</title>\n'
    return title + "".join(f"<author>{escaped(author)}</author>\n" for author in authors)


def _publisher(metadata: Mapping[str, Any], url: str) -> str:
    """Who publishes the page: as it says, else the name of its site or host, else *unknown*."""
    name = _first(metadata, "publisher", "site")
    if name:
        return name
    try:
        host = urlsplit(url).hostname or urlsplit(_first(metadata, "canonical")).hostname
    except ValueError:
        host = None
    return host or "unknown"


def _dates(metadata: Mapping[str, Any]) -> Iterator[str]:
    for kind in ("published", "modified"):
        date = _first(metadata, kind)
        if date:
            start = attributes(type=kind, when=_when(date))
            yield f"<date{start}>{escaped(date)}</date>\n"


def _when(date: str) -> str:
    """A date or time as XML Schema has it, "" if it is none."""
    if not _DATE.match(date):
        return ""
    try:
        time = datetime.fromisoformat(date)
    except ValueError:
        return ""
    if len(date) == _DAY_LENGTH:
        return date
    offset = time.utcoffset()
    if offset is not None and (abs(offset) > _FARTHEST or offset.seconds % 60):
        return ""
    return time.isoformat()


def _availability(metadata: Mapping[str, Any]) -> str:
    licence = _first(metadata, "licence")
    if not licence:
        return ""
    is_address = licence.startswith(("http://", "https://"))
    start = attributes(target=pointer(licence) if is_address else None)
    return f"<availability>\n<licence{start}>{escaped(licence)}</licence>\n</availability>\n"


def _references(metadata: Mapping[str, Any], url: str) -> Iterator[str]:
    """Addresses of the page and of its neighbours."""
    several = [(kind, _first(metadata, f"{kind}_page")) for kind in ("next", "previous")]
    for kind, address in (("page", url), ("canonical", _first(metadata, "canonical")), *several):
        if address:
            start = attributes(type=kind, target=pointer(address))
            yield f"<ref{start}>{escaped(address)}</ref>\n"


def _profile(metadata: Mapping[str, Any]) -> str:
    parts: list[str] = []
    description, language = _first(metadata, "description"), language_of(metadata)
    if description:
        parts.append(f"<abstract>\n<p>{escaped(description)}</p>\n</abstract>\n")
    if language:
        tag = f"<language{attributes(ident=language)}>{language}</language>"
        parts.append(f"<langUsage>\n{tag}\n</langUsage>\n")
    terms = [
        *_terms("section", _texts(metadata, "section")),
        *_terms("tag", _texts(metadata, "tags")),
    ]
    if terms:
        keywords = f"<keywords>\n{''.join(terms)}</keywords>\n"
        parts.append(f"<textClass>\n{keywords}</textClass>\n")
    return f"<profileDesc>\n{''.join(parts)}</profileDesc>\n" if parts else ""


def _terms(kind: str, texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield f'<term type="{kind}">{escaped(text)}</term>\n'


def _first(metadata: Mapping[str, Any], *names: str) -> str:
    """The first text that one of some fields holds, on one line."""
    return next((text for name in names for text in _texts(metadata, name)), "")


def _texts(metadata: Mapping[str, Any], name: str) -> list[str]:
    """The texts that a field holds, each on one line; it may be a text or a list of texts."""
    value = metadata.get(name)
    texts = value if isinstance(value, list) else [value]
    lines = (" ".join(text.split()) for text in texts if isinstance(text, str))
    return [line for line in lines if line]
