"""What may come of an input: a result that holds its sentence, or one typed error.

A *step* is one thing that a system is asked for: to clean the page, or one of its forms. What comes
of it is one of `OUTCOMES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hostile.zoo.inputs import CONTENT, LIMITS, Input
from hostile.zoo.texts import SCRIPT_MARK
from hostile.zoo.xml_documents import SECRET_WORD

OK: Final = "ok"
TYPED: Final = "typed"
OUTCOMES: Final = (
    OK, TYPED, "untyped", "crash", "hang", "memory", "accepted", "refused", "mojibake", "lost",
    "damaged", "leaked", "alive",
)  # fmt: skip
"""``ok`` and ``typed`` (one clear error for the page) are right, all else is a failure:

``untyped``: another exception, or an error that wraps one; ``crash``, ``hang``, ``memory``: the
process ended, by itself or for having taken too much; ``accepted``: what had to be refused was not;
``refused``: what had to be cleaned was refused; ``mojibake``: the sentence is not among the blocks
though a browser shows it, and characters are that the page does not have; ``lost``: it is not among
the blocks, but nothing is garbled; ``damaged``: NUL or half a character in an output; ``leaked``:
what only scripts hold is in a text; ``alive``: an output holds another file.
"""
FAILURES: Final = frozenset(OUTCOMES) - {OK, TYPED}
NOT_TYPED: Final = frozenset({"failed", "not-a-page"})
"""Reasons of page errors that stand for any exception, or for a call that is wrong."""

_HALF: Final = re.compile("[\ud800-\udfff]")
_BLANKS: Final = re.compile(r"[\s\u200b\ufeff]+")


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one step.

    Attributes:
        outcome: one of `OUTCOMES`.
        detail: reason of a typed error, or what is wrong.
    """

    outcome: str
    detail: str = ""

    @property
    def failed(self) -> bool:
        """Is it a failure."""
        return self.outcome in FAILURES


class Judge:
    """Judges what comes of one input.

    Args:
        entry: the input.
        data: its bytes.
        full: are they its full size.
    """

    def __init__(self, entry: Input, data: bytes, *, full: bool) -> None:
        self.entry = entry
        self.full = full
        self._data = data

    def error(self, reason: str, *, cleaning: bool) -> Finding:
        """A typed error: right where the input deserves it or only a form is beyond a limit."""
        if reason in NOT_TYPED:
            return Finding("untyped", reason)
        expected = self.entry.refusal(full=self.full)
        must_clean = self.entry.expected in {CONTENT, *LIMITS} and expected is None
        if must_clean and (cleaning or not self.full):
            return Finding("refused", reason)
        return Finding(TYPED, reason)

    def accepted(self) -> Finding:
        """A page was cleaned."""
        reason = self.entry.refusal(full=self.full)
        return Finding(OK) if reason is None else Finding("accepted", f"not {reason}")

    def output(self, text: str, *, is_text: bool) -> Finding:
        """A form; `is_text` where readers see all of it, so that no script may be in it."""
        if _HALF.search(text):
            return Finding("damaged", "half a character")
        if "\0" in text:
            return Finding("damaged", "NUL")
        if SECRET_WORD in text or "root:x:0" in text:
            return Finding("alive", "another file was read")
        if is_text and SCRIPT_MARK in text and self.entry.expected == CONTENT:
            return Finding("leaked", "text of a script")
        return Finding(OK)

    def blocks(self, text: str) -> Finding:
        """All texts of the page, kept or not."""
        entry = self.entry
        if entry.key is None or entry.expected != CONTENT or holds(text, entry.key):
            return Finding(OK)
        if entry.encoding is None:
            return Finding(OK, "garbled, as browsers may")
        strange = self.strange(text)
        if strange:
            return Finding("mojibake", f"{strange[:12]!r} are not of the page")
        return Finding("lost", "the sentence is in no block")

    def strange(self, text: str) -> str:
        """Characters beyond ASCII that the page, read as a browser reads it, does not have."""
        true = self._data.decode(self.entry.encoding or "utf-8", "ignore")
        return "".join(sorted({c for c in set(text) - set(true) if not c.isascii()}))


def holds(text: str, sentence: str) -> bool:
    """Is a sentence in a text, whatever the white space."""
    return _without_blanks(sentence) in _without_blanks(text)


def _without_blanks(text: str) -> str:
    return _BLANKS.sub("", text)


def judged(run: Callable[[], Finding], judge: Judge, *, cleaning: bool = False) -> Finding:
    """What comes of a step, exceptions included."""
    from victor.errors import PageError

    try:
        return run()
    except PageError as error:
        return judge.error(error.reason, cleaning=cleaning)
    except MemoryError as error:
        return Finding("memory", str(error))
    except Exception as error:
        return Finding("untyped", f"{type(error).__name__}: {error}"[:200])
