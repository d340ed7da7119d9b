"""Fetch one page over HTTP because the user named its URL; nothing else here uses the network."""

from __future__ import annotations

import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Final

from victor.errors import PageError
from victor.page.source import Source

TIMEOUT: Final = 30.0
"""Seconds without an answer."""
_AGENT: Final = "victor (text extraction; one page asked for by a person)"


def is_url(name: str) -> bool:
    """Does a command-line argument name a page on the web."""
    return name.lower().startswith(("http://", "https://"))


def fetch(url: str, *, limit: int) -> Source:
    """One page with the encoding that its server declares.

    Args:
        url: http or https.
        limit: bytes to read at most.

    Raises:
        PageError: no answer, or not a good one.
    """
    try:
        request = urllib.request.Request(url, headers={"User-Agent": _AGENT})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            page: bytes = answer.read(limit)
            return Source(page, answer.geturl(), answer.headers.get_content_charset())
    except urllib.error.HTTPError as error:
        error.close()
        raise PageError("http-error", f"the server answered {error.code} {error.reason}") from None
    except (OSError, ValueError, HTTPException) as error:
        said = str(error) or type(error).__name__
        raise PageError("unreachable", f"cannot be fetched: {said}") from None
