"""Names for blocks that stay when a page is cleaned again or changes elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

_BYTES: Final = 5


def block_ids(texts: Sequence[str]) -> list[str]:
    """An id for each text of a page: ten hexadecimal digits, then ``-2`` for its second block.

    The digits are a hash of the letters and digits of the text in lower case. Where it has none,
    they are one of all but white space.

    >>> block_ids(["Share", "Bees live in hives.", "share!"])
    ['4f2ba27c12', '6b1aa4cb76', '4f2ba27c12-2']
    """
    seen: Counter[str] = Counter()
    ids = []
    for text in texts:
        digest = _digest(text)
        seen[digest] += 1
        ids.append(digest if seen[digest] == 1 else f"{digest}-{seen[digest]}")
    return ids


def _digest(text: str) -> str:
    letters = "".join(filter(str.isalnum, text.casefold())) or "".join(text.split())
    return blake2b(letters.encode("utf-8", "surrogatepass"), digest_size=_BYTES).hexdigest()
