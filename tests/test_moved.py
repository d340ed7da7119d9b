"""Import paths that the documentation once named."""

import subprocess
import sys
from importlib import import_module

import pytest

from victor import moved


@pytest.mark.parametrize(("old", "new"), moved.MOVED.items())
def test_an_old_path_has_the_names_of_the_new_one_and_warns(old, new):
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"{old} is {new} now"):
        names = vars(import_module(old))
    public = {name: value for name, value in vars(import_module(new)).items() if name[0] != "_"}
    assert public
    assert public.items() <= names.items()


@pytest.mark.slow
def test_the_warning_names_the_line_that_imports():
    program = "import victor\nfrom victor.columns import Column\n"
    run = subprocess.run(
        [sys.executable, "-W", "default", "-c", program], capture_output=True, text=True, check=True
    )
    assert "<string>:2: DeprecationWarning: victor.columns is victor.features.base" in run.stderr


def test_what_never_was_is_not():
    with pytest.raises(ModuleNotFoundError, match=r"victor\.klean"):
        import_module("victor.klean")


@pytest.mark.parametrize("package", ["victor.crawl", "victor.evaluation", "victor.training"])
def test_a_package_offers_names_of_its_modules(package):
    face = import_module(package)
    assert all(getattr(face, name) for name in face.__all__)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'klean'"):
        face.klean  # noqa: B018
