"""The options that set how labels are chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import click

from victor.api import Cleaner, CleanerSpec
from victor.errors import ConfigError
from victor.model.decide import Decision, Method

AnySpec = TypeVar("AnySpec", bound=CleanerSpec)


class Threshold(click.ParamType[float | str]):
    """A number from 0 to 1, or the name of a preset."""

    name = "number or preset"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | str:
        """The number if it is one."""
        try:
            return float(click.FloatRange(0, 1)(value, param, ctx))
        except click.BadParameter:
            if re.fullmatch(r"[a-z][\w-]*", str(value)):
                return str(value)
            raise


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
