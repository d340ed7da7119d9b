"""Text of pages on a terminal: one line, short, and nothing that drives the terminal."""

from __future__ import annotations


def one_line(text: str, width: int = 60) -> str:
    """The printable characters of a text on one line of at most `width` characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= width else line[: width - 1] + "…"
