"""What became of every record of a file, by the files that a run wrote."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hostile.archives.records import Page

_BYTE: Final = re.compile(r"byte (\d+)")


@dataclass
class Account:
    """Counts of records.

    Attributes:
        whole: undamaged ones whose rows have the bytes of the run without a damage.
        lost: undamaged ones without such a row, damaged ones that nothing tells of.
        outcomes: what became of the damaged ones.
    """

    whole: int = 0
    lost: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)


def rows(out: Path) -> dict[str, bytes]:
    """The rows of a run by their URLs."""
    lines = (line for part in sorted(out.glob("data/part-*")) for line in _lines(part))
    return {json.loads(line)["url"]: line for line in lines}


def account(
    out: Path,
    pages: Sequence[Page],
    starts: Sequence[int],
    damaged: Collection[int],
    wanted: dict[str, bytes],
) -> Account:
    """Hold the output of a run against what was planted.

    Args:
        out: folder of the run.
        pages: of the file, in order.
        starts: bytes where their records begin.
        damaged: numbers of the damaged ones.
        wanted: rows of the run without a damage.
    """
    found, result = rows(out), Account()
    told = dict(_told(out, pages, starts))
    for page in pages:
        row, want = found.get(page.url), wanted.get(page.url)
        if page.number not in damaged:
            result.whole += row == want
            if row != want:
                result.lost.append(f"{page.number} undamaged, {'other' if row else 'no'} row")
        elif row is not None:
            is_marked = "damaged" in (json.loads(row)["metadata"].get("more") or "")
            result.outcomes["same" if row == want else "marked" if is_marked else "other"] += 1
        elif page.url in told:
            result.outcomes[told[page.url]] += 1
        else:
            result.lost.append(f"{page.number} damaged, nothing tells of it")
    return result


def _told(
    out: Path, pages: Sequence[Page], starts: Sequence[int]
) -> Iterator[tuple[str | None, str]]:
    """URLs of records that are not written, with the reason; or None, or a damaged one."""
    for name in ("dropped", "failed"):
        for line in _lines(out / f"{name}.jsonl"):
            row: dict[str, Any] = json.loads(line)
            byte = _BYTE.search(row.get("message", ""))
            yield row["url"], row["reason"]
            if byte:  # the address may be missing, or damaged itself
                yield pages[max(0, bisect_right(starts, int(byte[1])) - 1)].url, row["reason"]


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines() if path.exists() else []
