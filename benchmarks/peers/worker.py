"""One system in a child process: ``python -m peers.worker NAME``, fed through pipes.

The first line written says what the system is: ``{"takes": "bytes"|"text", "versions":
{...}}``, or ``{"missing": reason}``. Then every line read is a request
``{"pages": [...], "languages": [...], "urls": [...]}``, bytes in base64, and is answered by
``{"texts": [...], "errors": [...]}``.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, TextIO

from peers.loaders import LOADERS, Page, Peer


def main(arguments: Sequence[str], loaders: Mapping[str, Callable[[], Peer]] = LOADERS) -> None:
    """Load the system, then answer until the pipe is closed."""
    answers = _own_output()
    try:
        peer = loaders[arguments[0]]()
    except Exception as error:  # a package that is there and does not load is missing, too
        _write(answers, {"missing": f"{type(error).__name__}: {error}"[:200]})
        return
    versions = {package: version(package) for package in peer.packages}
    takes = "bytes" if peer.takes is bytes else "text"
    _write(answers, {"takes": takes, "versions": versions})
    for line in sys.stdin:
        _write(answers, _answer(peer, json.loads(line)))


def _own_output() -> TextIO:
    """Standard output for the answers only; what libraries print goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _write(answers: TextIO, value: dict[str, Any]) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


def _answer(peer: Peer, request: dict[str, Any]) -> dict[str, Any]:
    pages: list[Page] = request["pages"]
    if peer.takes is bytes:
        pages = [base64.b64decode(page) for page in pages]
    texts = peer.extract(pages, request["languages"], request["urls"])
    failed = [isinstance(text, Exception) for text in texts]
    return {
        "texts": ["" if bad else text for bad, text in zip(failed, texts, strict=True)],
        "errors": [
            f"{type(text).__name__}: {text}"[:200] if bad else None
            for bad, text in zip(failed, texts, strict=True)
        ],
    }


if __name__ == "__main__":
    main(sys.argv[1:])
