"""Write documents in the forms of a corpus: each module here writes one file, or one folder.

The same documents give the same bytes: nothing written depends on the time, machine or path.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from victor.base.errors import ConfigError
from victor.crawl.writers.base import Writer

WRITERS: Final[Mapping[str, str]] = {
    "jsonl": ".jsonl",
    "jsonl.gz": ".jsonl.gz",
    "jsonl.zst": ".jsonl.zst",
    "parquet": ".parquet",
    "texts": "",
    "vertical": ".vert",
}
"""Forms to the extensions of their files; ``texts`` makes a folder."""


def writer(form: str, path: Path) -> Writer:
    """Open a file, or make a folder, for documents; an existing one is overwritten.

    Raises:
        ConfigError: there is no such form, or a package that it needs is missing.
        OSError: the file cannot be written.
    """
    if form not in WRITERS:
        raise ConfigError(f"no form {form!r} of a corpus; choose one of {', '.join(WRITERS)}")
    module = import_module(f"victor.crawl.writers.{form.partition('.')[0]}")
    return cast(Writer, module.build(form, path))
