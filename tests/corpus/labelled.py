"""A corpus with a kind for every block, the files that it was made of, its sources and labels."""

import hashlib
import json

from victor.corpus.standoff import KINDS, export
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

REPOSITORY = "https://code.example/bees/pages"
LETTERS = [*KINDS]


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(path, rows):
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def write_corpus(folder, name, clone, pages):
    """Write a corpus of pages, given by their ids, a clone with them, ``sources`` and ``labels``.

    Args:
        folder: where all is written.
        name: of the folder of the corpus.
        clone: the folder with the files of the repository.
        pages: the markup of the page at each path of the repository.
    """
    own, rows, sources = folder / name, [], []
    for made in (own / "html", own / "blocks"):
        made.mkdir(parents=True)
    for path, markup in pages.items():
        (clone / path).parent.mkdir(parents=True, exist_ok=True)
        (clone / path).write_bytes(markup)
        key = (clone / path).stem
        (own / "html" / f"{key}.html").write_bytes(markup)
        texts = block_texts(parse_pages([markup], "block"))
        kinds = [KINDS[LETTERS[len(text) % len(LETTERS)]] for text in texts]
        blocks = [
            {"label": label, "kind": kind, "text": text}
            for (kind, label), text in zip(kinds, texts, strict=True)
        ]
        write_lines(own / "blocks" / f"{key}.blocks.jsonl", blocks)
        kept = [block["text"] for block in blocks if block["label"] in ("header", "text")]
        rows.append({"id": key, "site": f"{key}.example", "type": "x", "text": "\n".join(kept)})
        origin = {"repository": REPOSITORY, "commit": "c0ffee", "path": path}
        sha256 = hashlib.sha256(markup).hexdigest()
        sources.append({"corpus": name, "id": key, "sha256": sha256, **origin})
    write_lines(own / "gold.jsonl", rows)
    write_lines(folder / "sources.jsonl", sources)
    labels = "".join(export(own, folder / "sources.jsonl", name))
    (folder / "labels.jsonl").write_text(labels, encoding="utf-8")
