"""A property that is computed once an object, without a lock."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cached_property

    __all__ = ["cached_property"]
else:

    class cached_property(functools.cached_property):  # noqa: N801  # it is used as a decorator
        """`functools.cached_property` without the lock of Python 3.11.

        That lock is one for a property of all objects: a thread that reads the text of a small
        page waits for the one that renders a large page, and a process that is forked meanwhile
        waits for ever. Here threads that ask at the same time may each compute the value; all of
        them get the one that was ready first.
        """

        def __get__(self, instance: object, owner: type | None = None) -> object:
            """The value; of a class, the property itself."""
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))
