"""Published layouts become `gold.jsonl`, `html/` and `blocks/` as `victor align` reads them."""

import gzip
import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from victor.base.labels import Label
from victor.corpus.gold import label_page, read_jsonl

H, T, O = Label  # noqa: E741
COMMAND = Path(__file__).parents[2] / "benchmarks" / "gold.py"
spec = spec_from_file_location("gold_command", COMMAND)
command = module_from_spec(spec)
spec.loader.exec_module(command)


@pytest.fixture
def gold(tmp_path, monkeypatch):
    """Function: a layout, its source and options to the gold pages that were written."""

    def written(layout, source, *options):
        output = tmp_path / "gold"
        arguments = ["gold.py", layout, str(source), "-o", str(output), *options]
        monkeypatch.setattr(sys, "argv", arguments)
        command.main()
        return [*read_jsonl(output)]

    return written


def labels(page):
    return label_page(page).page.labels.tolist()


def test_wcxb(gold, tmp_path, capsys):
    for name in ("ground-truth", "html"):
        (tmp_path / name).mkdir()
    for key, kind in (("1", {"primary": "category"}), ("2", "forum"), ("3", None)):
        truth = {"title": "T", "main_content": "Words", "with": ["W"]}
        data = {"url": "https://a.example.com/", "ground_truth": truth}
        data["_internal"] = {"page_type": kind}
        (tmp_path / "ground-truth" / f"{key}.json").write_text(json.dumps(data))
    (tmp_path / "html" / "1.html.gz").write_bytes(gzip.compress(b"<p>Home<p>Words"))
    (tmp_path / "html" / "2.html").write_bytes(b"plain")
    first, second = gold("wcxb", tmp_path)
    assert (first.id, first.html, first.gold) == ("1", b"<p>Home<p>Words", "Words")
    assert (first.site, first.kind, first.licence) == ("example.com", "collection", "CC-BY-4.0")
    assert first.metadata == {"title": "T", "with": ["W"]}
    assert labels(first) == [O, T]
    assert (second.html, second.kind) == (b"plain", "forum")
    assert "3 has no page" in capsys.readouterr().err
