"""Model files: refused by one typed error, or a model whose probabilities are those of labels.

An input is the members of a model file, so that mutations reach what lies behind the archive's
checksums; inputs that do not look like this are read as the file itself.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path
from typing import Final

import numpy as np

from tests.hostile.small_models import few_members
from victor.errors import VictorError
from victor.labelers.crf import CrfLabeler, model_file
from victor.model.model import Model

MOST_BYTES: Final = 1 << 14
_MEMBER: Final = b"\n==member=="
_PAGES: Final = [
    b"<title>Bees</title><h1>Bees</h1><p class=lead>Bees live in <b>colonies</b> of one queen.",
    b"<ul><li><a href=/>Home</a><li><a href=/x>More</a></ul><table><tr><td>1<td>2</table>",
    b"",
    b"<p>Another page, of one block.",
]


def seeds() -> list[bytes]:
    """Shipped models with few weights and few trees."""
    return [_joined(few_members(model_file(name).read_bytes())) for name in ("crf", "default")]


def one(data: bytes) -> None:
    """Load a model and label pages with it."""
    archive = _archive(data) if data.startswith(_MEMBER) else data
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fuzzed.victor")
        path.write_bytes(archive)
        try:
            labeler = CrfLabeler(Model.load(path))
            marginals = labeler.label(labeler.table(_PAGES)).marginals
        except VictorError:
            return
    assert np.isfinite(marginals).all(), "marginals are finite"
    assert (marginals >= 0).all(), "marginals are not negative"
    assert np.allclose(marginals.sum(axis=1), 1, atol=1e-6), "marginals sum to one"


def _joined(members: dict[str, bytes]) -> bytes:
    """An input of these members."""
    return b"".join(_MEMBER + name.encode() + b"\n" + data for name, data in members.items())


def _archive(data: bytes) -> bytes:
    """The file that an input stands for."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        names: set[str] = set()
        for part in data.split(_MEMBER)[1:]:
            name, _, content = part.partition(b"\n")
            member = name.decode("latin-1").replace("\0", "")
            if member not in names:  # the module warns of a name that occurs twice
                archive.writestr(zipfile.ZipInfo(member), content)
            names.add(member)
    return buffer.getvalue()
