"""From how many characters on each text is read as what it is written in, whatever is declared.

``pytest tests/page/decoding/test_grades.py --update`` writes what comes out into `grades.yaml`: of
each text, what it is written in and what is declared, the encodings that are found with the length
from which each is.
"""

from itertools import groupby
from pathlib import Path

import pytest
from encoding_cases import KINDRED, PROSE, encoded

from victor.page.decoding.decode import decode

FILE = Path(__file__).with_name("grades.yaml")
LATIN = {"cs": "windows-1250 iso-8859-2", "sk": "windows-1250", "pl": "iso-8859-2 windows-1250",
         "fr": "windows-1252 iso-8859-15", "da": "windows-1252"}  # fmt: skip
WRITTEN = LATIN | {language: names for language, (names, _) in KINDRED.items()}
DECLARED = ("", "windows-1252", "iso-8859-2", "windows-1251", "gbk")
BROKEN = b"\xe8\xf8 \x8a"


def grades(pages, declared):
    """The encodings of pages that grow, each with the length of the first."""
    head = f"<meta charset={declared}>" if declared else ""
    found = [decode(f"{head}<p>".encode() + page) for page in pages]
    runs = groupby(enumerate(found), lambda each: (each[1].encoding, each[1].reason))
    return " ".join(f"{next(run)[0]}:{name}/{reason}" for (name, reason), run in runs)


@pytest.mark.parametrize("language", WRITTEN)
def test_texts_that_grow(language, held):
    text = PROSE[language][:80].replace("’", "'")
    of_language = {}
    for name in (*WRITTEN[language].split(), "utf-8"):
        pages = [encoded(text[:n], name) for n in range(len(text))]
        broken = [pages[-1] + BROKEN * n + b" " + pages[-1] * 3 for n in range(9)]
        for declared in DECLARED:
            of_language[f"{name} as {declared}"] = grades(pages, declared)
            of_language[f"{name} as {declared}, broken"] = grades(broken, declared)
    assert of_language == held(FILE, language, of_language)
