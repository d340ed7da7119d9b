"""The build backend: setuptools, and a C compiler from the package index where there is none."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from typing import Any, Final

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "has_compiler",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ZIG: Final = "ziglang>=0.15,<0.18"
"""A C compiler as a package: 100 MB to download, 410 MB while it builds, nothing afterwards."""


def has_compiler() -> bool:
    """Is the C compiler that setuptools would take on the path."""
    if sys.platform == "win32":
        return True  # setuptools looks for Visual C++ elsewhere, and takes no other
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(shlex.split(command)[0]) is not None


def get_requires_for_build_wheel(settings: dict[str, Any] | None = None) -> list[str]:
    """What a wheel needs to be built here."""
    return [*build_meta.get_requires_for_build_wheel(settings), *([] if has_compiler() else [ZIG])]


get_requires_for_build_editable = get_requires_for_build_wheel
