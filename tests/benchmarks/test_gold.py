"""Published layouts become `gold.jsonl`, `html/` and `blocks/` as `victor align` reads them."""

import gzip
import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from victor.base.labels import UNLABELLED, Label
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


def test_victor2008(gold, tmp_path, capsys):
    marked = (
        b'<text id="http://e.cz/"><body><span id="victor_an1" class="victor_other">Menu</span>'
        b'<h1><span class="x" title="a>b"><span class="victor_header" id="victor_an2">A &amp; '
        b'</span><i><span id="victor_an3" class="victor_continuation">B</span></i></span></h1>'
        b"<p></span><span id='victor_an4' class='victor_paragraph'>\xc4\x8das </span>"
        b'<b><SPAN id="victor_an5" class="victor_continuation">je</SPAN></b></p></body>'
    )
    (tmp_path / "5.anno").write_bytes(marked)
    (tmp_path / "6.anno").write_bytes(b'<span id="victor_an1" class="victor_other">x')
    (tmp_path / "7.anno").write_bytes(b'<span id="victor_an1" class="victor_headr">x</span>')
    (page,) = gold("victor2008", tmp_path)
    assert (page.id, page.site, page.gold) == ("5", "e.cz", None)
    assert page.html == (
        b'<text id="http://e.cz/"><body>Menu'
        b'<h1><span class="x" title="a>b">A &amp; <i>B</i></span></h1>'
        b"<p></span>\xc4\x8das <b>je</b></p></body>"
    )
    assert [label for label, _ in page.labelled] == [O, H, H, T, T]
    assert labels(page) == [O, H, H, T, T]
    told = capsys.readouterr().err
    assert "6.anno: a marked span is never closed" in told
    assert "7.anno: no class of Victor" in told


def test_webmainbench(gold, tmp_path, capsys):
    html = (
        '<p class="a mark-selected" style="" _item_id="3">Home</p>'
        '<h1 cc-select="true" class="mark-selected">Bees</h1>'
        '<p cc-select="true"><marked-text>They <b>f</b>ly</marked-text>.<br>All day'
        '<span style="display: none" data-anno-uid="x" cc-alg="y">long</span></p>'
        '<p style="display:none"><i cc-select="true">Nobody sees this</i></p>'
    )
    rows = [
        {"track_id": "a", "html": html, "meta": {"language": "en", "style": "Article"}},
        {"track_id": "b", "html": "<p>x", "main_html": "<p>content"},
        {"track_id": "c", "html": "<p>x", "main_html": ""},
    ]
    file = tmp_path / "bench.jsonl"
    file.write_text("\n".join(["{", *map(json.dumps, rows)]))
    page, empty = gold("webmainbench", file)
    assert (page.language, page.kind, page.licence) == ("en", "Article", "Apache-2.0")
    assert page.html.decode() == (
        '<p class="a">Home</p><h1>Bees</h1><p>They <b>f</b>ly.<br>All day'
        '<span style="display: none">long</span></p>'
        '<p style="display:none"><i>Nobody sees this</i></p>'
    )
    assert page.gold == "Bees\nThey fly.\nAll daylong"
    assert labels(page) == [O, H, T, T, T, T, T, UNLABELLED]
    assert (empty.id, empty.gold, labels(empty)) == ("c", "", [O])
    told = capsys.readouterr().err
    assert "line 1: " in told
    assert "line 3: nothing that is visible is selected" in told
