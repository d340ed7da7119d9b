"""Split and clean strings that name authors: people, and organisations that sign as people do."""

from __future__ import annotations

import re
from typing import Final

from victor.metadata.dates import days_in, month
from victor.metadata.texts import any_of, clean, is_address, letters, unique, word_list

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
_AND: Final = re.compile(r"\s(?:and|und|et|og|och|en|e|y|i|и|та)\s")
_FEWEST_SMALL: Final = 2
_DEGREE: Final = re.compile(
    r"(?:[A-Z][A-Za-z]{0,3}\.?){1,3}(?:-[A-Z]{1,4})?|[JS]r\.?|I{1,3}|Ph\.?\s?D\.?|Esq\.?|"
    r"M\.?Sc\.?|B\.?Sc\.?|PharmD|PsyD|MSc|MPhil|DPhil|CSc\.?|DrSc\.?|[A-Z]{2,6}(?:\s[A-Z]{2,6}){0,3}|"
    r"[A-Z]{2,4}®"
)
_AGENCIES: Final = frozenset(
    "AP AFP CNN BBC TNN PTI ANI IANS UPI NPR CBS NBC ABC DPA APA EFE ANSA ČTK PAP USA UK US".split()
)
_CUT_WORDS: Final = (
    r"\b(?:[Uu]pdated|[Pp]ubli(?:shed|é)|[Pp]osted|[Rr]eviewed|[Mm]edically|[Ff]act.[Cc]hecked|[Ee]dited|"
    r"[Jj]oined|[Ll]ast|[Rr]ead|[Ff]ollow|[Pp]hotos? by|[Ii]mages? by|UPDATED|PUBLISHED|POSTED)\b"
    r"|\d{1,2}\s?min(?:ute)?s?\b|»"
)
_CUT: Final = re.compile(rf"\s?(?:[\[<{{|]|\s-\s|{_CUT_WORDS}).*+", re.DOTALL)
_CUT_IN_TEXT: Final = re.compile(
    rf"\s?(?:[(\[<{{|]|\s[-@]\s|{_CUT_WORDS}|\b(?:on|for|in|at|from)(?:\s(?=[A-Za-z\d])|$)|\bIn:?\s(?=[A-Z])"
    r"|\b(?:Contributor|View|Discussion|Article|Date)\b).*+",
    re.DOTALL,
)
"""Where the names end."""
_NO_NAME: Final = word_list("no_names")
_WEEKDAYS: Final = word_list("weekdays")
_SHORTEST_DAY: Final = 4
"""Letters of the name of a day or month; a shorter one (``May``) may be of a person."""
_LONGEST_PARTICLE: Final = 3
_MOST_WORDS_IN_TEXT: Final = 6
_GLUED: Final = re.compile(r"[^\W\d_A-Z]{3}(?<!Fitz)[A-Z][a-z]")
"""Two words in one, such as a label and a name; in names few small letters stand there."""
_POST: Final = re.compile(rf"\b(?:{any_of('roles')})\b", re.IGNORECASE)
_ROLE: Final = re.compile(rf"\b(?:{any_of('roles', 'organisations')})\b", re.IGNORECASE)
_FEWEST_BEFORE_POST: Final = 4
"""Words before a post, so many that the third and later ones belong to it: names may have three."""
_CAPITALIZED: Final = re.compile(
    r"[^\W\d_a-z](?=[^\W\d_]*?[a-zà-öø-ÿāăąćčďđēęěğīłńňōőřśšţťūůűźżž])\S++|[A-Z]\.?"
)
_PARTICLES: Final = frozenset(
    "de da di del della der den van von la le el al bin ter du dos y".split()
)
_MAIL: Final = re.compile(r"(?<!\S)\S[^\s@]*+@\S[^\s.]*+\.\S++")
_SOCIAL: Final = re.compile(r"@\w{1,30}")
_FORBIDDEN: Final = re.compile(
    r"[<>{}=:\\^~#$%?!*\[\]\"“”]|^[^(]*\)|\s\d|https?:|www\.|\.(?:com|org|net|php)\b"
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
    if not text or is_address(text) or "://" in text:
        return ()
    text = without_label(text, is_declared=is_declared)
    text = (_CUT if is_declared else _CUT_IN_TEXT).sub("", _without_date(text))
    parts = _joined(_split(_turned(text)))
    names = [_name(part, is_declared=is_declared, logins=logins) for part in parts[:MOST_NAMES]]
    if not is_declared and _ends_in_place(text, names):
        del names[-1]
    return unique(names)


def _turned(text: str) -> str:
    """A list such as ``Keeper, Anna; Waggle, B.`` with given names in front."""
    pairs = [part.split(", ") for part in text.split("; ")]
    is_turned = len(pairs) > 1 and all(len(pair) == 2 for pair in pairs)
    if not is_turned or any(" " in family and family[0].isupper() for family, _ in pairs):
        return text  # names with degrees
    return "; ".join(f"{given} {family}" for family, given in pairs)


def _ends_in_place(text: str, names: list[str]) -> bool:
    """Stands a single word behind the names of a list: ``Anna Keeper and B. Waggle, Berlin``."""
    if len(names) < 2:
        return False
    *people, last = names
    return " " not in last and text.endswith(f", {last}") and all(map(is_personal, people))


def without_label(text: str, *, is_declared: bool = False) -> str:
    """A text without ``By`` and the like in front; see `names_in`."""
    label = _LABEL if is_declared else _LABEL_IN_TEXT
    for _ in range(2):
        match = label.match(text)
        if match is None:
            break
        text = text[match.end() :].lstrip(" :,")
    return text


def has_label(text: str, *, is_declared: bool = False) -> bool:
    """Does a text begin with ``By`` or the like; see `names_in`."""
    return (_LABEL if is_declared else _LABEL_IN_TEXT).match(text) is not None


def _without_date(text: str) -> str:
    """What stands before the first date, or behind it where nothing does."""
    days = days_in(text, month_first=True)
    if not days:
        return text
    before = text[: days[0].start].rstrip(" ,|-–—·•")
    return before or text[days[0].end :].lstrip(" ,|-–—·•")


def _split(text: str) -> list[str]:
    """Parts between separators; at an *and* between single words a name is not cut."""
    parts = [part.strip() for part in _SPLIT.split(text)]
    is_one = len(parts) == 2 and not any(" " in part for part in parts) and _AND.search(text)
    return [text] if is_one else parts


def _joined(parts: list[str]) -> list[str]:
    """Parts between separators; a degree belongs to the name before it, a role to none.

    So does what follows a name and is long, such as a post; an agency alone is a name.
    """
    joined: list[str] = []
    for part in parts:
        if joined and part not in _AGENCIES and _is_degree(part, behind=joined[-1]):
            joined[-1] += f", {part}"
        elif part and part not in _AGENCIES and not (joined and _is_role(part)):
            joined.append(part)
    return joined or [part for part in parts if part]


def _is_degree(part: str, *, behind: str) -> bool:
    """Is what follows a name a degree; where names are in capitals, several words are one."""
    is_name = " " in part and behind == behind.upper()
    return not is_name and _DEGREE.fullmatch(part) is not None


def _is_role(part: str) -> bool:
    """Is what follows a name a role: a word for one, or several words in small letters."""
    n_small = sum(word[0].islower() and len(word) > _LONGEST_PARTICLE for word in part.split())
    return n_small >= _FEWEST_SMALL or _ROLE.search(part) is not None


def _name(part: str, *, is_declared: bool, logins: bool) -> str:
    """A part as a name, or ""."""
    name = _SOCIAL.sub("", part) if "@" in part else part
    name = name.strip(" ,.:;|-–—·•'\"“”&")
    name = without_label(name, is_declared=is_declared)
    name = _without_day(name if is_declared else _without_post(name))
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


def _without_post(name: str) -> str:
    """A name without the post behind it: ``Anna Keeper AP Science Writer`` is Anna Keeper."""
    post = _POST.search(name)
    words = name[: post.start()].split() if post else []
    is_part = len(words) == 2 or len(words) >= _FEWEST_BEFORE_POST
    return " ".join(words[:2]) if is_part and not _PARTICLES.intersection(words) else name


def _without_day(name: str) -> str:
    """A name without the day of the week or the month that begins a date behind it."""
    before, _, last = name.rpartition(" ")
    is_long = " " in before and len(last) >= _SHORTEST_DAY
    return before if is_long and (letters(last) in _WEEKDAYS or month(last)) else name


def is_shaped(name: str) -> bool:
    """Has a text the shape of a name: no sentence, no words glued together.

    Names begin with no small letter and no digit, and of their other words only short ones do.
    """
    parts = name.split()
    has_small = any(part[0].islower() and len(part) > _LONGEST_PARTICLE for part in parts)
    return bool(
        parts
        and len(parts) <= _MOST_WORDS_IN_TEXT
        and not parts[0][0].islower()
        and not parts[0][0].isdigit()
        and not has_small
        and not _GLUED.search(name)
    )


def is_personal(name: str) -> bool:
    """Is it likely a person's: two to four words with capitals."""
    parts = name.split()
    return 2 <= len(parts) <= 4 and all(
        _CAPITALIZED.fullmatch(part) or part in _PARTICLES for part in parts
    )
