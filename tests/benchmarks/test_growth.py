"""The benchmark of growth: it goes on where it was, and the largest exponents are told."""

import json

import growth


def row(step, time, memory=None, error=""):
    return growth.Growth("pure", "rows", step, [1, 4], [0.1, 0.4], [1.0, 4.0], time, memory, error)


def test_the_last_measurement_counts_and_a_line_cut_short_does_not(tmp_path):
    lines = [json.dumps(row("text", time)._asdict()) for time in (1.5, 1.1)]
    file = tmp_path / "growth.jsonl"
    file.write_text("\n".join([*lines, lines[0][:30]]))
    assert [kept.time for kept in growth.read(file).values()] == [1.1]
    assert growth.read(tmp_path / "none") == {}


def test_what_grows_too_fast_or_fails_is_counted(capsys):
    rows = [row("text", 1.2, 1.2), row("xml", 1.21), row("tei", None, 1.3)]
    assert growth.report([*rows, row("html", None, None, "SIGSEGV")], 1.2) == 3
    printed = capsys.readouterr().out
    assert "| pure | text | 1 | 1 | 1.20 | rows | 1 | 1.20 | rows |" in printed
    assert "pure · html · rows" in printed
