"""Leaves tests of ``CHOSEN``, a file of node ids, and of ``ROOM``: ``-p tests.mutation.chosen``."""

import os
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that run the line come first."""
    chosen = set(Path(os.environ["CHOSEN"]).read_text("utf-8").splitlines())
    room = tuple(os.environ["ROOM"].split())
    left = [item for item in items if item.nodeid in chosen or item.nodeid.startswith(room)]
    items[:] = sorted(left, key=lambda item: item.nodeid not in chosen)
