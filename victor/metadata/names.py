"""Split and clean strings that name authors: people, and organisations that sign as people do."""

from __future__ import annotations

import re
from typing import Final

from victor.metadata.addresses import is_address
from victor.metadata.dates import days_in
from victor.metadata.texts import clean, letters, unique
from victor.metadata.word_lists import any_of, word_list

_LONGEST: Final = 600
"""Characters of a list of names."""
_LONGEST_NAME: Final = 90
_MOST_WORDS: Final = 9
MOST_NAMES: Final = 60


def _label(*lists: str) -> re.Pattern[str]:
    """A pattern for what stands before names: a phrase of some lists and a separator."""
    return re.compile(
        rf"(?:(?i:{any_of(*lists)})(?:\s?[:：•|-]\s?|\s)|(?:[A-Z][a-z]+ b|B)y(?=[A-Z])|文●)"
    )


_LABEL: Final = _label("by")
_LABEL_IN_TEXT: Final = _label("by", "by_in_text")
_LABELS: Final = frozenset(map(letters, word_list("by") | word_list("by_in_text")))
_SPLIT: Final = re.compile(
    r"\s?[;|/•·‧⋅●–—、，／]\s?|,?\s(?:[Aa]nd|AND|und|et|og|och|en|e|y|i|и|та|with|mit|avec|con|&|\+)\s"
    r"|\s-\s|,\s?",
)
_DEGREE: Final = re.compile(
    r"(?:[A-Z][A-Za-z]{0,3}\.?){1,3}(?:-[A-Z]{1,4})?|[JS]r\.?|I{1,3}|Ph\.?\s?D\.?|Esq\.?|"
    r"M\.?Sc\.?|B\.?Sc\.?|PharmD|PsyD|MSc|MPhil|DPhil|CSc\.?|DrSc\.?|[A-Z]{2,6}(?:\s[A-Z]{2,6}){0,3}|"
    r"[A-Z]{2,4}®"
)
_AGENCIES: Final = frozenset(
    "AP AFP CNN BBC TNN PTI ANI IANS UPI NPR CBS NBC ABC DPA APA EFE ANSA ČTK PAP USA UK US".split()
)
_CUT_WORDS: Final = (
    r"\b(?:[Uu]pdated|[Pp]ublished|[Pp]osted|[Rr]eviewed|[Mm]edically|[Ff]act.[Cc]hecked|[Ee]dited|"
    r"[Jj]oined|[Ll]ast|[Rr]ead|[Ff]ollow|[Pp]hotos? by|[Ii]mages? by|UPDATED|PUBLISHED|POSTED)\b"
    r"|\d{1,2}\s?min(?:ute)?s?\b|»"
)
_CUT: Final = re.compile(rf"\s?(?:[\[<{{|]|\s-\s|{_CUT_WORDS}).*+", re.DOTALL)
_CUT_IN_TEXT: Final = re.compile(
    rf"\s?(?:[(\[<{{|]|\s-\s|{_CUT_WORDS}|\b(?:on|for|in|at|from)(?:\s(?=[A-Za-z\d])|$)|\bIn:?\s(?=[A-Z])"
    r"|\b(?:Contributor|View|Discussion|Article|Date)\b).*+",
    re.DOTALL,
)
"""Where the names end."""
_NO_NAME: Final = word_list("no_names")
_HEADINGS: Final = word_list("headings")
_ROLE: Final = re.compile(rf"\b(?:{any_of('roles')})\b", re.IGNORECASE)
_CAPITALIZED: Final = re.compile(
    r"[^\W\d_a-z](?=[^\W\d_]*?[a-zà-öø-ÿāăąćčďđēęěğīłńňōőřśšţťūůűźżž])\S++|[A-Z]\.?"
)
_PARTICLES: Final = frozenset(
    "de da di del della der den van von la le el al bin ter du dos y".split()
)
_MAIL: Final = re.compile(r"(?<!\S)\S[^\s@]*+@\S[^\s.]*+\.\S++")
_SOCIAL: Final = re.compile(r"@\w{1,30}")
_FORBIDDEN: Final = re.compile(
    r"[<>{}=:\\^~#$%?!*\[\]\"“”]|\s\d|https?:|www\.|\.(?:com|org|net|php)\b"
)
_MANY_DIGITS: Final = re.compile(r"\d{5}")
_LETTER: Final = re.compile(r"[^\W\d_]")


