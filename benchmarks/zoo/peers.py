"""Other systems: each gets the bytes of a page, as its own documentation does, and gives text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from hostile.zoo.inputs import CONTENT, Input
from hostile.zoo.judge import OK, Finding, Judge, holds
from hostile.zoo.systems import SYSTEMS, Step, Subject, findings
from peers.loaders import LOADERS, html_text

Extract = Callable[[bytes, str], str]
"""A page and its language to text."""

_STOPLISTS: Final = {
    "cs": "Czech", "pl": "Polish", "de": "German", "fr": "French", "tr": "Turkish", "el": "Greek",
    "ru": "Russian", "ko": "Korean", "ar": "Arabic", "he": "Hebrew", "hi": "Hindi",
    "vi": "Vietnamese", "en": "English",
}  # fmt: skip


def _as_in_peers(name: str) -> Extract:
    """A system that `benchmarks/peers.py` gives the same bytes."""
    extract_all = LOADERS[name]().extract

    def extract(page: bytes, language: str) -> str:
        (text,) = extract_all([page], [language], [None])
        if isinstance(text, Exception):
            raise text
        return text

    return extract


def _justext() -> Extract:
    from justext import get_stoplist, get_stoplists, justext

    known = get_stoplists()
    lists = {code: get_stoplist(name) for code, name in _STOPLISTS.items() if name in known}

    def extract(page: bytes, language: str) -> str:
        options: dict[str, Any] = {"stoplist": lists.get(language, frozenset())}
        if language not in lists:  # as its documentation says for languages without a list
            options |= {"stopwords_low": 0, "stopwords_high": 0}
        return "\n".join(p.text for p in justext(page, **options) if not p.is_boilerplate)

    return extract


def _readability() -> Extract:
    from readability import Document

    return lambda page, _: html_text(Document(page).summary())


PEERS: Final[Mapping[str, tuple[str, Callable[[], Extract]]]] = {
    "trafilatura": ("trafilatura", partial(_as_in_peers, "trafilatura")),
    "resiliparse": ("resiliparse", partial(_as_in_peers, "resiliparse")),
    "justext": ("jusText", _justext),
    "readability-lxml": ("readability-lxml", _readability),
}
"""Distribution and loader of each."""
_TYPED: Final = ("trafilatura", "resiliparse", "justext", "readability")
"""Packages whose own exceptions are typed errors."""
_loaded = cache(lambda name: PEERS[name][1]())


def missing(system: str) -> str:
    """Why a system cannot run, else empty."""
    if system in SYSTEMS:
        return ""
    try:
        version(PEERS[system][0])
    except PackageNotFoundError:
        return f"pip install {PEERS[system][0]}"
    return ""


def versions(systems: Sequence[str]) -> str:
    """Names and versions of all that ran."""
    packages = [
        "victor-crf",
        "lxml",
        "numpy",
        *(PEERS[name][0] for name in systems if name in PEERS),
    ]
    return ", ".join(f"{package} {version(package)}" for package in packages)


def warm(systems: Sequence[str]) -> None:
    """Load every system before children are made: loading is no input's time."""
    page = b"<h1>A page</h1><p>The first page of all is not hostile, but a little short.</p>"
    entry = Input("warm", lambda _: page, key=None)
    for name in systems:
        if name in PEERS:
            _loaded(name)(page, "en")
        else:
            for _ in findings(name, Subject(entry, page)):
                pass


def peer_steps(system: str, subject: Subject, judge: Judge) -> Iterator[Step]:
    """The one step of a peer."""
    yield "text", partial(_text, system, subject, judge)


def _text(system: str, subject: Subject, judge: Judge) -> Finding:
    entry = subject.entry
    try:
        text = _loaded(system)(subject.data, entry.language)
    except MemoryError:
        return Finding("memory")
    except Exception as error:
        typed = type(error).__module__.partition(".")[0] in _TYPED
        detail = f"{type(error).__name__}: {error}"[:200]
        return Finding("typed" if typed else "untyped", type(error).__name__ if typed else detail)
    if entry.refusal(full=subject.full) == "not-html" and text.strip():
        return Finding("accepted", f"{len(text)} characters")
    finding = judge.output(text, is_text=True)
    if finding.failed or entry.key is None or entry.expected != CONTENT or entry.charset:
        return finding
    subject.kept = holds(text, entry.key)
    strange = not subject.kept and entry.encoding and judge.strange(text)
    return Finding("mojibake", repr(strange[:12])) if strange else Finding(OK)
