"""Splits of pages by web site: pages of one site look alike and stay on one side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.errors import ConfigError

_SECOND_LEVEL: Final = {
    "ar": "com edu gob gov net org",
    "at": "ac co gv or",
    "au": "asn com edu gov id net org",
    "bd": "ac com edu gov net org",
    "br": "art blog com edu eco gov jus leg net org",
    "cn": "ac com edu gov net org",
    "co": "com edu gov net org",
    "cy": "ac com gov net org",
    "ec": "com edu gob net org",
    "eg": "com edu gov net org",
    "es": "com edu gob nom org",
    "fr": "asso com gouv",
    "gr": "com edu gov net org",
    "hk": "com edu gov idv net org",
    "hu": "co gov org",
    "id": "ac co go or sch web",
    "il": "ac co gov muni net org",
    "in": "ac co edu gov net nic org res",
    "ir": "ac co gov net org",
    "it": "edu gov",
    "jp": "ac ad co ed go gr lg ne or",
    "ke": "ac co go ne or",
    "kr": "ac co go ne or pe re",
    "lk": "ac com edu gov net org",
    "mx": "com edu gob net org",
    "my": "com edu gov net org",
    "ng": "com edu gov net org",
    "np": "com edu gov net org",
    "nz": "ac co geek gen govt iwi net org school",
    "pe": "com edu gob net org",
    "ph": "com edu gov net org",
    "pk": "com edu gov net org",
    "pl": "com edu gov info net org",
    "pt": "com edu gov org",
    "ro": "com info org",
    "rs": "ac co edu gov org",
    "ru": "com msk net org spb",
    "sa": "com edu gov net org",
    "sg": "com edu gov net org",
    "th": "ac co go in mi net or",
    "tr": "bel com edu gen gov k12 net org web",
    "tw": "com edu gov idv net org",
    "ua": "com edu gov kiev kyiv net org",
    "uk": "ac co gov ltd me net nhs org plc police sch",
    "uy": "com edu gub net org",
    "ve": "co com edu gob net org",
    "vn": "ac com edu gov net org",
    "za": "ac co edu gov net nom org school web",
}
"""Labels under which a country registers names, by top-level domain: the common ones only."""
_SUFFIXES: Final = frozenset(
    f"{second}.{top}" for top, seconds in _SECOND_LEVEL.items() for second in seconds.split()
)
_HOST = re.compile(
    r"""\s* (?: (?: [a-z][a-z0-9+.-]* : )? // )?     # scheme
        (?: [^/?\#\\@]* @ )?                         # user
        ( \[ [^\]]* \] | [^/?\#\\:]* )               # host""",
    re.IGNORECASE | re.VERBOSE,
)
_IPV4 = re.compile(r"\d+(?:\.\d+){3}")


def site(url: str) -> str:
    """Registrable domain of a URL or host name, e.g. ``bbc.co.uk`` for ``https://www.bbc.co.uk/a``.

    Works offline from a short list of two-level suffixes instead of the Public Suffix List: rare
    suffixes count as sites, and so do hosting services (``blogspot.com``), whose pages share their
    design. IP addresses and names without a dot stay as they are; a URL without a host gives "".
    """
    match = _HOST.match(url)
    host = match.group(1).strip().strip(".").lower() if match else ""
    if host.startswith("[") or _IPV4.fullmatch(host):
        return host
    parts = host.split(".")
    return ".".join(parts[-3 if ".".join(parts[-2:]) in _SUFFIXES else -2 :])


def folds(sites: Sequence[str], k: int, *, seed: int = 0) -> NDArray[np.int64]:
    """Folds of about equal numbers of pages, no site in two of them.

    The largest sites are dealt first, each to the smallest fold; the seed only orders sites of
    equal size. Pages without a site ("") stay together as if they had one.

    Args:
        sites: (n,) site of each page.
        k: number of folds.
        seed: of the order of equal sites.

    Returns:
        (n,) int64 fold 0..k-1 of each page.

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


def holdout(sites: Sequence[str], share: float, *, seed: int = 0) -> NDArray[np.bool_]:
    """Pages to hold out: whole sites in random order, at most `share` of the pages if possible.

    Args:
        sites: (n,) site of each page.
        share: of the pages, above 0 and below 1.
        seed: of the random order.

    Returns:
        (n,) bool, True for pages held out; at least one site is and one is not.

    Raises:
        ConfigError: the share is out of range or there are fewer than two sites.
    """
    counts = Counter(sites)
    if not 0 < share < 1 or len(counts) < 2:
        raise ConfigError(
            f"cannot hold out {share} of {len(counts)} sites: "
            "give a share between 0 and 1 and pages of at least two sites"
        )
    order = _shuffled(counts, seed)
    room = share * len(sites)
    held: set[str] = set()
    for name in order:
        if counts[name] <= room:
            held.add(name)
            room -= counts[name]
    # If every site is larger than the share, the smallest one comes nearest.
    held = held or {min(order, key=counts.__getitem__)}
    return np.array([name in held for name in sites], dtype=bool)


def _shuffled(counts: Counter[str], seed: int) -> list[str]:
    """Sites in an order that depends on the seed only, not on the order of the pages."""
    names = sorted(counts)
    order = np.random.default_rng(seed).permutation(len(names))
    return [names[position] for position in order.tolist()]
