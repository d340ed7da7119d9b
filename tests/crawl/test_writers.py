"""Every form of a corpus: what is written can be read again, and always as the same bytes."""

import gzip
import io
import re
import unicodedata
from html import unescape

import orjson
import pyarrow.parquet
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from tests.rows import tables
from victor.crawl import writers
from victor.crawl.writers import WRITERS, registry, writer
from victor.documents.page_filter import LanguageGuess
from victor.documents.process import Cleaned, Shares
from victor.documents.row import TYPES, Outcome, Paragraph, row
from victor.errors import ConfigError
from victor.sources.record import Record

ROWS = tables(__file__)


def made(id, text, paragraphs, *, url=None, date=None, title=None, language=None,
         language_score=None, kept_share=0.0, confidence=0.0, model="", markdown=None,
         metadata=None, page_type=None):  # fmt: skip
    """The outcome of a page of which this is known."""
    record = Record("a.warc.gz", 0, b"", url=url, id=id, date=date, metadata=metadata or {})
    shares, guess = Shares(0, kept_share, confidence), LanguageGuess(language, language_score)
    known = (record, {"title": title}, guess, shares, model, text)
    page = Cleaned(*known, paragraphs, markdown, page_type)
    return Outcome("a.warc.gz", 0, "written", "ok", row=row(page), paragraphs=paragraphs)


def fields_of(page):
    """Its row as plain data."""
    return to_builtins(page.row)


ODD = "a\x00\x01\t\n\r\u2028\x85\x7f<>&\"' \xa0\xad\u200b\ufeff\ud800\udfff\U0001f600é"
WORDS = st.text(st.one_of(st.characters(codec=None), st.sampled_from(ODD)), max_size=40)
PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)
P_OTHER = st.none() | st.integers(0, 10_000).map(lambda number: number / 10_000)
STARTS = st.integers(0, 1 << 40)
PARAGRAPHS = st.builds(
    Paragraph, WORDS, st.booleans(), P_OTHER, st.sampled_from([None, "cs"]), st.just(""), STARTS
)
DOCUMENTS = st.lists(
    st.builds(
        made,
        id=WORDS,
        text=WORDS,
        paragraphs=st.lists(PARAGRAPHS, max_size=3).map(tuple),
        url=st.none() | WORDS,
        date=st.none() | WORDS | st.datetimes(timezones=st.timezones()).map(str),
        title=st.none() | WORDS,
        language=st.sampled_from([None, "cs", "en", "sr-Latn"]),
        language_score=st.none() | st.floats(0, 1),
        kept_share=st.floats(0, 1),
        confidence=st.floats(0, 1),
        model=st.sampled_from(["0123456789abcdef", "kimatu"]),
        markdown=st.none() | WORDS,
        metadata=st.dictionaries(
            st.sampled_from(["dump", "file_path", "a", "\ud800", "author", *TYPES["metadata"]]),
            PLAIN,
            max_size=3,
        ),
    ),
    max_size=4,
)


@pytest.fixture(scope="module")
def write(tmp_path_factory):
    """Write documents in a form and give the path."""

    def written(form, documents):
        path = tmp_path_factory.mktemp("form") / f"part{WRITERS[form]}"
        with writer(form, path) as out:
            for document in documents:
                out.write(document)
        return path

    return written


def json_lines(raw):
    """Lines end with \\n only: texts may hold what other splitters take for an end."""
    return [orjson.loads(line) for line in raw.split(b"\n")[:-1]]


READ = {
    "jsonl": lambda path: json_lines(path.read_bytes()),
    "jsonl.gz": lambda path: json_lines(gzip.decompress(path.read_bytes())),
    "jsonl.zst": lambda path: json_lines(
        zstandard.ZstdDecompressor().stream_reader(io.BytesIO(path.read_bytes())).read()
    ),
    "parquet": lambda path: pyarrow.parquet.read_table(path).to_pylist(),
}


# Rows


@pytest.mark.parametrize("form", READ)
@settings(derandomize=True, deadline=None, max_examples=30)
@given(documents=DOCUMENTS)
def test_every_form_gives_back_every_row(write, form, documents):
    path = write(form, documents)
    assert READ[form](path) == [fields_of(document) for document in documents]
    assert path.read_bytes() == write(form, documents).read_bytes()


@pytest.mark.parametrize("form", WRITERS)
def test_no_document_is_a_file_all_the_same(write, form):
    path = write(form, [])
    assert path.exists()
    assert not (READ[form](path) if form in READ else path.read_bytes())


def test_names_of_fineweb_come_first():
    assert tuple(TYPES)[:8] == (
        *("text", "id", "dump", "url", "date", "file_path", "language", "language_score"),
    )
    fields = fields_of(made("1", "", (), metadata={"dump": "D", "encoding": "utf-8"}))
    assert [*fields] == [*TYPES]
    assert (fields["dump"], fields["file_path"]) == ("D", "a.warc.gz")
    assert [*fields["metadata"]] == [*TYPES["metadata"]]
    assert {name for name, value in fields["metadata"].items() if value} == {"encoding"}


