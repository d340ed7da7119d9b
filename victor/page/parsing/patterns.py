"""Regular expressions that few pages need: compiled when first used.

To compile one takes up to a millisecond, and a short run never uses most of them.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    r"""A regular expression that is compiled when one of its methods is asked for.

    >>> pattern(r"\d+").findall("4 mills, 12 bees")
    ['4', '12']
    """
    return cast("re.Pattern[AnyStr]", _Pattern(source, flags))


class _Pattern:
    """Stands for a compiled pattern."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever the pattern has)
        """An attribute of the compiled pattern, which from then on is one of this object, too."""
        value = getattr(re.compile(self._source, self._flags), name)
        self.__dict__[name] = value
        return value
