"""The names that the package offers."""

import subprocess
import sys

import pytest

import victor.crawl


@pytest.mark.parametrize("name", victor.crawl.__all__)
def test_every_name_is_there(name):
    assert getattr(victor.crawl, name).__name__ == name


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        victor.crawl.nothing  # noqa: B018


def test_the_package_loads_nothing_before_a_name_is_used():
    program = "import sys, victor.crawl; print([n for n in sys.modules if 'victor.crawl' in n])"
    run = subprocess.run([sys.executable, "-P", "-c", program], stdout=-1, text=True, check=True)
    assert run.stdout.strip() == "['victor.crawl']"
