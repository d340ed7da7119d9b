"""The rules of the form `sentences` and of `victor normalize`, and a log of what they drop."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from victor.api import CleanerSpec
from victor.base.errors import ConfigError
from victor.base.files import created, replaced
from victor.cli.messages import complain
from victor.cli.outputs import Rows

if TYPE_CHECKING:
    from victor.kitten.settings import Settings

SENTENCES: Final = "sentences"
_KEEPS_ALL: Final = "none"
_OTHER: Final = ("labeler", "limits", "normalize")
"""Keys of Kitten that are not rules of the form; a configuration may have them."""


def sentence_rules(
    spec: CleanerSpec, form: str, overrides: Sequence[str], log: Path | None
) -> tuple[CleanerSpec, Settings | None]:
    """The rules of the form `sentences`, and the specification without what is meant for them.

    The labeler that keeps everything has no rules; a configuration beside it is one of Kitten, as
    for `victor normalize`, and its limits hold.

    Args:
        spec: what cleans.
        form: the output format.
        overrides: ``key=value`` changes of the rules.
        log: file for what they drop, or None.

    Raises:
        ConfigError: another format has no such rules, or a rule is wrong.
    """
    if form != SENTENCES:
        if overrides or log is not None:
            option = "--set" if overrides else "--log"
            raise ConfigError(f"{option} is for the rules of -f {SENTENCES}; add it or leave this")
        return spec, None
    from victor.kitten.settings import load_settings  # other forms need no Kitten

    for override in overrides:
        if override.partition("=")[0].partition(".")[0] in _OTHER:
            raise ConfigError(
                f"--set {override}: here it takes the rules of -f {SENTENCES}: language, lists.…, "
                "tables.… and sentences.…"
            )
    if spec.labeler != _KEEPS_ALL or spec.config is None:
        return spec, load_settings(overrides=tuple(overrides))
    settings = load_settings(spec.config, tuple(overrides))
    return replace(spec, config=None, limits=settings.limits), settings


class RemovalLog:
    """Counts dropped texts and writes them to a file, if there is one.

    Args:
        file: open for writing, or None.
    """

    def __init__(self, file: IO[bytes] | None) -> None:
        self._file = file
        self._counts: Counter[str] = Counter()

    def add(self, page: str, rows: Rows) -> None:
        """Take the dropped texts of one page."""
        self._counts.update(str(row["rule"]) for row in rows)
        if self._file is not None:
            for row in rows:
                line = json.dumps({"page": page, **row}, ensure_ascii=False)
                self._file.write(f"{line}\n".encode())

    def report(self) -> None:
        """Print how many texts which rules dropped, if any."""
        if self._counts:
            counts = ", ".join(f"{rule} {n}" for rule, n in self._counts.most_common())
            complain(f"{self._counts.total()} texts dropped: {counts}")


@contextmanager
def removal_log(path: Path | None) -> Iterator[RemovalLog]:
    """A log of dropped texts as JSON lines; without a path they are counted only."""
    if path is None:
        yield RemovalLog(None)
        return
    with replaced(path) as unfinished, created(unfinished) as file:
        yield RemovalLog(file)
