"""What builds the core: the compiler of the machine, else zig; and what users read if none does.

A build by zig itself, and its core, are tested by `.ci/without-compiler`.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINKS = ("configs", "features", "templates")
BACKEND = "import sys; sys.path.insert(0, 'build_backend'); import victor_build; "
ZIG = """
import os, sys
from pathlib import Path

here = Path(__file__).parent
with (here / "calls").open("a") as file:
    print(*sys.argv[1:], Path(os.environ["ZIG_GLOBAL_CACHE_DIR"]).is_dir(), file=file)
(here / "cache").write_text(os.environ["ZIG_GLOBAL_CACHE_DIR"])
Path(sys.argv[sys.argv.index("-o") + 1]).touch()
"""
"""A compiler that writes down how it is called."""


@pytest.fixture
def tree(tmp_path):
    """A tree that is built as ours, with next to nothing in it."""
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "build_backend", tmp_path / "build_backend")
    written = shutil.ignore_patterns("*.[ch]", "__pycache__")
    shutil.copytree(ROOT / "core/parsing", tmp_path / "core/parsing", ignore=written)
    (tmp_path / "core/module.c").write_text("#include <Python.h>\n#include <entities.h>\n")
    for name in ("victor", *LINKS):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    for name in LINKS:
        (tmp_path / "victor" / name).symlink_to(Path("..") / name)
    return tmp_path


@pytest.fixture
def zig(tmp_path_factory):
    """The folder of a package `ziglang` whose compiler is the one above."""
    folder = tmp_path_factory.mktemp("site") / "ziglang"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "__main__.py").write_text(ZIG)
    return folder


def run(tree, *arguments, **environment):
    """A Python process in a tree, where `CC` is only set if a test sets it."""
    inherited = {name: value for name, value in os.environ.items() if name != "CC"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tree, env=inherited | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({"CC": f"{sys.executable} --some-flag"}, False),
        ({"CC": "no-such-compiler -m64"}, True),
        ({"PATH": os.devnull}, True),
    ],
    ids=["there", "not there", "not there by default"],
)
def test_zig_is_asked_for_where_the_compiler_is_not_on_the_path(tree, environment, wanted):
    hooks = (
        "victor_build.get_requires_for_build_wheel, victor_build.get_requires_for_build_editable"
    )
    answer = run(tree, "-c", f"{BACKEND} print(*(hook() for hook in ({hooks})))", **environment)
    assert answer.stdout.splitlines()[-1].count("ziglang") == 2 * wanted


def test_zig_compiles_and_links_for_any_processor_and_leaves_nothing(tree, zig):
    build = ("setup.py", "-q", "build_ext", "--inplace")
    result = run(tree, *build, PATH=os.devnull, PYTHONPATH=str(zig.parent))
    assert result.returncode == 0, result.stderr
    assert len([*(tree / "victor").glob("_core*")]) == 1
    compiled, linked = (zig / "calls").read_text().splitlines()
    for call in (compiled, linked):
        assert call.startswith("cc -mcpu=baseline ")
        assert call.endswith(" True"), "its cache is a folder of the build's"
    assert " -shared " in linked
    assert "-Wl," not in linked, "zig refuses what distributions link with"
    assert not Path((zig / "cache").read_text()).exists()


def test_a_build_that_fails_ends_with_its_reason_and_no_traceback(tree):
    result = run(tree, "setup.py", "-q", "build_ext", "--inplace", CC="false")
    assert result.returncode != 0
    assert "Traceback" not in result.stderr
    assert "the compiler failed" in result.stderr.splitlines()[-4]


def test_a_tree_whose_links_are_files_of_text_builds_the_same_wheel(tree, zig):
    def names_of_the_wheel():
        program = f"{BACKEND} print(victor_build.build_wheel('dist'))"
        result = run(tree, "-c", program, PATH=os.devnull, PYTHONPATH=str(zig.parent))
        assert result.returncode == 0, result.stderr
        names = zipfile.ZipFile(tree / "dist" / result.stdout.splitlines()[-1]).namelist()
        shutil.rmtree(tree / "build")
        return sorted(names)

    wanted = names_of_the_wheel()
    assert {f"victor/{name}/__init__.py" for name in LINKS} <= {*wanted}
    for name in LINKS:
        (tree / "victor" / name).unlink()
        (tree / "victor" / name).write_text(f"../{name}")
    assert names_of_the_wheel() == wanted


def test_a_checkout_that_was_installed_from_works_as_a_package_itself(tree):
    """Python takes the package of the folder that it starts in before an installed one."""
    built = run(tree, "setup.py", "-q", "build_ext")
    assert built.returncode == 0, built.stderr
    assert [*(tree / "victor").glob("_core.*")]


def test_a_checkout_that_was_not_built_says_how_to_build_it(tmp_path):
    program = "import sys; sys.modules['victor._core'] = None; import victor; victor.clean('<p>')"
    error = run(tmp_path, "-P", "-c", program).stderr.splitlines()[-1]
    assert error.startswith("victor.base.errors.VictorError: ")
    assert "`pip install -e .`" in error
