"""Three pages that end, hang and exhaust their process cost three pages."""

import json
import shutil

import pytest

POISON = {"POISON-EXIT": "crashed", "POISON-SLEEP": "timeout", "POISON-HOARD": "memory"}


@pytest.fixture
def poisoned(pages, tmp_path):
    folder = tmp_path / "pages"
    shutil.copytree(pages, folder)
    for number, word in zip((7, 23, 41), POISON, strict=True):
        (folder / f"{number:03d}-bad.html").write_text(f"<p>A page of {word}, or so it seems.")
    return folder


def test_they_cost_three_pages(poisoned, poisoned_options, crawled, tmp_path):
    out = tmp_path / "out"
    options = ("-j", 3, "--memory", 600, "--part-records", 16)
    status, messages = crawled(poisoned, "-o", out, *poisoned_options, *options)
    assert status == 1
    totals = json.loads((out / "run.json").read_text())["totals"]
    assert totals["failed"] == {"crashed": 1, "memory": 1, "timeout": 1}
    assert totals["read"] == 63
    assert totals["written"] + sum(totals["dropped"].values()) == 60
    failed = [json.loads(line) for line in (out / "failed.jsonl").read_text().splitlines()]
    assert [each["reason"] for each in failed] == [*POISON.values()]
    assert [each["source"][-12:] for each in failed] == [f"{n:03d}-bad.html" for n in (7, 23, 41)]
    assert "failed 3 (" in messages
