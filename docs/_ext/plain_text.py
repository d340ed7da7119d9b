"""Plain text as Markdown that shows it."""

import re

_SIGNS = re.compile(r"([\\*_\[\]<>|$])")


def escaped(text: str) -> str:
    r"""Text whose signs mean nothing in Markdown; what stands in backticks stays code.

    >>> print(escaped("a * b, `a * b`, <pre>"))
    a \* b, `a * b`, \<pre\>
    """
    parts = text.split("`")
    parts[::2] = [_SIGNS.sub(r"\\\1", part) for part in parts[::2]]
    parts[1::2] = [part.replace("|", "\\|") for part in parts[1::2]]
    return "`".join(parts)