def hash_of(text):
    return made("1", text, ()).row.hash


def test_a_hash_is_64_bits_in_hexadecimal_digits():
    """The digits are promised: corpora of several runs are compared by them."""
    assert hash_of("Žluťoučký kůň\n\nA horse.\n") == "a763decbb1f73569"
    assert hash_of("") == "e4a6a0577479b2b4"


@given(WORDS)
@settings(derandomize=True, deadline=None, max_examples=200)
def test_texts_that_differ_in_case_white_space_or_composition_have_one_hash(text):
    folded = {hash_of(text), hash_of(f" {text}\n"), hash_of(re.sub(r"\s", "\u2003 ", text))}
    folded |= {hash_of(unicodedata.normalize(form, text)) for form in ("NFC", "NFD")}
    assert folded == {hash_of(text.lower())}


def test_what_json_cannot_hold_becomes_text_or_nothing():
    deep = []
    for _ in range(1000):
        deep = [deep]
    odd = {"big": 2**70, "nan": float("nan"), "bytes": b"x", 3: (1, 2), "deep": deep}
    more = made("1", "", (), metadata=odd).row.metadata.more
    metadata = orjson.loads(more)
    assert metadata["big"] == str(2**70)
    assert metadata["nan"] is None
    assert metadata["bytes"] == "b'x'"
    assert metadata["3"] == [1, 2]


def test_parquet_in_groups_of_a_thousand(write):
    documents = [made(str(i), "x", ()) for i in range(2500)]
    file = pyarrow.parquet.ParquetFile(write("parquet", documents))
    assert [file.metadata.row_group(i).num_rows for i in range(3)] == [1000, 1000, 500]
    assert file.read().column("id").to_pylist() == [each.row.id for each in documents]
    file.close()


@pytest.mark.parametrize(("name", "value", "field", "written"), ROWS["metadata_in_their_fields"])
def test_metadata_in_their_fields(name, value, field, written):
    metadata = fields_of(made("1", "", (), metadata={name: value}))["metadata"]
    assert metadata[field] == written
    assert metadata["more"] is None


@pytest.mark.parametrize(("name", "misfit"), ROWS["what_fits_no_field_is_not_lost"])
def test_what_fits_no_field_is_not_lost(name, misfit):
    metadata = fields_of(made("1", "", (), metadata={name: misfit}))["metadata"]
    assert orjson.loads(metadata["more"]) == {name: misfit}
    assert metadata.get(name, "absent") in (None, [], "absent", metadata["more"])


# Vertical


def tags_of(lines, name):
    """The attributes of every start tag of a vertical; its other lines are tokens."""
    found = []
    for line in lines:
        tag = re.fullmatch(r"<(/?)(doc|p|s|g)((?: \w+=\"[^\"<>]*\")*)(/?)>", line)
        assert tag or not re.search(r"[\s<>]|^$", line), line
        if tag and (tag[1], tag[2]) == ("", name):
            found.append({k: unescape(v) for k, v in re.findall(r' (\w+)="([^"]*)"', tag[3])})
    return found


@settings(derandomize=True, deadline=None, max_examples=30)
@given(DOCUMENTS)
def test_a_vertical_is_lines_of_tags_and_tokens(write, documents):
    lines = write("vertical", documents).read_bytes().decode().split("\n")[:-1]
    for attributes, document in zip(tags_of(lines, "doc"), documents, strict=True):
        assert attributes.get("lang") == document.row.language
        assert ("title" in attributes) == (document.row.title is not None)
    assert len(tags_of(lines, "p")) == sum(len(document.paragraphs) for document in documents)


def test_the_vertical_of_a_page_has_all_that_is_declared(write):
    given_ = dict(ROWS["vertical"]["page"])
    kept = tuple(Paragraph(**each) for each in given_.pop("paragraphs"))
    lines = write("vertical", [made(paragraphs=kept, **given_)]).read_text("utf-8").splitlines()
    assert lines == ROWS["vertical"]["lines"].splitlines()
    (attributes,), paragraphs = tags_of(lines, "doc"), tags_of(lines, "p")
    doc, p = re.findall(r"STRUCTURE \w+ {\n(.*?)\n}", registry(), re.DOTALL)[:2]
    assert re.findall(r"ATTRIBUTE (\w+)", doc) == [*attributes]
    assert {*re.findall(r"ATTRIBUTE (\w+)", p)} == {name for each in paragraphs for name in each}


@pytest.mark.parametrize(("text", "language", "expected"), ROWS["sentences"])
def test_rules_of_the_language_part_sentences(text, language, expected):
    parted = writers.sentences(text, language)
    assert [" ".join("+" * glued + token for token, glued in each) for each in parted] == expected


def test_a_form_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match="no form 'csv'"):
        writer("csv", tmp_path / "x")
