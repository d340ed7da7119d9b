"""The options that say how labels are chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import click

from victor.errors import ConfigError
from victor.model.decide import Decision, Method


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
    """Refuse two options that contradict each other.

    Raises:
        ConfigError: they do.
    """
    if threshold is not None and method not in (None, "threshold"):
        raise ConfigError(f"--threshold has no meaning with --decide {method}; leave one out")


def asked(
    configured: Decision,
    threshold: float | str | None,
    method: Method | None,
    presets: Mapping[str, float],
) -> Decision | None:
    """The decision that ``--threshold`` or ``--decide`` asks for, None if neither is given.

    What they leave open is as configured.

    Raises:
        ConfigError: the two contradict each other, or there is no such preset.
    """
    check(threshold, method)
    if threshold is not None:
        return Decision.at(threshold, presets)
    if method is None:
        return None
    return replace(configured, method=method)
