"""Hosts of ad servers: the list that ships, and lists in the format of EasyList."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from victor.base.errors import ConfigError
from victor.base.files import package_folder

_OPTION: Final = "(?:third-party|3p|popup|document|doc|all|important)"
"""Options that do not limit a rule to some sites or to requests that no link makes."""
_RULE: Final = re.compile(
    rf"^(@@)?\|\|([a-z0-9_.-]+)\^(?:\${_OPTION}(?:,{_OPTION})*)?[ \t\r]*$", re.MULTILINE
)
_HOST: Final = re.compile(r"\s*(?:https?:)?//(?:[^/?#@\s]*@)?([^/?#:\s]+)", re.IGNORECASE)


@dataclass(frozen=True)
class AdHosts:
    """Hosts of ad servers; a host stands for those below it, too.

    Attributes:
        hosts: in lower case.
    """

    hosts: frozenset[str]

    def hold(self, url: str | None) -> bool:
        """Does an address as it is written on a page lead to one; relative ones do not.

        >>> AdHosts(frozenset({"ads.example"})).hold("//img.ads.example/1.gif")
        True
        """
        if not url or "//" not in url:
            return False
        match = _HOST.match(url)
        return match is not None and self._holds_host(match[1].lower().rstrip("."))

    def _holds_host(self, host: str) -> bool:
        while host:
            if host in self.hosts:
                return True
            _, _, host = host.partition(".")
        return False


def parse(text: str) -> frozenset[str]:
    """Hosts of the rules ``||host^`` of a list, less those with an exception ``@@||host^``.

    Of the options only those are known that do not limit a rule to some sites, requests or
    places; other rules, comments and what hides elements are left out.
    """
    rules = _RULE.findall(text)
    allowed = {host for exception, host in rules if exception}
    return frozenset(host for exception, host in rules if not exception and host not in allowed)


def load(lists: Iterable[str | Path] = ()) -> AdHosts:
    """The hosts of the shipped list and of further ones.

    Raises:
        ConfigError: a list cannot be read, or holds no such rule.
    """
    shipped = (package_folder("victor.labelers.dom") / "ads.txt").read_text(encoding="utf-8")
    return AdHosts(parse(shipped).union(*map(_read, lists)))


def _read(path: str | Path) -> frozenset[str]:
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError(f"ads.lists: cannot read {path}: {error.strerror}") from None
    hosts = parse(text)
    if not hosts:
        raise ConfigError(f"ads.lists: {path} has no rule ||host^; give a list like EasyList")
    return hosts
