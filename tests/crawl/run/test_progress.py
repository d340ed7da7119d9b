"""What is shown of a run that is under way."""

import io
from collections import Counter

import pytest

from victor.crawl.run.counts import Totals
from victor.crawl.run.pieces import Piece
from victor.crawl.run.progress import Progress, described, showing
from victor.crawl.workers.batching import Cursor
from victor.sources import expand

TOTALS = Totals(
    900, Counter({"language": 90, "no-content": 5}), Counter({"timeout": 5}), 50_000_000
)


def test_a_line_says_speed_and_what_became_of_the_pages():
    assert described(TOTALS, 10, 3725) == (
        "1,000 pages, 100 pages/s, 5.0 MB/s, kept 900, "
        "dropped 95 (language 90, no-content 5), failed 5 (timeout 5), 1:02:05 left"
    )


class Clock:
    """Seconds that somebody sets."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def inputs(tmp_path):
    """Two inputs of 300 and 100 bytes."""
    (tmp_path / "a.jsonl").write_bytes(b" " * 300)
    (tmp_path / "b.jsonl").write_bytes(b" " * 100)
    return expand([str(tmp_path)])


def test_time_left_is_told_from_the_bytes_read(inputs, clock):
    shown = []
    progress = Progress(inputs, shown.append, clock)
    for now, cursor, position in [
        (5, Cursor(0, 9), 100),
        (9, Cursor(0, 20), 200),
        (15, Cursor(1, 5), 50),
    ]:
        clock.now = now
        progress(TOTALS, Piece([], [], cursor, position, False))
    assert "left" not in shown[0]  # one place tells no speed
    assert shown[1].endswith("0:00:08 left")  # 100 bytes in 4 s, 200 bytes left
    assert shown[2].endswith("0:00:02 left")  # 250 bytes in 10 s, 50 bytes left


def test_what_was_spent_is_told_of_this_call(inputs, clock):
    progress = Progress(inputs, lambda _: None, clock)
    clock.now = 4
    assert progress.spent() == "4.0 s"  # all parts were written by an earlier call
    progress(TOTALS, Piece([], [], Cursor(1, 0), 100, True))
    assert progress.spent() == "4.0 s, 250 pages/s"
    clock.now = 4000
    assert progress.spent() == "1:06:40, 0 pages/s"


def test_off_a_terminal_lines_come_now_and_then():
    stream = io.StringIO()
    with showing(stream) as show:
        for number in range(100):
            show(f"{number} pages")
    assert stream.getvalue() == ""


class Terminal(io.StringIO):
    """Text that is shown to somebody."""

    def isatty(self):
        return True


def test_on_a_terminal_a_line_is_shown_in_place_and_taken_away(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with showing(stream) as show:
        show("7 pages")
    assert " pages" in stream.getvalue()
    assert stream.getvalue().endswith("\x1b[2K")  # the line is erased
