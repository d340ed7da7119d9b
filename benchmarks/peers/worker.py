"""One system in a child process: ``python -m peers.worker NAME [--no-gc]``, fed through pipes.

The first line written says what the system is: ``{"takes": "bytes"|"text", "versions": {...},
"clock": "process"|"node"}``, or ``{"missing": reason}``. Then every line read is a request
``{"pages": [...], "languages": [...], "urls": [...]}``, bytes in base64, and is answered by
``{"texts": [...], "errors": [...], "seconds": ...}``. Seconds are process time of the system alone.
"""

from __future__ import annotations

import base64
import gc
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, TextIO

from peers.loaders import LOADERS, Page, Peer


def main(arguments: Sequence[str], loaders: Mapping[str, Callable[[], Peer]] = LOADERS) -> None:
    """Load the system, then answer until the pipe is closed."""
    answers = _own_output()
    name, collect = arguments[0], "--no-gc" in arguments
    try:
        peer = loaders[name]()
    except Exception as error:  # a package that is there and does not load is missing, too
        _write(answers, {"missing": f"{type(error).__name__}: {error}"[:200]})
        return
    versions = {package: version(package) for package in peer.packages}
    takes = "bytes" if peer.takes is bytes else "text"
    _write(answers, {"takes": takes, "clock": "process", "versions": versions})
    if collect:
        gc.disable()
    for line in sys.stdin:
        _write(answers, _answer(peer, json.loads(line)))
        if collect:
            gc.collect()


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
    started = time.process_time()
    texts = peer.extract(pages, request["languages"], request["urls"])
    seconds = time.process_time() - started
    failed = [isinstance(text, Exception) for text in texts]
    return {
        "texts": ["" if bad else text for bad, text in zip(failed, texts, strict=True)],
        "errors": [
            f"{type(text).__name__}: {text}"[:200] if bad else None
            for bad, text in zip(failed, texts, strict=True)
        ],
        "seconds": seconds,
    }


if __name__ == "__main__":
    main(sys.argv[1:])
