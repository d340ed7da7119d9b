"""Pages as sites write them, of parts at random: articles, threads, tables, and what is around."""

import random
import re

from tests.rows import tables

PARTS = tables(__file__)
_PART = re.compile(r"\{([a-z]+)(?:\*(\d+)-(\d+))?\}")


def make_page(seed: int) -> bytes:
    """A page of the parts of ``rows/made_pages.yaml``."""
    pick = random.Random(seed)

    def written(part: re.Match[str]) -> str:
        name, least, most = part.groups()
        lines = pick.choices(PARTS[name], k=pick.randint(int(least), int(most)) if least else 1)
        return "".join(_PART.sub(written, line) for line in lines)

    return _PART.sub(written, "{page}").replace("{{", "{").replace("}}", "}").encode()
