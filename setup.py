"""Build the extension `victor._core`; nearly everything else stands in pyproject.toml.

Without a C compiler zig compiles it, which `build_backend/victor_build.py` asks pip for.

The environment variable VICTOR_REPOSITORY, which the release sets, is the address of the repository
without a slash at its end. It makes the links of the project's page, and the relative links of the
README lead somewhere there; a build from a checkout has neither.
"""

from __future__ import annotations

import os
import re
import runpy
import shlex
import sys
import sysconfig
import tomllib
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

SOURCES = sorted(path.as_posix() for path in Path("core").rglob("*.c"))
HEADERS = sorted(
    path.as_posix() for path in Path("core").rglob("*.*") if path.suffix in {".h", ".txt", ".py"}
)
UNIX_FLAGS = ["-std=c11", "-O3", "-ffp-contract=off", "-fvisibility=hidden"]
UNIX_FLAGS += ["-fno-wrapv"]  # Python builds with the opposite, which keeps loops from vectorising
UNIX_FLAGS += [f"-ffile-prefix-map={Path.cwd()}=."]  # the same bytes wherever the tree lies
MSVC_FLAGS = ["/std:c11", "/O2", "/fp:precise"]

# The limited API, with which one wheel serves all later versions, excludes free-threaded Python.
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

HAS_COMPILER: bool = runpy.run_path("build_backend/victor_build.py")["has_compiler"]()
REMEDIES = """victor: its core in C was not built: {reason}. What helps:
  1. Install a C compiler and the headers of Python (Debian: gcc libc6-dev python3-dev).
  2. Let pip reach a package index, from which it takes the compiler ziglang where there is none.
  3. Install a released wheel: pip install --only-binary victor-crf victor-crf"""

# Git writes a link as a file with a line of text where the system has none.
UNLINKED = [
    name for name in ("configs", "features", "templates") if not Path("victor", name).is_dir()
]

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
    """Builds the extension, or says what helps."""

    def build_extension(self, ext: Extension) -> None:
        """Compile with the flags of the compiler at hand, and with tables of what HTML defines."""
        ext.extra_compile_args = MSVC_FLAGS if self.compiler.compiler_type == "msvc" else UNIX_FLAGS
        folder = Path(self.build_temp)
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("entities", "element_rules"):
            text = runpy.run_path(f"core/parsing/write_{name}.py")["header"]()
            (folder / f"{name}.h").write_text(text, encoding="utf-8")
        ext.include_dirs.append(str(folder))
        super().build_extension(ext)

    def run(self) -> None:
        """Build with the compiler of this machine, else with zig."""
        with TemporaryDirectory() as cache:  # zig would leave 60 MB in the user's
            if not HAS_COMPILER and find_spec("ziglang"):
                os.environ.update(zig(cache))
            try:
                super().run()
                # Python takes the package of the folder that it starts in: it is to work, too.
                self.copy_extensions_to_source()
            except (BaseError, CCompilerError) as error:
                raise SystemExit(REMEDIES.format(reason=self._reason(error))) from None

    def _reason(self, error: Exception) -> str:
        if not HAS_COMPILER and not find_spec("ziglang"):
            return "there is no C compiler"
        if not any(Path(folder, "Python.h").is_file() for folder in self.include_dirs):
            return f"Python.h is missing in {sysconfig.get_path('include')}"
        return "the compiler failed (above)" if isinstance(error, CCompilerError) else str(error)


def zig(cache: str) -> dict[str, str]:
    """The variables with which setuptools compiles by zig.

    Zig takes this very processor unless it is told otherwise, and refuses flags that distributions
    build their Python with.
    """
    compiler = f"{shlex.quote(sys.executable)} -m ziglang cc -mcpu=baseline"
    return {
        "CC": compiler,
        "LDSHARED": f"{compiler} -shared",
        "CFLAGS": os.environ.get("CFLAGS", "-DNDEBUG"),
        "ZIG_GLOBAL_CACHE_DIR": cache,
        "ZIG_LOCAL_CACHE_DIR": cache,
    }


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
        )
    ],
    packages=find_packages(include=["victor*"]) + [f"victor.{name}" for name in UNLINKED],
    # Editable installs are by path then: a folder named victor hides no package.
    package_dir={"": "."} | {f"victor.{name}": name for name in UNLINKED},
    cmdclass={"build_ext": BuildCore},
    options={} if FREE_THREADED else {"bdist_wheel": {"py_limited_api": "cp311"}},
)
