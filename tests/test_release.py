"""What a release says of itself agrees in all places."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest
import yaml

import victor

ROOT = Path(__file__).parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_citation_and_the_changes_have_the_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == VERSION
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert victor.__version__ == VERSION
    assert VERSION in headings[:2], "the newest, or the one below `Unreleased`"
    assert citation["date-released"] in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("repository", ["", "https://code.example/victor"])
def test_links_of_the_readme_are_whole_where_the_repository_is_known(monkeypatch, repository):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("VICTOR_REPOSITORY", repository)
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    setup = runpy.run_path("setup.py")
    text = setup["readme"]()
    links = re.findall(r"\]\(([^()\s]+)\)", text)
    assert len(links) > 5
    if repository:
        assert all(re.match(r"https?:|#", link) for link in links)
        assert f"{repository}/blob/v{VERSION}/CHANGELOG.md" in setup["urls"]().values()
    else:
        assert text == (ROOT / "README.md").read_text(encoding="utf-8")
        assert setup["urls"]() == {}
