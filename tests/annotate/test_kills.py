"""The real server in a process of its own: it answers, it ends, and it may be killed.

A server saves ranges of labels as fast as it answers and is killed at a random moment (SIGKILL).
Then the store is checked: SQLite finds it intact, every save that was acknowledged is there, and
what is there besides is at most the one save in flight.
"""

import random
import signal
import sqlite3
from contextlib import closing, contextmanager
from threading import Timer

import httpx
import pytest
from annotate.conftest import running

from victor.annotate.revisions import replay
from victor.annotate.server import listen
from victor.annotate.store import Store
from victor.corpus.pages import unmarked
from victor.errors import ConfigError

N_BLOCKS = 2000
LONGEST = 0.5
"""Seconds after which a server is killed, at most."""


@contextmanager
def server(folder):
    """A server in a process of its own, and a browser that got in; it is killed at the end."""
    (folder / "page.html").write_text("".join(f"<p>Paragraph {i}." for i in range(N_BLOCKS)))
    arguments = ["--adapt-every", "0", "--no-suggestions", "--store", "a.sqlite", "page.html"]
    with running(arguments, folder) as (url, process):
        origin = url.partition("/?")[0]
        with httpx.Client(base_url=origin, follow_redirects=True, timeout=30) as client:
            shell = client.get(url).text
            token = shell.partition('name="victor-token" content="')[2].partition('"')[0]
            client.headers.update({"Origin": origin, "X-Victor-Token": token})
            yield process, client


def save_until_killed(client, path, past, rng):
    """Save until the server is gone; gives the labels that the last save would have made."""
    while True:
        base, labels = past[-1]
        changes = [
            (*sorted(rng.choices(range(N_BLOCKS), k=2)), rng.choice("hto"))
            for _ in range(rng.randint(1, 50))
        ]
        after = replay(labels, changes)
        try:
            answer = client.post(path, json={"annotator": "ann", "base": base, "changes": changes})
        except httpx.HTTPError:
            return after
        assert answer.status_code == 200, answer.text
        past.append((answer.json()["revision"], after))


def check(path, past, pending):
    """The store is intact, and every acknowledged save is there."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        known = [number for (number,) in connection.execute("SELECT number FROM revision")]
    with Store(path) as store:
        for revision, labels in past:
            assert not revision or revision in known, f"revision {revision} is lost"
            stored = store.revisions.labels_at(revision) if revision else unmarked(N_BLOCKS)
            assert stored == labels, f"the labels of revision {revision} are others"
        newer = [number for number in known if number > past[-1][0]]
        assert len(newer) <= 1, "more was stored than asked for"
        assert all(store.revisions.labels_at(number) == pending for number in newer)


@pytest.mark.slow
def test_no_acknowledged_save_is_lost_when_the_server_is_killed(tmp_path):
    rng, acknowledged = random.Random(1), 0
    for _ in range(3):
        with server(tmp_path) as (process, client):
            (row,) = client.get("/api/queue?annotator=ann").json()["pages"]
            path = f"/api/page/{row['id']}"
            opened = client.get(f"{path}?annotator=ann").json()
            past = [(opened["revision"], opened["labels"])]
            timer = Timer(rng.uniform(0.02, LONGEST), process.kill)
            timer.start()
            pending = save_until_killed(client, f"{path}/save", past, rng)
            timer.join()
        check(tmp_path / "a.sqlite", past, pending)
        acknowledged += len(past) - 1
    assert acknowledged


@pytest.mark.slow
def test_the_server_ends_when_interrupted(tmp_path):
    with server(tmp_path) as (process, client):
        assert client.get("/api/session").json()["pages"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    assert not (tmp_path / "a.sqlite-wal").exists()


def test_a_port_that_is_taken_is_named():
    with listen("127.0.0.1", 0) as listener, pytest.raises(ConfigError, match="cannot listen"):
        listen("127.0.0.1", listener.getsockname()[1])
    for host, why in (("localhost", "not an IP"), ("", "not an IP"), ("300.1.1.1", "not an IP"),
                      ("0.0.0.0", "every address"), ("::", "every address")):  # fmt: skip
        with pytest.raises(ConfigError, match=why):
            listen(host, 0)
