"""A process is not forked while another thread loads a module.

Victor loads modules when a page first needs them. A child that is forked meanwhile has the lock of
the module and no thread that would give it back: it waits for ever where it needs the module, too.
"""

from __future__ import annotations

import importlib
import os
import threading
import time
from typing import Final

_LONGEST: Final = 10.0
"""Seconds to wait; a module that takes longer may wait for the thread that forks."""


def wait_for_modules() -> None:
    """Wait until no other thread is loading a module."""
    end = time.monotonic() + _LONGEST
    while _is_loading_elsewhere() and time.monotonic() < end:
        time.sleep(0.001)


def _is_loading_elsewhere() -> bool:
    """Does another thread hold the lock of a module; False where Python has none that we know."""
    locks = dict(getattr(getattr(importlib, "_bootstrap", None), "_module_locks", {}))
    owners = {getattr(reference(), "owner", None) for reference in locks.values()}
    return not owners <= {None, threading.get_ident()}


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=wait_for_modules)
