"""Leaves the tests of ``CHOSEN``, a file of node ids, and of ``ROOM``: ``-p mutation.chosen``."""

import os
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What runs the line comes first, and before it what stands first in the room."""
    chosen = set(Path(os.environ["CHOSEN"]).read_text("utf-8").splitlines())
    first, *room = os.environ["ROOM"].split()
    left = [
        item for item in items if item.nodeid in chosen or item.nodeid.startswith((first, *room))
    ]
    items[:] = sorted(
        left, key=lambda item: (not item.nodeid.startswith(first), item.nodeid not in chosen)
    )
