"""The texts that the Kitten paper prints, as a user makes them."""

from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs" / "examples" / "papers"


@pytest.mark.parametrize("name", ["table", "lists", "abbreviations"])
@pytest.mark.parametrize("call", [("clean", "-l", "none"), ("normalize",)], ids=" ".join)
def test_printed_texts(victor, call, name):
    run = victor(*call, "-f", "sentences", PAGES / f"kitten-{name}.html")
    assert (run.status, run.err) == (0, "")
    assert run.out == (PAGES / f"kitten-{name}.txt").read_text(encoding="utf-8")


def test_removals_are_counted_and_logged(victor, tmp_path):
    log = tmp_path / "log.jsonl"
    call = ("clean", "-l", "none", "-f", "sentences", "--log", log)
    run = victor(*call, PAGES / "kitten-links.html")
    assert len(log.read_text(encoding="utf-8").splitlines()) == 9
    assert run.err == "victor: 9 texts dropped: bullet 6, link-item 3\n"
