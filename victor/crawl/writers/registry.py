"""Declare a vertical to Manatee, the engine of NoSketch Engine and Sketch Engine.

Names of entries: the documentation of the corpus configuration file at sketchengine.eu.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from victor.crawl.writers.vertical import AUTHOR_SEPARATOR, DOC_ATTRIBUTES, PARAGRAPH_ATTRIBUTES

_HEAD: Final = """\
# Corpus configuration of Manatee. PATH and VERTICAL are relative to this folder: compile here, or
# put full paths in their place.
NAME "Web corpus"
PATH "manatee"
VERTICAL "| cat data/part-*.vert"
ENCODING "UTF-8"
"""
_LANGUAGES: Final = {
    "cs": "Czech", "de": "German", "en": "English", "es": "Spanish", "fr": "French",
    "hr": "Croatian", "it": "Italian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "uk": "Ukrainian",
}  # fmt: skip
"""Codes to the names that Manatee knows, of the languages that have shipped profiles."""
_GLUE: Final = """\
STRUCTURE g {
  DISPLAYTAG 0
  DISPLAYBEGIN "_EMPTY_"
}
"""


def registry(languages: Sequence[str] = ()) -> str:
    """The configuration file of a corpus that lies in ``data/part-*.vert`` beside it.

    Args:
        languages: codes of those that the corpus is restricted to.
    """
    language = _LANGUAGES.get(languages[0]) if len(languages) == 1 else None
    lines = [] if language is None else [f'LANGUAGE "{language}"']
    lines += ["ATTRIBUTE word", *_structure("doc", DOC_ATTRIBUTES)]
    lines += [*_structure("p", PARAGRAPH_ATTRIBUTES), "STRUCTURE s"]
    return _HEAD + "".join(f"{line}\n" for line in lines) + _GLUE


def _structure(name: str, attributes: Sequence[str]) -> Iterator[str]:
    yield f"STRUCTURE {name} {{"
    for attribute in attributes:
        if attribute == "author":
            yield f"  ATTRIBUTE {attribute} {{"
            yield from ('    MULTIVALUE "1"', f'    MULTISEP "{AUTHOR_SEPARATOR}"', "  }")
        else:
            yield f"  ATTRIBUTE {attribute}"
    yield "}"
