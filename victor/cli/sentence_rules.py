"""The options of `victor clean` that change the rules of the form `sentences`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from victor.api import CleanerSpec
from victor.errors import ConfigError

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
