"""Lines for terminals: what pages say is tame, cells are counted, bars say how much."""

import json
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.cli.screen import Screen, cells, cut, tame, wrapped, write_record

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
quick = settings(max_examples=80, deadline=None, derandomize=True)


@quick
@given(ANY, st.integers(2, 30), st.none() | st.integers(1, 4))
def test_lines_are_printable_and_fit(text, width, lines):
    shown = list(wrapped(text, width, lines))
    assert all(line.isprintable() and cells(line) <= width for line in shown)
    assert lines is None or len(shown) <= lines
    if lines is None:
        assert "".join(shown).replace(" ", "") == tame(text).replace(" ", "")
    elif "".join(shown).replace(" ", "") != tame(text).replace(" ", ""):
        assert shown[-1].endswith("…")


@pytest.mark.parametrize(
    ("text", "width", "lines", "shown"),
    [
        ("one two three", 7, None, ["one two", "three"]),
        ("one two three", 7, 1, ["one tw…"]),
        ("abcdefgh i", 3, None, ["abc", "def", "gh", "i"]),
        ("蟻と蜂", 4, None, ["蟻と", "蜂"]),
        ("蟻と蜂", 4, 1, ["蟻…"]),
        ("a\x1b[31m\u202e\tb\u200b", 20, None, ["a [31m b"]),
        ("  ", 5, 2, []),
    ],
)
def test_wrapping(text, width, lines, shown):
    assert list(wrapped(text, width, lines)) == shown


def test_a_letter_with_a_thousand_accents_is_cut():
    text = "a" + "\u0301" * 100_000 + " and more"
    assert len(cut(text, 10)) <= 41
    assert cut(text, 10).endswith("…")
    assert max(map(len, wrapped(text, 10))) <= 40


@pytest.mark.parametrize("word", ["a" + "\u0301" * 8000, "\u00e9" * 8000, "\u8749" * 8000])
def test_a_long_word_is_read_a_fixed_number_of_times(word, monkeypatch):
    n_read = 0

    def counted(character):
        nonlocal n_read
        n_read += 1
        return category(character)

    monkeypatch.setattr("victor.cli.screen.category", counted)
    assert "".join(wrapped(word, 10)) == word
    assert n_read <= 3 * len(word)


def test_bars_are_as_long_as_their_share():
    screen = Screen(80, colour=False, encoding="utf-8")
    assert screen.signed_bar(1, 1) == "      │██████"
    assert screen.signed_bar(-0.25, 1) == "    ▐█│      "
    assert screen.signed_bar(0, 0) == "      │      "
    assert screen.bar(0.5, 1) == "██████▌      "
    assert screen.bar(7, 1) == screen.bar(1, 1) == "█" * 13
    plain = Screen(80, colour=False, encoding="ascii")
    assert plain.signed_bar(-0.5, 1) == "   ###|      "
    assert plain.bar(0.5, 1) == "######       "
    assert "\x1b[" in Screen(80, colour=True, encoding="utf-8").signed_bar(1, 1)


@pytest.mark.parametrize(
    ("encoding", "line"), [("ascii", "a -> b... ##|"), ("utf-8", "a → b… ██│")]
)
def test_characters_that_an_encoding_lacks(capsys, encoding, line):
    Screen(80, colour=False, encoding=encoding).write("a → b… ██│")
    assert capsys.readouterr().out == f"{line}\n"


def test_records_are_printable_and_whole(capsysbinary):
    record = {"text": "a\x1b[31m \u202e\u2028\x9b „b“ \ud800 \U0001f9ff \U000e0041"}
    write_record(record)
    line = capsysbinary.readouterr().out.decode()
    assert line.rstrip("\n").isprintable()
    assert json.loads(line) == record


def test_colours_follow_the_conventions(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert not Screen.stdout().colour
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert Screen.stdout().colour
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Screen.stdout().colour
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not Screen.stdout().colour


def test_the_width_is_that_of_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "132")
    assert Screen.stdout().width == 132
    monkeypatch.setenv("COLUMNS", "9")
    assert Screen.stdout().width == 40
