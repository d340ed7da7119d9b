"""An annotation server that is killed while it saves; nothing that it acknowledged may be lost.

The server runs on a store, saves ranges of labels as fast as it answers and is killed at a random
moment (SIGKILL). Then the store is checked: SQLite finds it intact, every save that was
acknowledged is there, and what is there besides is at most the one save in flight.
"""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Timer
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from victor.annotate.revisions import Change, replay
from victor.annotate.store import Store
from victor.corpus.pages import unmarked

N_BLOCKS: Final = 2000
ANNOTATOR: Final = "ann"
LONGEST: Final = 0.5
"""Seconds after which a server is killed, at most."""
_SERVE: Final = (sys.executable, "-P", "-c", "from victor.cli import main; main()", "annotate",
                 "serve", "--no-open", "--adapt-every", "0")  # fmt: skip


class Round(NamedTuple):
    """What became of one server.

    Attributes:
        acknowledged: saves that were answered.
        in_flight: saves that were stored without having been answered, 0 or 1.
    """

    acknowledged: int
    in_flight: int


class Client:
    """A browser, as far as the server can tell."""

    def __init__(self, url: str) -> None:
        self.start = url
        parts = urlsplit(url)
        self.origin = f"http://{parts.netloc}"
        self.connection = HTTPConnection(parts.netloc, timeout=30)
        self.cookie = ""
        self.cookie = self.ask(f"/?{parts.query}")[1]["set-cookie"].partition(";")[0]
        shell = self.ask("/")[2].decode()
        self.token = shell.partition('name="victor-token" content="')[2].partition('"')[0]

    def ask(self, path: str, body: object = None) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer; a POST if there is something to send."""
        headers = {"Cookie": self.cookie}
        if body is None:
            self.connection.request("GET", path, headers=headers)
        else:
            headers |= {"Origin": self.origin, "X-Victor-Token": self.token}
            self.connection.request("POST", path, json.dumps(body), headers)
        answer = self.connection.getresponse()
        answer_headers = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, answer_headers, answer.read()

    def json(self, path: str, body: object = None) -> dict[str, Any]:
        """An answer that has to be a good one."""
        status, _, content = self.ask(path, body)
        assert status == 200, content
        parsed: dict[str, Any] = json.loads(content)
        return parsed


@contextmanager
def server(
    store: Path, *pages: Path, suggest: bool = False
) -> Iterator[tuple[subprocess.Popen[str], Client]]:
    """A server in a process of its own, and a client that got in; it is killed at the end."""
    command = [*_SERVE, "--store", str(store), *map(str, pages)]
    command += [] if suggest else ["--no-suggestions"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            lines = iter(process.stderr.readline, "")
            url = next(line.split()[-1] for line in lines if "?token=" in line)
            client = Client(url)
            with closing(client.connection):
                yield process, client
        finally:
            process.kill()


def kill_while_saving(store: Path, page: Path, rng: random.Random) -> Round:
    """One server, killed while it saves.

    Raises:
        AssertionError: the store is damaged, or an acknowledged save is lost.
    """
    with server(store, page) as (process, client):
        (row,) = client.json(f"/api/queue?annotator={ANNOTATOR}")["pages"]
        path = f"/api/page/{row['id']}"
        opened = client.json(f"{path}?annotator={ANNOTATOR}")
        past = [(opened["revision"], opened["labels"])]
        timer = Timer(rng.uniform(0.02, LONGEST), process.kill)
        timer.start()
        try:
            pending = _save_until_killed(client, f"{path}/save", past, rng)
        finally:
            timer.join()
    return Round(len(past) - 1, check(store, past, pending))


def _save_until_killed(
    client: Client, path: str, past: list[tuple[int, str]], rng: random.Random
) -> str:
    """Save until the server is gone; gives the labels that the last save would have made."""
    while True:
        base, labels = past[-1]
        changes = [_change(rng) for _ in range(rng.randint(1, 50))]
        after = replay(labels, changes)
        body = {"annotator": ANNOTATOR, "base": base, "changes": changes}
        try:
            status, _, content = client.ask(path, body)
        except (OSError, HTTPException):
            return after
        assert status == 200, content
        past.append((json.loads(content)["revision"], after))


def _change(rng: random.Random) -> Change:
    first, last = sorted(rng.choices(range(N_BLOCKS), k=2))
    return first, last, rng.choice("hto")


def check(store: Path, past: list[tuple[int, str]], pending: str) -> int:
    """Is the store intact, and is every acknowledged save there; saves there are besides."""
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        known = [number for (number,) in connection.execute("SELECT number FROM revision")]
    with Store(store) as opened:
        for revision, labels in past:
            assert not revision or revision in known, f"revision {revision} is lost"
            stored = opened.revisions.labels_at(revision) if revision else unmarked(N_BLOCKS)
            assert stored == labels, f"the labels of revision {revision} are others"
        newer = [number for number in known if number > past[-1][0]]
        assert len(newer) <= 1, "more was stored than asked for"
        assert all(opened.revisions.labels_at(number) == pending for number in newer)
    return len(newer)


def write_page(folder: Path) -> Path:
    """A page with `N_BLOCKS` blocks."""
    page = folder / "page.html"
    page.write_text("".join(f"<p>Paragraph {i}.</p>\n" for i in range(N_BLOCKS)))
    return page