def names_in(text: str, *, is_declared: bool = False, logins: bool = False) -> tuple[str, ...]:
    """The names that a text is made of, each once; empty where it is no list of names.

    Args:
        text: what stands where an author does: ``By A. Keeper and B. Waggle, PhD``.
        is_declared: it is one value of data, so that names may be in lower case.
        logins: log-in names count, too.
    """
    text = clean(text[:_LONGEST])
    if "@" in text:
        text = _MAIL.sub(" ", text).strip()
    if not text or is_address(text):
        return ()
    text = without_label(text, is_declared=is_declared)
    text = (_CUT if is_declared else _CUT_IN_TEXT).sub("", _without_date(text))
    parts = _joined([part.strip() for part in _SPLIT.split(text)])
    names = [_name(part, is_declared=is_declared, logins=logins) for part in parts[:MOST_NAMES]]
    return unique(names)


def without_label(text: str, *, is_declared: bool = False) -> str:
    """A text without ``By`` and the like in front; see `names_in`."""
    label = _LABEL if is_declared else _LABEL_IN_TEXT
    for _ in range(2):
        match = label.match(text)
        if match is None:
            break
        text = text[match.end() :].lstrip(" :,")
    return text


def has_label(text: str) -> bool:
    """Does a text begin with ``By`` or the like."""
    return _LABEL_IN_TEXT.match(text) is not None


def _without_date(text: str) -> str:
    """What stands before the first date, or behind it where nothing does."""
    days = days_in(text, month_first=True)
    if not days:
        return text
    before = text[: days[0].start].rstrip(" ,|-–—·•")
    return before or text[days[0].end :].lstrip(" ,|-–—·•")


def _joined(parts: list[str]) -> list[str]:
    """Parts between separators; a degree belongs to the name before it, a role to none."""
    joined: list[str] = []
    for part in parts:
        if joined and part and _DEGREE.fullmatch(part) and part not in _AGENCIES:
            joined[-1] += f", {part}"
        elif part and part not in _AGENCIES and not (joined and _ROLE.search(part)):
            joined.append(part)
    return joined


def _name(part: str, *, is_declared: bool, logins: bool) -> str:
    """A part as a name, or ""."""
    name = _SOCIAL.sub("", part) if "@" in part else part
    name = name.strip(" ,.:;|-–—·•'\"“”&")
    name = without_label(name, is_declared=is_declared)
    if name.endswith((" Jr", " Sr", " M.D", " Ph.D", " Inc")):
        name += "."
    plain = letters(name)
    if not plain or plain in _NO_NAME or plain in _LABELS or len(name) > _LONGEST_NAME:
        return ""
    if (
        "admin" in plain
        or _FORBIDDEN.search(name)
        or len(name.split()) > _MOST_WORDS
        or not _LETTER.search(name)
    ):
        return ""
    if not logins and _MANY_DIGITS.search(name):
        return ""
    is_lower = name == name.lower() and name != name.upper()
    if is_lower and not logins and (not is_declared or " " not in name):
        return ""
    return name if len(plain) > 1 else ""


def is_likely(name: str) -> bool:
    """Is it likely a name: no word but the last is one that headings have."""
    parts = name.split()
    several = parts[:-1] if len(parts) > 1 else parts
    return not any(letters(part) in _HEADINGS for part in several)


def is_personal(name: str) -> bool:
    """Is it likely a person's: two to four words with capitals, none that headings have."""
    parts = name.split()
    return 2 <= len(parts) <= 4 and all(
        (_CAPITALIZED.fullmatch(part) and letters(part) not in _HEADINGS) or part in _PARTICLES
        for part in parts
    )
