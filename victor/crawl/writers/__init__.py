"""Write documents in the forms of a corpus: each module here writes one file, or one folder.

The same documents give the same bytes: nothing written depends on the time, machine or path.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from victor.base.errors import ConfigError
from victor.crawl.writers.base import Encode, Writer
from victor.sites.counts import SIGHTS

WRITERS: Final[Mapping[str, str]] = {
    "jsonl": ".jsonl",
    "jsonl.gz": ".jsonl.gz",
    "jsonl.zst": ".jsonl.zst",
    "parquet": ".parquet",
    "texts": "",
    "wet": ".warc.wet.gz",
    "vertical": ".vert",
}
"""Forms to the extensions of their files; ``texts`` makes a folder."""

_EXTENSIONS: Final = {**WRITERS, "sights": SIGHTS}
"""With those of what a first pass over sites notes, which is no form of a corpus."""
WITH_ROWS: Final = frozenset(WRITERS.keys() - {"texts"})
"""Forms in which every document is a row that depends on nothing else."""


def extension(form: str) -> str:
    """The ending of the files of a form."""
    return _EXTENSIONS[form]


def encoder(form: str) -> Encode:
    """A function that makes rows of documents, of one of the forms `WITH_ROWS`.

    Raises:
        ConfigError: a package that it needs is missing.
    """
    module = import_module(f"victor.crawl.writers.{form.partition('.')[0]}")
    return cast("Encode", module.encoder())


def writer(form: str, path: Path) -> Writer:
    """Open a file, or make a folder, for documents; an existing one is overwritten.

    Raises:
        ConfigError: there is no such form, or a package that it needs is missing.
        OSError: the file cannot be written.
    """
    if form not in _EXTENSIONS:
        raise ConfigError(f"no form {form!r} of a corpus; choose one of {', '.join(WRITERS)}")
    module = import_module(f"victor.crawl.writers.{form.partition('.')[0]}")
    return cast(Writer, module.build(form, path))
