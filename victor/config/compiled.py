"""Lists of words of the package: YAML that people edit, and the same as JSON that loads at once.

YAML of 30 kB takes 60 ms to load, which is an eighth of a short run. So beside such a file lies its
content as JSON with a checksum of the YAML; where that does not fit, the YAML is read.

    python -m victor.config.compiled FILE.yaml ...

writes the JSON anew; a test says when that was forgotten.
"""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path
from typing import Any

from victor.base.files import write_bytes


def read(path: Path) -> Any:  # noqa: ANN401  (whatever the file holds)
    """Content of a YAML file of the package.

    Raises:
        ConfigError: the file cannot be read or is not YAML.
    """
    try:
        compiled = json.loads(path.with_suffix(".json").read_bytes())
        is_current = compiled["checksum"] == zlib.crc32(path.read_bytes())
    except (OSError, ValueError, KeyError, TypeError):
        is_current = False
    return compiled["content"] if is_current else _yaml(path)


def _yaml(path: Path) -> Any:  # noqa: ANN401  (whatever the file holds)
    from victor.config import plain_yaml  # what is compiled needs no YAML

    return plain_yaml.read(path)


def write(path: Path) -> None:
    """Write the JSON of a YAML file beside it."""
    compiled = {"checksum": zlib.crc32(path.read_bytes()), "content": _yaml(path)}
    text = json.dumps(compiled, ensure_ascii=False, separators=(",", ":")) + "\n"
    write_bytes(path.with_suffix(".json"), text.encode("utf-8"))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name))
