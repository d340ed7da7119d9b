"""Splits of pages by web site: pages of one site look alike and stay on one side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.errors import ConfigError

_SECOND_LEVEL: Final = frozenset(
    "ac ad asn asso co com ed edu gen go gob gouv gov govt gr gub gv idv jus k12 kiev kyiv lg ltd "
    "muni ne net nhs nic nom or org plc police res sch".split()
)
"""Labels under which countries, whose top-level domains have two letters, register names."""
_HOST = re.compile(
    r"""\s* (?: (?: [a-z][a-z0-9+.-]* : )? // )?     # scheme
        (?: [^/?\#\\@]* @ )?                         # user
        ( \[ [^\]]* \] | [^/?\#\\:]* )               # host""",
    re.IGNORECASE | re.VERBOSE,
)
_IPV4 = re.compile(r"\d+(?:\.\d+){3}")


def site(url: str) -> str:
    """Registrable domain of a URL or host name, e.g. ``bbc.co.uk`` for ``https://www.bbc.co.uk/a``.

    Works offline from a few labels of registries instead of the Public Suffix List: rare suffixes
    count as sites, and so do hosting services (``blogspot.com``), whose pages share their design.
    IP addresses and names without a dot stay as they are; a URL without a host gives "".
    """
    match = _HOST.match(url)
    host = match.group(1).strip().strip(".").lower() if match else ""
    if host.startswith("[") or _IPV4.fullmatch(host):
        return host
    parts = host.split(".")
    is_registry = len(parts[-1]) == 2 and parts[-2:-1] and parts[-2] in _SECOND_LEVEL
    return ".".join(parts[-3 if is_registry else -2 :])


def folds(sites: Sequence[str], k: int, *, seed: int = 0) -> NDArray[np.int64]:
    """(n,) int64 fold 0 to k - 1 of each page, of about equal sizes, no site in two of them.

    The largest sites are dealt first, each to the smallest fold; the seed only orders sites of
    equal size. Pages without a site ("") stay together as if they had one.

    Args:
        sites: (n,) site of each page.
        k: number of folds.
        seed: of the order of equal sites.

    Raises:
        ConfigError: k is below 2 or above the number of sites.
    """
    counts = Counter(sites)
    if not 2 <= k <= len(counts):
        raise ConfigError(
            f"cannot make {k} folds from {len(counts)} sites: choose k from 2 to that number"
        )
    sizes = [0] * k
    fold_of: dict[str, int] = {}
    for name in sorted(_shuffled(counts, seed), key=counts.__getitem__, reverse=True):
        fold_of[name] = sizes.index(min(sizes))
        sizes[fold_of[name]] += counts[name]
    return np.array([fold_of[name] for name in sites], dtype=np.int64)


def _shuffled(counts: Counter[str], seed: int) -> list[str]:
    """Sites in an order that depends on the seed only, not on the order of the pages."""
    names = sorted(counts)
    order = np.random.default_rng(seed).permutation(len(names))
    return [names[position] for position in order.tolist()]
