"""Rows of strangers: whatever they hold, one clear error and nothing written, or a sound corpus."""

import json
from copy import deepcopy

import pytest
from corpus import labelled
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rows import tables
from victor.corpus.gold import read_jsonl
from victor.corpus.pages import read_corpus, write_corpus
from victor.corpus.standoff import build, export
from victor.errors import CorpusError

ROWS = tables(__file__)

PAGE = (
    b"<h1>On bees</h1><p>Bees live in colonies of one queen and many workers.</p><p>They dance.</p>"
)


@pytest.fixture(scope="module")
def place(tmp_path_factory, annotated):
    """A clone, a corpus with blocks, its sources and labels, and an annotated corpus."""
    folder = tmp_path_factory.mktemp("rows")
    labelled.write_corpus(folder, "bees", folder / "clone", {"a/bees.html": PAGE})
    write_corpus(folder / "annotated", annotated[:2])
    return folder


WRONG = ROWS["wrong"]


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_value_of_a_label_is_named(place, tmp_path, key):
    (good,) = labelled.read_lines(place / "labels.jsonl")
    for value in WRONG[key]:
        labelled.write_lines(tmp_path / "l", [{**good, "id": "first"}, {**good, key: value}])
        with pytest.raises(CorpusError, match=r"l, line 2: ") as error:
            build(tmp_path / "l", [place / "clone"], tmp_path / "out")
        assert key in str(error.value)
        assert len(str(error.value)) < 500
        assert not (tmp_path / "out").exists()


LINES = ROWS["lines"]


@pytest.mark.parametrize("line", LINES.values(), ids=[*LINES])
def test_a_wrong_line_is_named_everywhere(place, tmp_path, line):
    (tmp_path / "l").write_bytes(line)
    with pytest.raises(CorpusError, match=r"l, line 1: "):
        build(tmp_path / "l", [place / "clone"], tmp_path / "out")
    with pytest.raises(CorpusError, match=r"l, line 1: "):
        [*export(place / "bees", tmp_path / "l", "bees")]
    (tmp_path / "gold.jsonl").write_bytes(line)
    with pytest.raises(CorpusError, match=r"gold\.jsonl, line 1: "):
        read_jsonl(tmp_path)
    (tmp_path / "pages.jsonl").write_bytes(line)
    with pytest.raises(CorpusError, match=r"pages\.jsonl, line 1: "):
        [*read_corpus(tmp_path)]


def test_two_rows_of_one_page_are_an_error_before_anything_is_written(place, tmp_path):
    (good,) = labelled.read_lines(place / "labels.jsonl")
    labelled.write_lines(tmp_path / "l", [good, {**good, "id": "other"}, good])
    with pytest.raises(CorpusError, match="line 3: id 'bees' occurs twice"):
        build(tmp_path / "l", [place / "clone"], tmp_path / "out")
    assert not (tmp_path / "out").exists()
    (source,) = labelled.read_lines(place / "sources.jsonl")
    labelled.write_lines(tmp_path / "s", [source, {**source, "corpus": "x"}])
    assert len([*export(place / "bees", tmp_path / "s", "bees")]) == 1
    labelled.write_lines(tmp_path / "s", [source] * 2)
    with pytest.raises(CorpusError, match="line 2: id 'bees' occurs twice"):
        [*export(place / "bees", tmp_path / "s", "bees")]


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from([value for values in WRONG.values() for value in values]),
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip
FILES = (
    "labels.jsonl", "sources.jsonl", "bees/gold.jsonl", "bees/blocks/bees.blocks.jsonl",
    "annotated/pages.jsonl",
)  # fmt: skip


@st.composite
def mutated(draw, row):
    """A row with keys dropped, doubled or given other values, as bytes that may be damaged."""
    row = deepcopy(row)
    for key in draw(st.lists(st.sampled_from([*row]), max_size=2, unique=True)):
        if draw(st.booleans()):
            row[key] = draw(ANY)
        else:
            del row[key]
    line = json.dumps(row).encode()
    if draw(st.integers(0, 3)) == 0:
        at = draw(st.integers(0, len(line)))
        line = line[:at] + draw(st.binary(max_size=3)) + line[at + draw(st.integers(0, 3)) :]
    return line


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_mutated_row_is_read_or_refused(place, tmp_path_factory, name, data):
    lines = (place / name).read_bytes().splitlines()
    lines[0] = data.draw(mutated(json.loads(lines[0])))
    folder = tmp_path_factory.mktemp("mutated")
    for each in (*FILES, "bees/html/bees.html"):
        (folder / each).parent.mkdir(parents=True, exist_ok=True)
        (folder / each).write_bytes((place / each).read_bytes())
    (folder / "annotated/html").symlink_to(place / "annotated/html")
    (folder / name).write_bytes(b"\n".join(lines) + b"\n")
    try:
        if name == "labels.jsonl":
            build(folder / name, [place / "clone"], folder / "out")
            [*read_jsonl(folder / "out")]
        elif name == "annotated/pages.jsonl":
            [*read_corpus(folder / "annotated")]
        else:
            "".join(export(folder / "bees", folder / "sources.jsonl", "bees")).encode()
            [*read_jsonl(folder / "bees")]
    except CorpusError as error:
        assert str(error).isprintable()  # noqa: PT017  (either is right)
        if name == "labels.jsonl":
            assert not (folder / "out").exists()
