"""Every record of a file is accounted for: written, dropped or failed by name, or lost."""

import json
from itertools import accumulate

from hostile.archives.records import made_up
from weather import accounts

N = 12


def test_what_is_lost_is_noticed(tmp_path):
    pages = [*made_up(N, 1)]
    (tmp_path / "data").mkdir()
    rows = [json.dumps({"url": page.url, "metadata": {"more": None}}) for page in pages]
    wanted = {page.url: row.encode() for page, row in zip(pages, rows, strict=True)}
    failed = [
        {"url": pages[3].url, "reason": "damaged-warc", "message": ""},
        {"url": "http://garbled", "reason": "damaged-warc", "message": "the record at byte 45 is"},
    ]
    (tmp_path / "failed.jsonl").write_text("".join(json.dumps(row) + "\n" for row in failed))

    def lost(*missing):
        kept = [row for number, row in enumerate(rows) if number not in missing]
        (tmp_path / "data/part-00000.jsonl").write_text("\n".join(kept))
        starts = [*accumulate([0] + [10] * (N - 1))]
        return accounts.account(tmp_path, pages, starts, {3, 4, 5}, wanted)

    assert lost().lost == []
    assert lost(3, 4).outcomes == {"same": 1, "damaged-warc": 2}
    assert lost(5).lost == ["5 damaged, nothing tells of it"]
    assert lost(6).lost == ["6 undamaged, no row"]
    assert lost(3, 4).whole == N - 3
