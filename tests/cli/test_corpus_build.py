"""`victor corpus build` and `export`: what they say, and how they end."""

import hashlib
import json

PAGE = b"<h1>On bees</h1><p>Bees live in colonies of one queen and many workers.</p>"
SOURCE = {"repository": "https://code.example/bees/pages", "commit": "c0ffee", "path": "a.html"}


def test_labels_of_a_corpus_build_it_again(victor, tmp_path):
    corpus = tmp_path / "bees"
    for folder in ("html", "blocks"):
        (corpus / folder).mkdir(parents=True)
    (corpus / "html/a.html").write_bytes(PAGE)
    text = "Bees live in colonies of one queen and many workers."
    blocks = [
        {"label": "ambiguous", "kind": "headline", "text": "On bees"},
        {"label": "text", "kind": "text", "text": text},
    ]
    (corpus / "blocks/a.blocks.jsonl").write_text("\n".join(map(json.dumps, blocks)))
    (corpus / "gold.jsonl").write_text(json.dumps({"id": "a", "text": text}))
    origin = {"corpus": "bees", "id": "a", "sha256": hashlib.sha256(PAGE).hexdigest(), **SOURCE}
    (tmp_path / "sources.jsonl").write_text(json.dumps(origin))
    labels, built = tmp_path / "bees.jsonl", tmp_path / "built"

    run = victor("corpus", "export", corpus, "--sources", tmp_path / "sources.jsonl", "-o", labels)
    assert (run.status, run.err) == (0, f"victor: wrote the labels of 1 pages to {labels}\n")
    assert json.loads(labels.read_text())["kinds"] == "H1t1"
    run = victor("corpus", "build", labels, "--from", corpus, "-o", built)
    assert (run.status, run.err) == (0, f"victor: wrote 1 pages to {built}\n")
    assert victor("align", built, "-o", tmp_path / "aligned").status == 0

    (corpus / "html/a.html").write_bytes(PAGE + b" ")
    run = victor("corpus", "build", labels, "--from", corpus, "-o", tmp_path / "other")
    assert run.status == 1
    assert f"{corpus / 'html/a.html'} is not the file that was labelled" in run.err
    run = victor("corpus", "build", labels, "--from", tmp_path, "-o", tmp_path / "none")
    assert run.status == 1
    assert "missing: a: https://code.example/bees/pages a.html" in run.err
