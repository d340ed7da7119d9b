"""Rows in the form of WebMainBench; the pages are our own."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.base.labels import Label
from victor.corpus.pages import AnnotatedPage
from victor.corpus.webmainbench import Line, Skipped, read_line, read_lines
from victor.errors import ConfigError

H, T, O = Label  # noqa: E741
HTML = (
    '<html><body data-anno-uid="anno-uid-1"><ul><li>Home</ul>'
    '<h1 cc-select="true" class="mark-selected">Bees</h1><p cc-select="true">They fly.</p>'
    "<p>All rights reserved</body></html>"
)
ROW = {
    "track_id": "0b7f2636-d35f-40bf-9b7f-94be4bcbb396",
    "html": HTML,
    "url": "https://www.hives.example/bees",
    "main_html": '<h1 cc-select="true">Bees</h1><p cc-select="true">They fly.</p>',
    "convert_main_content": "# Bees\n\nThey fly.",
    "groundtruth_content": "# Bees\n\nThey fly.",
    "meta": {"language": "en", "style": "Article", "level": "mid", "table": [], "code": ["inline"]},
}
UNMARKED = {"track_id": "x", "html": "<p>Bees"}


def read(row):
    return read_line(Line("bench.jsonl, line 3", json.dumps(row).encode()))


def test_a_row():
    page = read(ROW)
    assert page.labels.tolist() == [O, H, T, O]
    assert page.gold == "Bees\nThey fly."
    assert (page.id, page.url, page.site) == (ROW["track_id"], ROW["url"], "hives.example")
    assert (page.language, page.kind, page.licence) == ("en", "Article", None)
    assert page.metadata == {
        "language": "en", "style": "Article", "level": "mid", "code": ["inline"]
    }  # fmt: skip
    assert b"cc-select" not in page.html
    assert "They fly" not in json.dumps(page.metadata)


@pytest.mark.parametrize(
    ("row", "attributes"),
    [
        ({"id": 7, "html": HTML}, {"id": "7", "url": None, "site": "", "metadata": {}}),
        ({"id": "a", "html": HTML, "meta": None, "url": 3}, {"url": None, "language": None}),
        ({"id": "a", "html": HTML, "language": "cs", "level": "hard"}, {"language": "cs"}),
        ({"id": "a", "html": HTML, "meta": {"language": ["en"], "style": {}}}, {"kind": None}),
        ({"id": "a", "html": HTML, "license": "CC0-1.0"}, {"licence": "CC0-1.0"}),
        (
            {"id": "a", "html": HTML, "url": "http://a.example/\ud800"},
            {"url": "http://a.example/?"},
        ),
    ],
)
def test_optional_keys(row, attributes):
    page = read(row)
    assert {name: getattr(page, name) for name in attributes} == attributes


@pytest.mark.parametrize(
    ("row", "reason", "message"),
    [
        ({**ROW, "track_id": None}, "no-id", "the row lacks track_id"),
        ({"html": HTML}, "no-id", "the row lacks track_id"),
        ({"track_id": "x"}, "no-html", "the row of x lacks html"),
        ({"track_id": "x", "html": ["<p>"]}, "no-html", "the row of x lacks html"),
        ({**ROW, "track_id": "../x"}, "bad-id", "'../x' is not a plain file name"),
        ({**ROW, "track_id": "\ud800"}, "bad-id", "is not a plain file name"),
        ({**ROW, "track_id": "é" * 101}, "bad-id", "too long for a file name"),
        (["track_id"], "damaged-line", "not a JSON object"),
        (None, "damaged-line", "not a JSON object"),
        (UNMARKED, "no-mark", "x selects nothing"),
        ({**UNMARKED, "convert_main_content": "Bees"}, "no-mark", "x selects nothing"),
        ({**UNMARKED, "convert_main_content": "", "main_html": "<p>Bees"}, "no-mark", ""),
        ({"track_id": "x", "html": "<p>a<img cc-select=true>"}, "no-marked-text", "visible text"),
        ({"track_id": "x", "html": "a<plaintext>b<marked-text>"}, "marks-hold-text", ""),
    ],
)
def test_rows_that_give_no_page(row, reason, message):
    skipped = read(row)
    assert skipped.reason == reason
    assert skipped.message.startswith("bench.jsonl, line 3: ")
    assert message in skipped.message


@pytest.mark.parametrize(
    "golds",
    [{"convert_main_content": ""}, {"groundtruth_content": " \n", "main_html": "<html></html>"}],
)
def test_pages_without_content_where_the_row_says_so(golds):
    page = read({**UNMARKED, **golds})
    assert (page.labels.tolist(), page.gold) == ([O], "")


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b'{"html": "' + b"[" * 9, b"[" * 100_000, b"9" * 9999]
)
def test_damaged_lines(content):
    skipped = read_line(Line("a", content))
    assert skipped.reason == "damaged-line"
    assert skipped.message.startswith("a: ")


@given(st.binary() | st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["track_id", "id", "html", "url", "meta", "language", "main_html"]), inner),
).map(lambda row: json.dumps(row).encode()))  # fmt: skip
def test_any_line_gives_a_page_or_a_reason(content):
    assert isinstance(read_line(Line("a", content)), AnnotatedPage | Skipped)


class TestFiles:
    @pytest.fixture
    def lines(self):
        return [json.dumps({**ROW, "track_id": name}).encode() for name in "abc"]

    def ids(self, source):
        return [getattr(read_line(line), "id", "-") for line in read_lines(source)]

    def test_a_file_or_the_files_of_a_folder(self, tmp_path, lines):
        (tmp_path / "b.jsonl").write_bytes(b"\n".join(lines[:2]) + b"\n\n")
        (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(lines[2]))
        (tmp_path / "notes.txt").write_text("none")
        assert self.ids(tmp_path / "b.jsonl") == ["a", "b"]
        assert self.ids(tmp_path) == ["a", "b", "c"]

    def test_lines_are_numbered(self, tmp_path, lines):
        (tmp_path / "b.jsonl").write_bytes(b"\n\r\n" + b"\r\n".join(lines))
        where = [line.where for line in read_lines(tmp_path / "b.jsonl")]
        assert where == [f"{tmp_path}/b.jsonl, line {number}" for number in (3, 4, 5)]

    def test_a_damaged_line_costs_itself(self, tmp_path, lines):
        (tmp_path / "b.jsonl").write_bytes(b"\n".join([lines[0], lines[1][:90], b"\0", lines[2]]))
        assert self.ids(tmp_path) == ["a", "-", "-", "c"]

    def test_a_damaged_member_costs_its_lines(self, tmp_path, lines):
        packed = [gzip.compress(line + b"\n") for line in lines]
        packed[1] = packed[1][:40] + b"\xff" * 9 + packed[1][49:]
        (tmp_path / "b.jsonl.gz").write_bytes(b"".join(packed))
        ids = self.ids(tmp_path)
        assert (ids[0], ids[-1]) == ("a", "c")
        assert set(ids[1:-1]) == {"-"}

    def test_a_line_is_read_when_it_is_wanted(self, tmp_path, monkeypatch, lines):
        """A file larger than memory: before the second line nothing of the last has been read."""
        (tmp_path / "b.jsonl").write_bytes(b"\n".join(lines * 2000))
        reading = read_lines(tmp_path / "b.jsonl")
        next(reading)
        with (tmp_path / "b.jsonl").open("r+b") as file:
            file.truncate(len(lines[0]) * 3000)
        assert 2900 < sum(1 for _ in reading) < 3100

    def test_too_long_lines(self, tmp_path, monkeypatch, lines):
        monkeypatch.setattr("victor.corpus.webmainbench._LONGEST", len(lines[0]))
        (tmp_path / "b.jsonl").write_bytes(b"\n".join([lines[0], lines[1] + b" ", lines[2]]))
        read = [read_line(line) for line in read_lines(tmp_path)]
        assert read[1].reason == "too-many-bytes"
        assert [page.id for page in read[::2]] == ["a", "c"]

    def test_no_files(self, tmp_path):
        with pytest.raises(ConfigError, match="holds nothing to read"):
            list(read_lines(tmp_path))
