"""The list of all columns as Markdown, made from the feature modules."""

from __future__ import annotations

from importlib import import_module

from plain_text import escaped

from victor.features import NAMES, load


def markdown() -> list[str]:
    """Lines with a part for every module: what it is, and a table of its columns."""
    lines = []
    for module in NAMES:
        about = (import_module(f"victor.features.{module}").__doc__ or "").partition("\n")[0]
        lines += [
            f"## {module}",
            "",
            escaped(about),
            "",
            "| column | kind | meaning |",
            "|---|---|---|",
        ]
        for column in load(module).columns:
            lines.append(f"| `{column.name}` | {column.kind} | {escaped(column.meaning)} |")
        lines.append("")
    return lines
