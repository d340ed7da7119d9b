"""The options that say how labels are chosen."""

from __future__ import annotations

from dataclasses import replace

from victor.decide import Decision, Method
from victor.errors import ConfigError


def asked(configured: Decision, threshold: float | None, method: Method | None) -> Decision | None:
    """The decision that ``--threshold`` or ``--decide`` asks for, None if neither is given.

    What they leave open is as configured.

    Raises:
        ConfigError: the two contradict each other.
    """
    if threshold is not None and method not in (None, "threshold"):
        raise ConfigError(f"--threshold has no meaning with --decide {method}; leave one out")
    if threshold is not None:
        return Decision("threshold", threshold)
    if method is None:
        return None
    return replace(configured, method=method)
