"""The options that set how labels are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from victor.api import Cleaner, CleanerSpec
from victor.errors import ConfigError
from victor.model.decide import Decision, Method

AnySpec = TypeVar("AnySpec", bound=CleanerSpec)


def check(threshold: float | str | None, method: Method | None) -> None:
    """Check that the two options go together.

    Raises:
        ConfigError: they contradict each other.
    """
    if threshold is not None and method not in (None, "threshold"):
        raise ConfigError(f"--threshold has no meaning with --decide {method}; leave one out")


def decision_from_options(
    configured: Decision,
    threshold: float | str | None,
    method: Method | None,
    presets: Mapping[str, float],
) -> Decision | None:
    """The decision of ``--threshold`` or ``--decide``; None if neither is given.

    What these leave open is as configured.

    Raises:
        ConfigError: the two contradict each other, or there is no such preset.
    """
    check(threshold, method)
    if threshold is not None:
        return Decision.at(threshold, presets)
    if method is None:
        return None
    return configured.replace(method=method)


def with_decision(
    spec: AnySpec, threshold: float | str | None, method: Method | None
) -> tuple[AnySpec, Cleaner]:
    """A specification with the decision of ``--threshold`` or ``--decide``, and its cleaner.

    Raises:
        VictorError: the labeler cannot be loaded, or the options are wrong.
    """
    labeler = spec.build()
    configured = spec.decision or labeler.decision
    decision = decision_from_options(configured, threshold, method, labeler.presets)
    spec = replace(spec, decision=decision or spec.decision)
    return spec, spec.cleaner_of(labeler)
