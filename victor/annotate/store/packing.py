"""Labels and other bytes of a page, packed; what another program wrote may be no such thing."""

from __future__ import annotations

import zlib


def unpacked(packed: bytes, size: int) -> bytes:
    """So many bytes, however many a damaged store would unpack to.

    Raises:
        zlib.error: it is not packed, or holds another number of bytes.
    """
    content = zlib.decompressobj().decompress(packed, size + 1)
    if len(content) != size:
        raise zlib.error(f"there are other than {size} labels")
    return content
