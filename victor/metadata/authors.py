"""Who wrote the main thing of a page: as it declares, else as its bylines say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import chain, islice
from typing import Final, NamedTuple

from victor.metadata.dates import days_in
from victor.metadata.fields import is_written, said
from victor.metadata.page_view import PageView
from victor.metadata.schema_org import ORGANIZATIONS, Graph, Node, types
from victor.metadata.texts import any_of, clean, is_address, letters, unique, word_list

Names = tuple[str, ...]

_MOST_TEXTS: Final = 1_000
"""Texts that name the makers of a thing; those behind references may be there again and again."""
_SHORTEST_SITE: Final = 5  # letters of the name of a site by which a name that has it is known
_LABELS_OF_CARDS: Final = word_list("card_labels")


def authors(view: PageView, site_names: frozenset[str], kind: str) -> tuple[Names, str]:
    """Names and their source.

    The first source that names somebody else than the site or an organisation counts; if there is
    none, the first that names one of these.

    Args:
        view: the page.
        site_names: names of the site and of organisations, as letters without case.
        kind: what the page says that it is, "" if it does not.
    """
    of_site: tuple[Names, str] = ((), "")
    parts_of_site = {name for name in site_names if len(name) >= _SHORTEST_SITE}
    for names, source in _candidates(view, site_names, kind):
        people = tuple(name for name in names if letters(name) not in site_names)
        if of_site[0] and source == "byline":  # the site's team, or its name with a rubric
            people = tuple(
                name for name in people if not any(each in letters(name) for each in parts_of_site)
            )
            people = people if len(people) == len(names) else tuple(filter(is_personal, people))
        if people:
            return people[:MOST_NAMES], source
        if names and not of_site[0]:
            of_site = names, source
    return of_site


def _candidates(
    view: PageView, site_names: frozenset[str], kind: str
) -> Iterator[tuple[Names, str]]:
    for node in view.things:
        yield _of_node(view.graph, node, site_names, logins=view.is_forum), "json-ld"
    yield _of_card(view), "meta"
    for source, texts in said(view, "authors"):
        if several := [*islice(texts, MOST_NAMES)]:
            yield _of_texts(view, several, site_names), source
    yield _of_microdata(view), "microdata"
    if "product" not in kind:  # whose bylines are those of reviews
        yield _byline(view, is_article=is_written(kind)), "byline"


def _of_node(graph: Graph, node: Node, site_names: frozenset[str], *, logins: bool) -> Names:
    """Names of those who made a thing; the names of the site stay as they are."""
    for key in ("author", "creator"):
        of_texts = (
            names
            for value in graph.values(node.get(key))
            for names in _names_of(graph, value, site_names, logins=logins)
        )
        if several := [name for names in islice(of_texts, _MOST_TEXTS) for name in names]:
            return unique(several)
    return ()


def _names_of(
    graph: Graph, value: object, site_names: frozenset[str], *, logins: bool
) -> Iterator[Names]:
    """Names in each text of a value of ``author``: a text itself, or a node with a name."""
    if isinstance(value, str):
        yield names_in(value, is_declared=True)
    if not isinstance(value, Mapping):
        return
    texts = graph.each_text(value.get("name"))
    first = next(texts, "")
    if not first:
        given, family = graph.text(value.get("givenName")), graph.text(value.get("familyName"))
        first = f"{given} {family}".strip()
    is_organization = not ORGANIZATIONS.isdisjoint(types(value))
    for text in chain((first,), texts):
        names = names_in(text, is_declared=True, logins=logins and not is_organization)
        of_site = names and all(letters(name) in site_names for name in names)
        is_whole = of_site or letters(text) in site_names or (is_organization and names)
        yield (text,) if is_whole else names


def _of_texts(view: PageView, texts: list[str], site_names: frozenset[str]) -> Names:
    of_each = (
        (text,)
        if letters(text) in site_names
        else names_in(text, is_declared=True, logins=view.is_forum)
        for text in texts
    )
    return unique([name for names in of_each for name in names])


def _of_card(view: PageView) -> Names:
    """The name in a card for sharing: ``twitter:label1`` says what ``twitter:data1`` is."""
    for number in ("1", "2"):
        if letters(view.meta(f"twitter:label{number}")) in _LABELS_OF_CARDS:
            return names_in(view.meta(f"twitter:data{number}"), is_declared=True)
    return ()


_MOST_ELEMENTS: Final = 60


def _of_microdata(view: PageView) -> Names:
    elements = view.of_page(view.named("author-property"))
    if not elements:
        return ()
    for group in ("name-property", "link-property"):
        for element in view.inside(elements[0], view.named(group))[:_MOST_ELEMENTS]:
            if names := names_in(view.text_of_element(element), logins=view.is_forum):
                return names
    return names_in(view.text_of_element(elements[0]), logins=view.is_forum)


# --- Bylines --------------------------------------------------------------------------------------


class _Mark(Enum):
    """What says that a text is a name."""

    BY, OF, NAME, BYLINE, NONE = range(5)
    """A label (``By``, or one with which names begin, too: ``von``), the name of its element as
    that of a name (or of a byline, with a label) or of a byline, or nothing."""


_BY_INSIDE: Final = re.compile(
    r"(?:\b(?:[Ww]ritten|[Pp]osted|[Ss]tarted|[Ss]ubmitted|[Aa]uthored|[Pp]ublished|[Cc]reated)\s[Bb]y:?"
    r"|(?:[·•|,»–—-]|\d)\s?[Bb]y:?(?=\s[A-Z]))\s?"
)
"""What stands before names inside a text."""
_ANYWHERE: Final = re.compile(
    r"(?:written|posted|authored|article|story|words)\sby\b", re.IGNORECASE
)
"""Labels that say who wrote the page wherever they stand."""
_LONGEST_LABELLED: Final = 120  # characters of a text that begins with one
_MOST_LABELLED: Final = 4  # words of a name there
_BEFORE, _AFTER = 8, 25  # blocks around the headline in which a byline is looked for
_NEXT_TO: Final = 4  # blocks around the headline in which a name alone is a byline
_BESIDE: Final = 3  # blocks between a byline and its date at most
_LONGEST: Final = 250
_LOGIN: Final = re.compile(r"\s@\w")
_MOST_OF_LOGIN: Final = 4  # words of the name of a user of a forum


class _Found(NamedTuple):
    """Names that may be a byline: the block where they stand, and what says that they are names."""

    block: int
    names: Names
    mark: _Mark


def _byline(view: PageView, *, is_article: bool) -> Names:
    """Names near the headline, by what stands before them, how elements are named, or alone.

    Args:
        view: the page.
        is_article: it says that it is a written work. Other pages have a byline only where a date
            or the headline stands beside it.
    """
    finders = (
        _labelled(view),
        _users(view),
        _of_elements(view, "pen-name", _Mark.NAME),
        _of_elements(view, "signed", _Mark.BYLINE),
        _alone(view),
        _labelled_anywhere(view),
    )
    found = (each for finder in finders for each in finder if each.names)
    return next((each.names for each in found if _is_byline(view, each, is_article)), ())


def _is_byline(view: PageView, found: _Found, is_article: bool) -> bool:
    """Do names look like those of people, and stand where bylines do."""
    block, names, mark = found
    if view.is_forum:
        return all(len(name.split()) <= _MOST_OF_LOGIN for name in names)
    if mark is _Mark.NAME:
        is_near = abs(block - view.headline_block) <= _AFTER
        may_be = is_article or is_near or _is_dated(view, block)
        return may_be and not any(name[0].islower() for name in names)
    if not all(map(is_personal if mark is _Mark.OF else is_shaped, names)):
        return False
    is_near = mark is _Mark.BY or 0 < block - view.headline_block <= _NEXT_TO
    is_sure = is_article or (is_near and all(map(is_personal, names)))
    return (is_sure and mark is not _Mark.NONE) or _is_dated(view, block)


def _is_dated(view: PageView, block: int) -> bool:
    first, end = max(block - _BESIDE, 0), block + _BESIDE + 1
    return any(
        days_in(text, month_first=True) for _, text in view.dated_texts(_LONGEST, first, end)
    )


def _labelled(view: PageView) -> Iterator[_Found]:
    """Names in texts near the headline that begin with ``By`` or say it inside."""
    end = min(max(view.headline_block, 0) + _AFTER, view.n_blocks)
    for block, whole in view.short_texts(max(view.headline_block - _BEFORE, 0), end, _LONGEST):
        begins = whole.lower().startswith(_BEGINNINGS)
        if not (begins or "by" in whole or "By" in whole) or not view.is_own(block):
            continue
        text = view.spaced_text(block)
        if has_label(text):
            mark = _Mark.BY if has_label(text, is_declared=True) else _Mark.OF
            yield _Found(block, names_in(text, logins=view.is_forum), mark)
        elif ("by" in text or "By" in text) and (inside := _BY_INSIDE.search(text)):
            yield _Found(block, names_in(text[inside.end() :], logins=view.is_forum), _Mark.OF)


def _users(view: PageView) -> Iterator[_Found]:
    if view.is_forum:
        for block, text in _texts_of(view, "user"):
            yield _Found(block, names_in(text, logins=True)[:1], _Mark.NAME)


def _of_elements(view: PageView, group: str, mark: _Mark) -> Iterator[_Found]:
    for block, text in _texts_of(view, group):
        names = names_in(text, logins=view.is_forum)
        surely = mark is _Mark.NAME or has_label(text)
        likely = surely or view.is_forum or all(" " in name for name in names)
        yield _Found(block, names if likely else (), _Mark.NAME if surely else mark)


def _texts_of(view: PageView, group: str) -> Iterator[tuple[int, str]]:
    """Blocks and texts of named elements of the page, those after the headline first."""
    elements = view.of_page(
        element for element in view.named(group) if not view.is_named(element, "beside-name")
    )
    if not elements:
        return
    before_headline = view.blocks.start + max(view.headline_block - _NEXT_TO, 0)
    start = int(view.table.tag[before_headline]) if view.n_blocks else 0
    elements.sort(key=lambda element: view.opens[element] < start)
    for element in elements[:_MOST_ELEMENTS]:
        text = view.text_of_element(element)
        if 0 < len(text) <= _LONGEST:
            yield view.block_of_element(element), text


def _alone(view: PageView) -> Iterator[_Found]:
    """Names that stand alone next to the headline; a log-in behind a name marks it."""
    headline = view.headline_block
    if headline < 0:
        return
    for block, text in view.short_texts(headline + 1, headline + _NEXT_TO + 1, 80):
        if block not in view.levels and view.is_own(block):
            names = names_in(text)
            mark = _Mark.BYLINE if _LOGIN.search(text) else _Mark.NONE
            yield _Found(block, names if all(map(is_personal, names)) else (), mark)


def _labelled_anywhere(view: PageView) -> Iterator[_Found]:
    for block, text in view.labelled(_ANYWHERE, view.blocks_with(" by"), _LONGEST_LABELLED):
        names = names_in(text.lstrip(" :"))
        if all(len(name.split()) <= _MOST_LABELLED for name in names):
            yield _Found(block, names, _Mark.BY)


# --- Names in a text ------------------------------------------------------------------------------

_LONGEST_LIST: Final = 600  # characters of a list of names
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
_BEGINNINGS: Final = tuple(
    {label[:2].lower() for label in word_list("by") | word_list("by_in_text")}
)
"""How texts that begin with a label do: its first two letters, or the only one."""
_SPLIT: Final = re.compile(
    r"\s?[;|/•·‧⋅●–—、，／]\s?|,?\s(?:[Aa]nd|AND|und|UND|et|ET|og|OG|och|OCH|en|e|y|i|и|та|with|mit|avec|con|&|\+)\s"
    r"|\s-\s|,\s?",
)
_AND: Final = re.compile(r"\s(?:and|und|et|og|och|en|e|y|i|и|та)\s")
_BETWEEN_PAIRS: Final = re.compile(r"\s?[;/]\s?|,?\s(?:[Aa]nd|AND|und|UND|et|ET|&)\s")
_INITIALS: Final = re.compile(r"[A-Z]\.?(?:[ -]?[A-Z]\.){0,2}")
_SUFFIXES: Final = frozenset({"Jr", "Sr", "Esq", "M.D", "Dr", "Prof"})
_MOST_GIVEN: Final = 3  # given names, initials included
_FEWEST_SMALL: Final = 2
_DEGREE: Final = re.compile(
    r"(?:[A-Z][A-Za-z]{0,3}\.?){1,3}(?:-[A-Z]{1,4})?|[JS]r\.?|I{1,3}|Ph\.?\s?D\.?|Esq\.?|"
    r"M\.?Sc\.?|B\.?Sc\.?|PharmD|PsyD|MSc|MPhil|DPhil|CSc\.?|DrSc\.?|[A-Z]{2,6}(?:\s[A-Z]{2,6}){0,3}|"
    r"[A-Z]{2,4}®"
)
_AGENCIES: Final = word_list("agencies")
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
_PLACES: Final = frozenset(map(letters, word_list("places")))
_PLACE_BEFORE: Final = re.compile(r"([^-–—:|,]{3,30}?)(?:\s[-–—|]\s|:\s)(?=\S)")
_IN_PLACE: Final = re.compile(r"\s[Ii]n(?:\s[A-Z][\w.’'-]+){1,3}?(?=\s(?:and|&)\s|$)")
"""``Anna Keeper in New York and``: where each of several is."""
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
_SOCIAL: Final = re.compile(r"@\w{1,30}")
_FORBIDDEN: Final = re.compile(
    r"[<>{}=:\\^~#$%?!*\[\]\"“”]|^[^(]*\)|\s\d|https?:|www\.|\.(?:com|org|net|php)\b"
)
_LETTER: Final = re.compile(r"[^\W\d_]")


def names_in(text: str, *, is_declared: bool = False, logins: bool = False) -> tuple[str, ...]:
    """The names that a text is made of, each once; empty where it is no list of names.

    Args:
        text: what stands where an author does: ``By A. Keeper and B. Waggle, PhD``.
        is_declared: it is one value of data, so that names may be in lower case.
        logins: log-in names count, too.
    """
    text = clean(text[:_LONGEST_LIST])
    if not text or is_address(text) or "://" in text:
        return ()
    text = _IN_PLACE.sub("", _without_place(without_label(text, is_declared=is_declared)))
    text = _without_date(text)
    text = _turned((_CUT if is_declared else _CUT_IN_TEXT).sub("", text))
    parts = _joined(_split(text))
    names = [_name(part, is_declared=is_declared, logins=logins) for part in parts[:MOST_NAMES]]
    people = [name for name in names if letters(name) not in _PLACES]
    return unique(people if any(people) else names)


def _without_place(text: str) -> str:
    """``LONDON - Anna Keeper`` without the place."""
    place = _PLACE_BEFORE.match(text)
    return text[place.end() :] if place and letters(place[1]) in _PLACES else text


def _turned(text: str) -> str:
    """A list such as ``Keeper, Anna; Waggle, B.`` with given names in front."""
    pairs = [tuple(part.split(",")) for part in _BETWEEN_PAIRS.split(text)]
    if len(pairs) == 1:  # Keeper, A., Waggle, B.
        parts = text.split(",")
        pairs = [*zip(parts[::2], parts[1::2], strict=False)] if len(parts) % 2 == 0 else []
        if len(pairs) < 2 or not all(_INITIALS.fullmatch(given.strip()) for _, given in pairs):
            return text
    are_pairs = len(pairs) > 1 and all(len(pair) == 2 for pair in pairs)
    if not are_pairs or not any(_is_family(family) for family, _ in pairs):
        return text
    if not all(_is_given(given.strip(), family) for family, given in pairs):
        return text  # names with degrees
    return "; ".join(f"{given.strip()} {family.strip()}" for family, given in pairs)


def _is_family(text: str) -> bool:
    """Is a text one family name, particles before it aside."""
    *before, name = text.split() or [""]
    return name[:1].isupper() and all(word.lower() in _PARTICLES for word in before)


def _is_given(text: str, family: str) -> bool:
    """Is what follows a family name a given name, not a degree or a role."""
    if _INITIALS.fullmatch(text) or text.rstrip(".") in _SUFFIXES:
        return text.rstrip(".") not in _SUFFIXES
    is_capital = text == text.upper()
    words = text.split()
    is_named = all(
        is_capital or _CAPITALIZED.fullmatch(word) or _INITIALS.fullmatch(word) for word in words
    )
    return 0 < len(words) <= _MOST_GIVEN and is_named and is_capital <= (family == family.upper())


def without_label(text: str, *, is_declared: bool = False) -> str:
    """A text without ``By`` and the like in front; see `names_in`."""
    match = (_LABEL if is_declared else _LABEL_IN_TEXT).match(text)
    return text[match.end() :].lstrip(" :,") if match else text


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
    is_name = (" " in part and behind == behind.upper()) or letters(part) in _PLACES
    return not is_name and _DEGREE.fullmatch(part) is not None


def _is_role(part: str) -> bool:
    """Is what follows a name a role: a word for one, or several words in small letters."""
    n_small = sum(word[0].islower() and len(word) > _LONGEST_PARTICLE for word in part.split())
    return n_small >= _FEWEST_SMALL or _ROLE.search(part) is not None


def _name(part: str, *, is_declared: bool, logins: bool) -> str:
    name = _SOCIAL.sub("", part) if "@" in part else part
    name = name.strip(" ,.:;|-–—·•'\"“”&")
    name = without_label(name, is_declared=is_declared)
    name = name if is_declared else _without_post(name)
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
