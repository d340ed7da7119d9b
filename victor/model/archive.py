"""A JSON document, arrays and texts in one file without pickle; what is read from it is checked."""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from victor.base.arrays import Floats
from victor.base.errors import ModelError
from victor.base.files import created, replaced

_JSON: Final = "model.json"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_MOST_JSON: Final = 1 << 24
_MOST_TEXT: Final = 1 << 20
_MOST_BYTES: Final = 1 << 27
"""Bytes of the document, of a text, and of the file and of all its members; our models have a
hundredth."""
_LONGEST: Final = 1 << 40
"""Bound of every length of an array, so that no product of them is too large for numpy."""
_PIECE: Final = 1 << 20  # bytes unpacked at once: what a member says of its size may be a lie
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Only these can be unpacked piece by piece."""
_NUMBERS: Final = "biuf"  # kinds of dtypes: flags, integers, floats
_DAMAGE: Final = (
    OSError, ValueError, KeyError, EOFError, RuntimeError, MemoryError, NotImplementedError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What reading a damaged archive raises; RuntimeError where a flag asks for a password."""

Arrays = Mapping[str, NDArray[Any]]


def write(
    path: Path, document: Mapping[str, Any], arrays: Arrays, texts: Mapping[str, str] | None = None
) -> None:
    """Write a file; one that is there is replaced when all is written, not before.

    Args:
        path: the file.
        document: plain data.
        arrays: by the name of their member, without its ending.
        texts: by the name of their member.
    """
    import json  # only who trains writes

    members = {_JSON: json.dumps(document, ensure_ascii=False, indent=1).encode()}
    members |= {f"{name}.npy": _array_bytes(array) for name, array in sorted(arrays.items())}
    members |= {name: text.encode() for name, text in sorted((texts or {}).items())}
    with (
        replaced(path) as unfinished,
        created(unfinished) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
    ):
        for name, content in members.items():
            archive.writestr(_entry(name), content)


def read_text(path: Path, member: str) -> str:
    """A text of a file that `read` takes.

    Raises:
        ModelError: the file is missing or damaged, or it has no such text.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _content(archive, member, _MOST_TEXT).decode()
    except _DAMAGE as error:
        raise ModelError(f"{path}: {member} is missing or damaged ({error}); restore it") from None


def read(
    path: Path, most_bytes: int = _MOST_BYTES
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The document and the arrays of a file.

    Args:
        path: the file.
        most_bytes: that it may have, packed and unpacked.

    Raises:
        ModelError: the file is missing or damaged.
    """
    try:
        return _read(path, most_bytes)
    except FileNotFoundError:
        raise ModelError(f"no model at {path}; `victor models` lists what is shipped") from None
    except _DAMAGE as error:
        raise ModelError(
            f"{path} is not a model file that `victor train` or `victor adapt` wrote, "
            f"or is damaged ({error})"
        ) from None


def _read(path: Path, most: int) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    if not path.exists():
        raise FileNotFoundError
    if not path.is_file():  # a pipe would let us wait
        raise ValueError("it is a folder" if path.is_dir() else "it is no file")
    _check_size(path.name, path.stat().st_size, most)
    with zipfile.ZipFile(path) as archive:
        _check_size("all of it", sum(e.file_size for e in archive.infolist()), most)
        document = _document(_content(archive, _JSON, _MOST_JSON))
        arrays = {
            name.removesuffix(".npy"): _array(name, _content(archive, name, most))
            for name in archive.namelist()
            if name.endswith(".npy")
        }
    return document, arrays


def _check_size(name: str, size: int, most: int) -> None:
    if size > most:
        raise ValueError(f"{name} has {size:,} bytes; {most:,} are allowed")


def _content(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """A member, unpacked in pieces, so that one of any size costs no more memory than allowed."""
    entry = archive.getinfo(name)
    _check_size(name, entry.file_size, most)
    if entry.compress_type not in _METHODS:
        raise ValueError(f"{name} is compressed by another method than deflate")
    with archive.open(entry) as member:
        return b"".join(iter(lambda: member.read(_PIECE), b""))


def _document(data: bytes) -> dict[str, Any]:
    """The object that JSON stands for; all its numbers are finite and its strings are text."""
    document = msgspec.json.decode(data)
    if not isinstance(document, dict):
        raise ValueError(f"{_JSON} is not an object")
    return document


def _array(name: str, data: bytes) -> NDArray[Any]:
    """The numbers of a .npy member, in the order of bytes of this machine."""
    file = io.BytesIO(data)
    try:
        version = npy.read_magic(file)
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, is_fortran, dtype = read_header(file)
    except Exception as error:  # numpy evaluates the header as Python, and that raises many things
        raise ValueError(f"{name} has no sound header: {error}") from None
    if dtype.kind not in _NUMBERS or dtype.itemsize > 8:
        raise ValueError(f"{name} holds {dtype} and no numbers")
    start, count = file.tell(), math.prod(shape)
    if not all(0 <= length <= _LONGEST for length in shape):
        raise ValueError(f"{name} has the shape {shape}")
    if count * dtype.itemsize != len(data) - start:
        raise ValueError(f"{name} has not the length that its header says")
    array = np.frombuffer(data, dtype, count, start) if count else np.zeros(0)
    ordered = array.reshape(shape, order="F" if is_fortran else "C")
    return ordered.astype(dtype.newbyteorder("="), order="C")


def _entry(name: str) -> zipfile.ZipInfo:
    """A member; arrays are not compressed: every start reads them, and they shrink by a third."""
    entry = zipfile.ZipInfo(name, date_time=_EPOCH)
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(".npy") else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def _array_bytes(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()


Whole = TypeVar("Whole", bound=np.integer[Any])

LARGEST: Final = 1e9  # largest size of a weight: sums of any number of them stay finite


def weights(array: NDArray[Any], columns: int | None = None) -> Floats:
    """Finite floats of at most `LARGEST`, in rows of so many columns.

    Raises:
        ValueError: they are something else.
    """
    if array.dtype.kind != "f":
        raise ValueError(f"weights are floats, not {array.dtype}")
    if columns is not None and (array.ndim != 2 or array.shape[1] != columns):
        raise ValueError(f"weights come in rows of {columns}, not as {array.shape}")
    if not float(np.abs(array).max(initial=0)) <= LARGEST:  # NaN is not, either
        raise ValueError(f"a weight is not a number up to {LARGEST:g}")
    return array


def numbers(array: NDArray[Any], below: int, dtype: type[Whole]) -> NDArray[Whole]:
    """Whole numbers from 0 to below a bound, as another type.

    Raises:
        ValueError: they are something else.
    """
    if array.dtype.kind not in "iu":
        raise ValueError(f"these are whole numbers, not {array.dtype}")
    if array.size and not (int(array.min()) >= 0 and int(array.max()) < below):
        raise ValueError(f"a number is not from 0 to {below - 1}")
    return array.astype(dtype)
