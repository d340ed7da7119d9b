"""What is installed is what lies in the tree: setuptools is told every package and data file."""

import tomllib
from fnmatch import fnmatch
from importlib import import_module, metadata, resources
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
FOLDERS = {folder: package for package, folder in SETUP["package-dir"].items()}


def packages_of_the_tree():
    """Package name to folder, for every folder that holds Python files."""
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
    return {package_of(file.parent): file.parent for file in files}


def package_of(folder):
    top, *inner = folder.relative_to(ROOT).parts
    return ".".join([FOLDERS[top], *inner])


PACKAGES = packages_of_the_tree()


def test_every_folder_with_python_files_is_a_declared_package():
    assert sorted(PACKAGES) == SETUP["packages"]


@pytest.mark.parametrize("name", SETUP["packages"])
def test_package_is_installed(name):
    assert (PACKAGES[name] / "__init__.py").is_file(), "without it there is no regular package"
    assert import_module(name).__name__ == name


def test_every_data_file_is_declared_and_installed():
    data = [
        file
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and file.suffix not in (".py", ".pyc")
    ]
    assert data, "the tree has data files"
    for file in data:
        package, path = owner(file)
        patterns = SETUP["package-data"].get(package, [])
        assert any(fnmatch(path, pattern) for pattern in patterns), f"{file} is not declared"
        assert resources.files(package).joinpath(path).is_file(), f"{file} is not installed"


def owner(file):
    """The package that a data file belongs to, and its path inside this package."""
    folder = next(parent for parent in file.parents if parent in PACKAGES.values())
    return package_of(folder), file.relative_to(folder).as_posix()


def test_scripts_are_installed():
    scripts = metadata.entry_points(group="console_scripts")
    (script,) = [script for script in scripts if script.value.startswith("victor.")]
    assert callable(script.load())
