"""Stand-off labels: a corpus comes back as it was, and only from the files that were labelled."""

import hashlib
import json
from pathlib import Path

import pytest

from victor.corpus.gold import read_jsonl
from victor.corpus.standoff import KINDS, build, export
from victor.errors import PageError
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

ROOT = Path(__file__).parents[2]
OWN = sorted((ROOT / "annotations/pages").glob("*.html"))[:12]
REPOSITORY = "https://code.example/bees/pages"


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(path, rows):
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Our own pages with a kind for every block, and a clone with their files."""
    folder = tmp_path_factory.mktemp("labelled")
    own, clone = folder / "own", folder / "clones" / "bees" / "pages" / "some"
    for made in (own / "html", own / "blocks", clone):
        made.mkdir(parents=True)
    rows, sources, letters = [], [], [*KINDS]
    for page in OWN:
        markup, key = page.read_bytes(), page.stem
        texts = block_texts(parse_pages([markup], "block"))
        kinds = [KINDS[letters[len(text) % len(letters)]] for text in texts]
        blocks = [
            {"label": label, "kind": kind, "text": text}
            for (kind, label), text in zip(kinds, texts, strict=True)
        ]
        kept = [block["text"] for block in blocks if block["label"] in ("header", "text")]
        rows.append({"id": key, "site": f"{key}.example", "type": "x", "text": "\n".join(kept)})
        write_lines(own / "blocks" / f"{key}.blocks.jsonl", blocks)
        (own / "html" / page.name).write_bytes(markup)
        (clone / page.name).write_bytes(markup)
        sha256 = hashlib.sha256(markup).hexdigest()
        source = {"repository": REPOSITORY, "commit": "c0ffee", "path": f"some/{page.name}"}
        sources.append({"corpus": "own", "id": key, "sha256": sha256, **source})
    write_lines(own / "gold.jsonl", rows)
    write_lines(folder / "sources.jsonl", sources)
    labels = folder / "own.jsonl"
    labels.write_text("".join(export(own, folder / "sources.jsonl", "own")), encoding="utf-8")
    return folder


def test_a_corpus_comes_back_as_it_was(corpus, tmp_path):
    built = build(corpus / "own.jsonl", [corpus / "clones"], tmp_path / "again")
    assert (built.written, built.missing, built.changed) == (len(OWN), [], [])
    assert not built.moved
    assert lines(tmp_path / "again/gold.jsonl") == lines(corpus / "own/gold.jsonl")
    for before, after in zip(
        read_jsonl(corpus / "own"), read_jsonl(tmp_path / "again"), strict=True
    ):
        assert (after.html, after.labelled, after.kinds) == (
            before.html,
            before.labelled,
            before.kinds,
        )
    labels = "".join(export(tmp_path / "again", corpus / "sources.jsonl", "own"))
    assert labels == (corpus / "own.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("place", ["clones", "clones/bees", "clones/bees/pages", "own"])
def test_files_are_found_in_clones_and_unpacked_archives(corpus, tmp_path, place):
    assert build(corpus / "own.jsonl", [corpus / place], tmp_path / "again").written == len(OWN)


def test_a_file_with_one_changed_byte_is_refused_by_name(corpus, tmp_path):
    clone = tmp_path / "html"
    clone.mkdir()
    for page in OWN[:3]:
        (clone / page.name).write_bytes(page.read_bytes())
    changed = clone / OWN[1].name
    markup = bytearray(changed.read_bytes())
    markup[len(markup) // 2] ^= 1
    changed.write_bytes(markup)
    built = build(corpus / "own.jsonl", [tmp_path], tmp_path / "out")
    assert (built.written, built.changed) == (2, [str(changed)])
    assert built.missing[1] == f"{OWN[3].stem}: {REPOSITORY} some/{OWN[3].name}"
    assert len(built.missing) == len(OWN) - 2
    assert [row["id"] for row in lines(tmp_path / "out/gold.jsonl")] == [OWN[0].stem, OWN[2].stem]


def test_what_is_missing_is_downloaded_from_the_pinned_commit(corpus, tmp_path):
    asked = []

    def fetch(address):
        asked.append(address)
        page = OWN[len(asked) - 1]
        if page == OWN[2]:
            raise PageError("http-error", "there is none")
        return page.read_bytes() + b" " * (page == OWN[1])

    built = build(corpus / "own.jsonl", [], tmp_path / "again", fetch)
    assert asked[0] == f"{REPOSITORY}/raw/c0ffee/some/{OWN[0].name}"
    assert built.written == len(OWN) - 2
    assert [each.split(":")[0] for each in built.missing] == [OWN[1].stem, OWN[2].stem]


def test_labels_move_with_their_texts(corpus, tmp_path):
    """As if the pages had been cut otherwise when they were labelled."""
    rows = lines(corpus / "own.jsonl")[:1]
    rows[0] |= {
        "kinds": f"e1{rows[0]['kinds']}",
        "hashes": f"beef{rows[0]['hashes']}",
        "texts": "0",
    }
    write_lines(tmp_path / "own.jsonl", rows)
    built = build(tmp_path / "own.jsonl", [corpus / "clones"], tmp_path / "again")
    before = (corpus / "own/blocks" / f"{OWN[0].stem}.blocks.jsonl").read_text(encoding="utf-8")
    after = (tmp_path / "again/blocks" / f"{OWN[0].stem}.blocks.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line) for line in after.splitlines()] == [
        json.loads(line) for line in before.splitlines()
    ]
    assert (built.moved[OWN[0].stem], built.lost[OWN[0].stem]) == (len(before.splitlines()), 0)


SHIPPED = sorted((ROOT / "annotations/labels").glob("*.jsonl"))


def test_shipped_labels_hold_no_word_and_are_small():
    assert len(SHIPPED) == 4
    assert sum(file.stat().st_size for file in SHIPPED) < 3_000_000
    allowed = {"id", "repository", "commit", "path", "sha256", "url", "site", "lang", "type"}
    for file in SHIPPED:
        for row in lines(file):
            assert row.keys() - allowed == {"kinds", "hashes", "texts"}
            assert int(row["hashes"] or "0", 16) >= 0
            assert int(row["texts"], 16) >= 0
            assert set(row["kinds"]) <= {*KINDS, *"0123456789"}
