"""What a release says of itself agrees in all places."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

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


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_has_few_rights_and_names_actions_by_hash(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        steps = job["steps"]
        actions = [step["uses"] for step in steps if "uses" in step]
        assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action) for action in actions), actions
        assert "${{" not in "".join(step.get("run", "") for step in steps), "pasted into a shell"
        if "write" in job.get("permissions", {}).values():
            assert not any("actions/checkout" in action for action in actions)
            assert not any("install" in step.get("run", "") for step in steps)


@pytest.mark.parametrize("name", ["build", "tools"])
def test_what_builds_a_release_is_pinned_by_hash(name):
    file = ROOT / ".github" / "requirements" / f"{name}.txt"
    if not file.exists():
        pytest.skip("a source distribution has no workflows")
    pinned = {}
    for requirement in re.split(r"\n(?! )", file.read_text(encoding="utf-8").strip()):
        package, version = re.match(r"([\w.-]+)==([\w.]+)", requirement).groups()
        assert "--hash=sha256:" in requirement, package
        pinned[package] = version
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    for wanted in map(Requirement, groups[name]):
        assert pinned[wanted.name] in wanted.specifier
