"""Pages for the system of DOM + named entities."""

from pathlib import Path

import pytest

from victor.labelers import build_labeler
from victor.page.table.texts import block_texts


@pytest.fixture(scope="session")
def bridge():
    """An article with its picture, pictures that do not belong to it, and advertisements."""
    return (Path(__file__).parent / "pages" / "bridge.html").read_bytes()


@pytest.fixture(scope="session")
def dom():
    """Function: the system with some constants changed: ``dom("article.characters=10")``."""

    def build(*overrides, trust_code=False):
        return build_labeler("dom", None, overrides, trust_code=trust_code)

    return build


@pytest.fixture(scope="session")
def kept(dom):
    """Function: a page to the texts of its kept blocks."""

    def texts(page, *overrides):
        labeler = dom(*overrides)
        verdict = labeler.label(labeler.table([page.encode()]))
        blocks = block_texts(verdict.table)
        return [text for text, stays in zip(blocks, verdict.kept.tolist(), strict=True) if stays]

    return texts
