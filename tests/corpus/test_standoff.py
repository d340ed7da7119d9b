"""Stand-off labels: a corpus comes back as it was, and only from the files that were labelled."""

from pathlib import Path

import pytest
from corpus.labelled import REPOSITORY, read_lines, write_corpus, write_lines

from victor.corpus.gold import read_jsonl
from victor.corpus.standoff import KINDS, build, export
from victor.errors import PageError

ROOT = Path(__file__).parents[2]
OWN = sorted((ROOT / "annotations/pages").glob("*.html"))[:12]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Our own pages with a kind for every block, and a clone with their files."""
    folder = tmp_path_factory.mktemp("labelled")
    pages = {f"some/{page.name}": page.read_bytes() for page in OWN}
    write_corpus(folder, "own", folder / "clones/bees/pages", pages)
    return folder


def test_a_corpus_comes_back_as_it_was(corpus, tmp_path):
    built = build(corpus / "labels.jsonl", [corpus / "clones"], tmp_path / "again")
    assert (built.written, built.missing, built.changed) == (len(OWN), [], [])
    assert not built.moved
    assert read_lines(tmp_path / "again/gold.jsonl") == read_lines(corpus / "own/gold.jsonl")
    before, after = (
        [(page.html, page.labelled, page.kinds) for page in read_jsonl(folder)]
        for folder in (corpus / "own", tmp_path / "again")
    )
    assert after == before
    labels = "".join(export(tmp_path / "again", corpus / "sources.jsonl", "own"))
    assert labels == (corpus / "labels.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("place", ["clones", "clones/bees", "clones/bees/pages", "own"])
def test_files_are_found_in_clones_and_unpacked_archives(corpus, tmp_path, place):
    assert build(corpus / "labels.jsonl", [corpus / place], tmp_path / "again").written == len(OWN)


def test_a_file_with_one_changed_byte_is_refused_by_name(corpus, tmp_path):
    clone = tmp_path / "html"
    clone.mkdir()
    for page in OWN[:3]:
        (clone / page.name).write_bytes(page.read_bytes())
    changed = clone / OWN[1].name
    markup = bytearray(changed.read_bytes())
    markup[len(markup) // 2] ^= 1
    changed.write_bytes(markup)
    built = build(corpus / "labels.jsonl", [tmp_path], tmp_path / "out")
    assert (built.written, built.changed) == (2, [str(changed)])
    assert built.missing[1] == f"{OWN[3].stem}: {REPOSITORY} some/{OWN[3].name}"
    assert len(built.missing) == len(OWN) - 2
    assert [row["id"] for row in read_lines(tmp_path / "out/gold.jsonl")] == [
        OWN[0].stem,
        OWN[2].stem,
    ]


def test_what_is_missing_is_downloaded_from_the_pinned_commit(corpus, tmp_path):
    asked = []

    def fetch(address):
        asked.append(address)
        page = OWN[len(asked) - 1]
        if page == OWN[2]:
            raise PageError("http-error", "there is none")
        return page.read_bytes() + b" " * (page == OWN[1])

    built = build(corpus / "labels.jsonl", [], tmp_path / "again", fetch)
    assert asked[0] == f"{REPOSITORY}/raw/c0ffee/some/{OWN[0].name}"
    assert built.written == len(OWN) - 2
    assert [each.split(":")[0] for each in built.missing] == [OWN[1].stem, OWN[2].stem]


def test_labels_move_with_their_texts(corpus, tmp_path):
    """As if the pages had been cut otherwise when they were labelled."""
    rows = read_lines(corpus / "labels.jsonl")[:1]
    more = {"kinds": f"e1{rows[0]['kinds']}", "hashes": f"beef{rows[0]['hashes']}"}
    rows[0] |= {**more, "texts": "0"}
    write_lines(tmp_path / "own.jsonl", rows)
    built = build(tmp_path / "own.jsonl", [corpus / "clones"], tmp_path / "again")
    file = f"blocks/{OWN[0].stem}.blocks.jsonl"
    before, after = read_lines(corpus / "own" / file), read_lines(tmp_path / "again" / file)
    assert after == before
    assert (built.moved[OWN[0].stem], built.lost[OWN[0].stem]) == (len(before), 0)


SHIPPED = sorted((ROOT / "annotations/labels").glob("*.jsonl"))


def test_shipped_labels_hold_no_word_and_are_small():
    assert len(SHIPPED) == 4
    assert sum(file.stat().st_size for file in SHIPPED) < 3_000_000
    allowed = {"id", "repository", "commit", "path", "sha256", "url", "site", "lang", "type"}
    for file in SHIPPED:
        for row in read_lines(file):
            assert row.keys() - allowed == {"kinds", "hashes", "texts"}
            assert int(row["hashes"] or "0", 16) >= 0
            assert int(row["texts"], 16) >= 0
            assert set(row["kinds"]) <= {*KINDS, *"0123456789"}
