"""Build the optional extension `victor._core`; everything else stands in pyproject.toml.

Without a C compiler the package installs all the same and runs its Python path.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

SOURCES = sorted(path.as_posix() for path in Path("core").rglob("*.c"))
HEADERS = sorted(path.as_posix() for path in Path("core").rglob("*.h"))
UNIX_FLAGS = ["-std=c11", "-O3", "-ffp-contract=off", "-fvisibility=hidden"]
UNIX_FLAGS += ["-fno-wrapv"]  # Python builds with the opposite, which keeps loops from vectorising
MSVC_FLAGS = ["/std:c11", "/O2", "/fp:precise"]


class BuildCore(build_ext):
    """Builds the extension, or says that the Python path is what will run."""

    def build_extension(self, ext: Extension) -> None:
        """Compile with the flags of the compiler at hand."""
        ext.extra_compile_args = MSVC_FLAGS if self.compiler.compiler_type == "msvc" else UNIX_FLAGS
        try:
            super().build_extension(ext)
        except Exception:
            # What an earlier build left would be installed in its place.
            Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)
            raise

    def run(self) -> None:
        """Build, and tell if nothing was built."""
        super().run()
        if not self._built():
            print(
                "victor: no compiled core (a C compiler was missing or failed); "
                "the Python path is installed, which gives the same results",
                file=sys.stderr,
            )

    def _built(self) -> bool:
        return all(Path(path).exists() for path in self.get_outputs())


class Wheel(bdist_wheel):
    """Names a wheel without the extension as what it is: one for every platform."""

    def get_tag(self) -> tuple[str, str, str]:
        """The tags of the file name."""
        command: Any = self.get_finalized_command("build_ext")
        if all(Path(path).exists() for path in command.get_outputs()):
            return super().get_tag()
        return "py3", "none", "any"


setup(
    ext_modules=[
        Extension(
            "victor._core",
            sources=SOURCES,
            depends=HEADERS,
            include_dirs=["core"],
            libraries=[] if sys.platform == "win32" else ["m"],
            py_limited_api=True,
            optional=True,
        )
    ],
    cmdclass={"build_ext": BuildCore, "bdist_wheel": Wheel},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
