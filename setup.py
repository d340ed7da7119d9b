"""Build the optional extension `victor._core`; everything else stands in pyproject.toml.

Without a C compiler the package installs all the same and runs its Python path.

The environment variable VICTOR_REPOSITORY, which the release sets, is the address of the repository
without a slash at its end. It makes the links of the project's page, and the relative links of the
README lead somewhere there; a build from a checkout has neither.
"""

from __future__ import annotations

import os
import re
import runpy
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

SOURCES = sorted(path.as_posix() for path in Path("core").rglob("*.c"))
HEADERS = sorted(path.as_posix() for path in Path("core").rglob("*.h"))
UNIX_FLAGS = ["-std=c11", "-O3", "-ffp-contract=off", "-fvisibility=hidden"]
UNIX_FLAGS += ["-fno-wrapv"]  # Python builds with the opposite, which keeps loops from vectorising
UNIX_FLAGS += [f"-ffile-prefix-map={Path.cwd()}=."]  # the same bytes wherever the tree lies
MSVC_FLAGS = ["/std:c11", "/O2", "/fp:precise"]

# The limited API, with which one wheel serves all later versions, excludes free-threaded Python.
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

REPOSITORY = os.environ.get("VICTOR_REPOSITORY", "")
VERSION = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def readme() -> str:
    """The README, its links and pictures with whole addresses if the repository has one."""
    text = Path("README.md").read_text(encoding="utf-8")
    if not REPOSITORY:
        return text

    def whole(match: re.Match[str]) -> str:
        kind = "raw" if match[1] else "blob"
        return f"{match[1]}[{match[2]}]({REPOSITORY}/{kind}/v{VERSION}/{match[3]})"

    return re.sub(r"(!?)\[([^\[\]]*)\]\((?![a-z]+:|#)([^()\s]+)\)", whole, text)


def urls() -> dict[str, str]:
    """Links of the project's page by name; none without the address of the repository."""
    if not REPOSITORY:
        return {}
    return {
        "Repository": REPOSITORY,
        "Issues": f"{REPOSITORY}/issues",
        "Changelog": f"{REPOSITORY}/blob/v{VERSION}/CHANGELOG.md",
        "Documentation": f"{REPOSITORY}/tree/v{VERSION}/docs",
    }


class BuildCore(build_ext):
    """Builds the extension, or says that the Python path is what will run."""

    def build_extension(self, ext: Extension) -> None:
        """Compile with the flags of the compiler at hand, and with the references of HTML."""
        ext.extra_compile_args = MSVC_FLAGS if self.compiler.compiler_type == "msvc" else UNIX_FLAGS
        folder = Path(self.build_temp)
        folder.mkdir(parents=True, exist_ok=True)
        entities = runpy.run_path("core/parsing/write_entities.py")["entities_header"]()
        (folder / "entities.h").write_text(entities, encoding="utf-8")
        ext.include_dirs.append(str(folder))
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
    long_description=readme(),
    long_description_content_type="text/markdown",
    project_urls=urls(),
    ext_modules=[
        Extension(
            "victor._core",
            sources=SOURCES,
            depends=HEADERS,
            include_dirs=["core"],
            libraries=[] if sys.platform == "win32" else ["m"],
            define_macros=[("Py_GIL_DISABLED", "1")] if FREE_THREADED else [],
            py_limited_api=not FREE_THREADED,
            optional=True,
        )
    ],
    cmdclass={"build_ext": BuildCore, "bdist_wheel": Wheel},
    options={} if FREE_THREADED else {"bdist_wheel": {"py_limited_api": "cp311"}},
)
