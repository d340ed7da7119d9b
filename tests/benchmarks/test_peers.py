"""The comparison with other systems, with fake ones: no peer has to be installed."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]

FAKE = """
import json, os, sys, time
print(json.dumps({"takes": "text", "versions": {"fake": "1"}}), flush=True)
for line in sys.stdin:
    pages = json.loads(line)["pages"]
    if "hang" in pages[0]:
        time.sleep(600)
    if "die" in pages[0]:
        os._exit(1)
    errors = ["ValueError: no" if "raise" in page else None for page in pages]
    texts = ["" if error else page.upper() for page, error in zip(pages, errors)]
    print(json.dumps({"texts": texts, "errors": errors}), flush=True)
"""


@pytest.fixture(scope="module")
def command():
    spec = spec_from_file_location("peers_command", ROOT / "benchmarks" / "peers.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page(name, html="words", gold="words", dont_care=(), kind="page"):
    from peers.pages import Page

    return Page(name, html.encode(), gold, kind, "en", None, tuple(dont_care))


def fake(name="fake", program=FAKE):
    from peers.systems import System

    return System(name, [sys.executable, "-c", program])


@pytest.mark.slow  # a page hangs for five seconds
def test_a_page_that_raises_hangs_or_kills_the_child_costs_only_itself():
    from peers.runs import extract

    names = ["a", "raise", "b", "hang", "c", "die", "d"]
    run = extract(fake(), [page(name, html=name) for name in names], seconds=5.0)
    assert run.texts == {name: name.upper() if len(name) == 1 else "" for name in names}
    assert run.failures == {
        "raise": "ValueError: no",
        "hang": "no answer in 5 s",
        "die": "the process died",
    }
    assert run.about["versions"] == {"fake": "1"}


def test_words_of_dont_care_blocks_are_taken_out_where_they_stand():
    from peers.scores import without_dont_care

    text = "Menu here\nkeep this text\nadded on Monday by Eva\nthis"
    found = without_dont_care(text, "keep this text on Monday", ["Added on Monday by Eva"])
    assert found.split() == ["Menu", "here", "keep", "this", "text", "on", "Monday", "this"]


def test_unlabelled_blocks_of_a_page_are_its_dont_care_text():
    from peers.pages import dont_care_blocks

    from victor.base.labels import UNLABELLED, Label
    from victor.corpus.pages import annotate

    html = b"<p>Kept text.</p><div>Not <b>sure</b> of this</div><p>Menu</p>"
    labels = [Label.TEXT, UNLABELLED, UNLABELLED, UNLABELLED, Label.OTHER]
    marked = annotate("p", html, np.array(labels, dtype=np.uint8), gold="Kept text.")
    (block,) = dont_care_blocks(marked)
    assert block.split() == ["Not", "sure", "of", "this"]


@pytest.fixture
def corpus(tmp_path):
    from victor.base.labels import Label
    from victor.corpus.pages import annotate, write_corpus

    labels = np.array([Label.TEXT, Label.OTHER], dtype=np.uint8)
    folder = tmp_path / "small"
    write_corpus(
        folder,
        [
            annotate(
                name, f"<p>text of {name}</p><p>menu</p>".encode(), labels, gold=f"text of {name}"
            )
            for name in ("one", "two")
        ],
    )
    return folder


def keep(folder, corpus, texts):
    from peers.pages import fingerprint, read_pages
    from peers.runs import Run, keep_run

    sha256 = fingerprint(read_pages(corpus, None))
    for name, text in texts.items():
        failures = {"two": "ValueError"} if not text else {}
        run = Run({"one": text, "two": text}, failures, {"versions": {name: "9.9"}})
        keep_run(folder / corpus.name, name, sha256, run)


def test_tables_come_from_kept_texts(command, corpus, tmp_path, monkeypatch):
    kept, output = tmp_path / "kept", tmp_path / "table.md"
    keep(kept, corpus, {"trafilatura": "text of one two", "goose3": ""})
    monkeypatch.setattr(command, "systems", lambda names, _: [fake(name) for name in names])
    only = ["trafilatura", "goose3", "justext-language"]
    command.main([str(corpus), "--only", *only, "--keep", str(kept), "-o", str(output)])
    table = output.read_text(encoding="utf-8")
    good, bad = (line for line in table.splitlines() if line.startswith(("| traf", "| goose3")))
    assert good.startswith("| trafilatura | 0.750 | 1.000 | **0.857** |")
    assert bad.endswith("| 2 | 1 |")
    assert len({line.count("|") for line in table.splitlines() if line.startswith("|")}) == 1
    assert "Not run: justext-language (the same as justext-english" in table
    assert "goose3 9.9" in table
