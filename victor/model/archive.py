"""One JSON document and arrays in one file without pickle; the same content is the same bytes."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.errors import ModelError
from victor.files import replaced

_JSON: Final = "model.json"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_MOST_BYTES: Final = 1 << 30
"""A file that says it unpacks to more is no model of ours."""
_DAMAGE: Final = (
    OSError, ValueError, KeyError, EOFError, RuntimeError, MemoryError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What reading a damaged archive raises; RuntimeError where a flag asks for a password."""

Arrays = Mapping[str, NDArray[Any]]


def write(path: Path, document: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a file; one that is there is replaced when all is written, not before."""
    members = {_JSON: json.dumps(document, ensure_ascii=False, indent=1).encode()}
    members |= {f"{name}.npy": _array_bytes(array) for name, array in sorted(arrays.items())}
    with (
        replaced(path) as unfinished,
        zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
    ):
        for name, content in members.items():
            archive.writestr(_entry(name), content)


def read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The document and the arrays of a file.

    Raises:
        ModelError: the file is missing or damaged.
    """
    try:
        return _read(path)
    except FileNotFoundError:
        raise ModelError(f"no model at {path}; `victor models` lists what is shipped") from None
    except _DAMAGE as error:
        raise ModelError(f"{path} is not a model or is damaged ({error}); restore it") from None


def _read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    with zipfile.ZipFile(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if size > _MOST_BYTES:
            raise ValueError(f"it would unpack to {size} bytes")
        document = json.loads(archive.read(_JSON))
        arrays = {
            name.removesuffix(".npy"): np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
            for name in archive.namelist()
            if name.endswith(".npy")
        }
    if not isinstance(document, dict):
        raise ValueError(f"{_JSON} is not an object")
    return document, arrays


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, date_time=_EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def _array_bytes(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()
