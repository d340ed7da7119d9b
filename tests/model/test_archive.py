"""Archives of models that were made to harm: one typed error, soon and with little memory."""

import os
import struct
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from model_files import archived

from tests.rows import tables, written_out
from victor.errors import ModelError
from victor.model import archive

HEADER = "{'descr': %s, 'fortran_order': False, 'shape': %s, }"


def npy(descr="'<f8'", shape="(3,)", data=bytes(24), version=b"\x01\x00"):
    """A member with any header."""
    header = (HEADER % (descr, shape)).encode("latin-1") + b"\n"
    return b"\x93NUMPY" + version + struct.pack("<H", len(header)) + header + data


def peak_of(function):
    """The most memory that Python held meanwhile, in bytes."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def refused(path):
    with pytest.raises(ModelError) as refusal:
        archive.read(path)
    assert path.name in str(refusal.value)
    return str(refusal.value)


def test_a_document_of_blanks_costs_no_memory(tmp_path):
    blanks = archived(tmp_path / "b.victor", {"model.json": bytes(60_000_000).replace(b"\0", b" ")})
    assert blanks.stat().st_size < 100_000
    assert peak_of(lambda: refused(blanks)) < 10_000_000


@pytest.mark.parametrize("name", ["model.json", "x.npy"])
def test_a_member_that_lies_about_its_size_costs_no_more_than_it_says(tmp_path, name):
    """Both headers say 1,000 bytes; the data unpack to 60 million."""
    path = archived(tmp_path / "lies.victor", {"model.json": "{}", name: bytes(60_000_000)})
    data = path.read_bytes().replace(struct.pack("<I", 60_000_000), struct.pack("<I", 1_000))
    path.write_bytes(data)
    assert peak_of(lambda: refused(path)) < 10_000_000


@pytest.mark.parametrize(
    "content",
    [b"", b"\x93NUMPY", np.array(["text"]), np.array([1j]), np.array([(1, 2)], "i4,f4"),
     np.array(["2026-11-22"], "datetime64[D]"), npy(version=b"\x03\x00"), npy(version=b"\x09\x00"),
     *(npy(*map(written_out, header)) for header in tables(__file__)["headers"])],
)  # fmt: skip
def test_members_that_are_no_arrays_of_numbers(tmp_path, content):
    assert "x.npy" in refused(archived(tmp_path / "m.victor", {"model.json": {}, "x.npy": content}))


def test_arrays_have_the_bytes_and_the_rows_of_this_machine(tmp_path):
    """Whatever order they are stored in: the compiled core reads memory as it is."""
    wanted = np.arange(12.0).reshape(3, 4)
    for stored in (wanted.astype(">f8"), np.asfortranarray(wanted), wanted[:0]):
        path = archived(tmp_path / "m.victor", {"model.json": {}, "x.npy": stored})
        array = archive.read(path)[1]["x"]
        assert array.dtype == np.dtype("=f8")
        assert array.dtype.isnative
        assert array.flags.c_contiguous
        assert array.shape == stored.shape
        assert np.array_equal(array, stored)


@pytest.mark.parametrize(
    "text", ["[]", "1", "null", '{"a": NaN}', '{"a": -Infinity}', r'{"a": "\ud800"}', "[" * 10**6,
             '{"a": ' + "9" * 5_000 + "}", "\xff", ""],
)  # fmt: skip
def test_documents_that_are_no_object_of_finite_numbers_and_text(tmp_path, text):
    refused(archived(tmp_path / "m.victor", {"model.json": text.encode("latin-1")}))


def test_what_is_no_file_is_not_waited_for(tmp_path):
    pipe = tmp_path / "pipe.victor"
    os.mkfifo(pipe)
    assert "no file" in refused(pipe)
    refused(tmp_path)
    refused(Path("/dev/zero"))


def test_a_file_and_its_members_have_as_many_bytes_as_allowed(tmp_path):
    path = tmp_path / "m.victor"
    archive.write(path, {"a": "b" * 999}, {"x": np.zeros(9)})
    with zipfile.ZipFile(path) as file:
        n_bytes = sum(entry.file_size for entry in file.infolist())
    assert archive.read(path, n_bytes)[0] == {"a": "b" * 999}
    with pytest.raises(ModelError, match="all of it"):
        archive.read(path, n_bytes - 1)
    stored = archived(path, {"model.json": "{}"}, zipfile.ZIP_STORED).stat().st_size
    assert archive.read(path, stored) == ({}, {})
    with pytest.raises(ModelError, match=r"m\.victor has"):
        archive.read(path, stored - 1)


def test_the_same_model_is_the_same_bytes(tmp_path):
    paths = [tmp_path / "a.victor", tmp_path / "b.victor"]
    for path in paths:
        archive.write(path, {"a": "ř"}, {"x": np.arange(3)}, {"b.txt": "c"})
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with zipfile.ZipFile(paths[0]) as file:
        assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {entry.external_attr >> 16 for entry in file.infolist()} == {0o644}
        assert file.read("model.json").decode() == '{\n "a": "ř"\n}'
