"""Throw hostile input at the annotation server, one by one; how long does another tab wait?

    python benchmarks/annotate_hostile.py [--only KIND ...] [--megabytes 10] [--no-browser]

A server is started on eight plain pages and one hostile thing at a time. While somebody works with
that (opens the page, asks for its style sheet, imports it into the store), another tab asks for the
session, opens one of the plain pages and saves a label, every 20 ms. For each attack: what became
of it, the longest answer to the other tab in milliseconds, its ratio to the longest one without any
attack, and saves that were acknowledged and are not in the store afterwards. Run it on a machine
that does nothing else: whatever else it does is in the longest answer, less so in that of 99 %. At
the end, `annotate_snippets.py` opens hostile markup in Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from annotate_kills import Client, server
from annotate_snippets import load_all, report

from victor.annotate.store.store import Store

PLAIN: Final = 8
"""Plain pages; more than a server keeps in memory, so that each is prepared again."""
BLOCKS: Final = 60
EVERY: Final = 0.02
"""Seconds from one round of the other tab to the next."""
LEAST: Final = 1.0
"""Seconds that the other tab works at least, however short the attack."""
LONGEST: Final = 20.0
"""Seconds after which a command is ended that still works on what it was given."""
BOUND: Final = 100.0
"""Milliseconds in which the other tab has to have its answer."""
CSS: Final = {
    "spaces of an import": ("@import a", " ", "}"),
    "imports without an end": ("", "@import a b ", ""),
    "chain of imports": ("", "@import url(a.css) screen;", ""),
    "imports of itself": ("", "@import 'SELF';", ""),
    "url( without an end": ("", "url(", ""),
    "url( and spaces": ("url(", " ", "!"),
    "url( and strings": ("", 'url("a" ', ""),
    "flood of addresses": ("", "p{background:url(a.png)}", ""),
    "rules": ("", "a.b>c{d:e}", ""),
    "escapes": ("", "\\75", ""),
    "escaped url(": ("", "u\\72 l(", ""),
    "escapes in a string": ('"', "\\", ""),
    "strings without an end": ("", "'\n", ""),
    "comments": ("", "/*", ""),
    "one name": ("", "a", ""),
    "one selector": ("", "a,", "{}"),
    "open braces": ("", "a{", ""),
    "quotes after import": ("", "@import '", ""),
    "nothing but <": ("", "<!--", ""),
}
"""Style sheets: a beginning, what is repeated, an end."""
PAGES: Final = {
    "deep nesting": ("", "<div>", "x"),
    "deep formatting": ("<p>", "<b>x", ""),
    "paragraphs": ("", "<p>x</p>", ""),
    "10^6 elements": ("", "<p><i>hello</i></p>", ""),
    "one attribute": ("<p title='", "x", "'>x"),
    "one style attribute": ("<p style='", "a:url(b);", "'>x"),
    "style attributes": ("", "<p style='a:url(b)'>x", ""),
    "attributes": ("<p ", "data-a%d=1 ", ">x"),
    "style elements": ("", "<style>a{b:c}</style>", "<p>x"),
    "huge title": ("<title>", "x", "</title><p>x"),
    "unclosed comment": ("<p>x", "<!--", ""),
    "open tags": ("<p>x", "<a ", ""),
    "entities": ("<p>", "&amp;", ""),
    "tables": ("", "<table><tr><td>x", ""),
    "select": ("<select>", "<option>x", ""),
    "control characters": ("<p>", "\x00\x01\x1f\x7f", ""),
}
NAMES: Final = (
    b"a" * 240, b"line\nbreak", b"<img src=x onerror=alert(1)>", b"\xff\xfe\xfa", b"con", b"nul",
    "\u202eevil\u2066".encode(), b"'; drop table page;--", b"..%2f..%2fetc", b"tab\tbell\x07",
    b"%00", b"{{ token }}", b"a?b#c", "e\u0301\u0301\u0301".encode() * 25, b"-rf", b" ",
)  # fmt: skip
"""Names of files, without their suffix."""


class Wait(NamedTuple):
    """What the other tab saw.

    Attributes:
        longest: milliseconds of the longest answer, by what was asked for.
        times: milliseconds of every answer.
        rounds: how often it asked for each.
        saved: revisions that were acknowledged.
        refused: answers that were no good ones.
    """

    longest: dict[str, float]
    times: list[float]
    rounds: int
    saved: list[int]
    refused: Counter[int]

    def worst(self, *kinds: str) -> float:
        """Milliseconds of the longest answer, of some kinds or of all."""
        return max(self.longest[kind] for kind in kinds or self.longest)

    def most(self) -> float:
        """Milliseconds in which 99 % of the answers came."""
        return sorted(self.times)[int(0.99 * len(self.times))] if self.times else float("inf")


class OtherTab(threading.Thread):
    """Somebody who works with plain pages until told to stop.

    Args:
        url: the start address of the server.
        saves: does he save, too; if not, nothing that he asks for needs the lock of the store.
    """

    def __init__(self, url: str, *, saves: bool = True) -> None:
        super().__init__(daemon=True)
        self._saves = saves
        self._client = Client(url)
        self._pages = [row["id"] for row in self._queue() if row["id"].startswith("plain-")]
        self._revisions = {
            page: self._client.json(f"/api/page/{page}?annotator=other")["revision"]
            for page in self._pages
        }
        self._ended = threading.Event()
        longest = dict.fromkeys(("session", "page", "save"), 0.0)
        self.wait = Wait(longest, [], 0, [], Counter())

    def _queue(self) -> Iterator[dict[str, Any]]:
        """All rows of the queue, one answer after the other."""
        offset, total = 0, 1
        while offset < total:
            answer = self._client.json(f"/api/queue?annotator=other&offset={offset}")
            yield from answer["pages"]
            offset, total = offset + len(answer["pages"]), answer["total"]

    def run(self) -> None:
        """Ask and save."""
        rounds = 0
        while not self._ended.is_set():
            began = time.perf_counter()
            page = self._pages[rounds % len(self._pages)]
            rounds += 1
            self._ask("session", "/api/session")
            self._ask("page", f"/page/{page}")
            if self._saves:
                self._save(page, rounds)
            self._ended.wait(max(0.0, began + EVERY - time.perf_counter()))
        self.wait = self.wait._replace(rounds=rounds)

    def _save(self, page: str, rounds: int) -> None:
        change = [rounds % BLOCKS, rounds % BLOCKS, "hto"[rounds % 3]]
        body = {"annotator": "other", "base": self._revisions[page], "changes": [change]}
        if answer := self._ask("save", f"/api/page/{page}/save", body):
            self._revisions[page] = json.loads(answer)["revision"]
            self.wait.saved.append(self._revisions[page])

    def _ask(self, kind: str, path: str, body: object = None) -> bytes | None:
        began = time.perf_counter()
        status, _, content = self._client.ask(path, body)
        passed = 1000 * (time.perf_counter() - began)
        self.wait.times.append(passed)
        self.wait.longest[kind] = max(self.wait.longest[kind], passed)
        if status != 200:
            self.wait.refused[status] += 1
            return None
        return content

    def stop(self) -> Wait:
        """End it, and tell what it saw."""
        self._ended.set()
        self.join()
        return self.wait


class Attack(NamedTuple):
    """One hostile thing.

    Attributes:
        kind: of thing: what ``--only`` chooses.
        name: of the thing.
        prepare: writes files for the server into a folder.
        run: does the harm, given the folder, the address of the server and its process;
            tells what became of it.
        waits_for_lock: another program holds the lock of the store, so saves wait for it; somebody
            who does not save must not.
    """

    kind: str
    name: str
    prepare: Callable[[Path], None]
    run: Callable[[Path, str], str]
    waits_for_lock: bool = False


def grown(parts: tuple[str, str, str], size: int) -> str:
    """A beginning and an end with so much of the middle between them."""
    first, middle, last = parts
    if "%d" in middle:
        return first + "".join(middle % n for n in range(size // len(middle))) + last
    return first + middle * (size // len(middle)) + last


def write_plain(folder: Path) -> None:
    for number in range(PLAIN):
        body = "".join(f"<p>Paragraph {n} of page {number}.</p>" for n in range(BLOCKS))
        (folder / f"plain-{number}.html").write_text(f"<title>Plain</title>{body}")


def nothing(_: Path) -> None:
    """No file."""


def asks(url: str, *paths: str) -> str:
    """Open pages as a browser does; their answers."""
    client = Client(url)
    client.connection.timeout = 300
    answers = []
    for path in paths:
        began = time.perf_counter()
        status, _, content = client.ask(path)
        seconds = time.perf_counter() - began
        text = f"{len(content):,} bytes" if status == 200 else content.decode()[:90]
        answers.append(f"{status} {text} in {seconds:.1f} s")
    client.connection.close()
    return "; ".join(answers)


def hostile_ids(url: str) -> list[str]:
    rows = Client(url).json("/api/queue?annotator=evil&limit=1000")["pages"]
    return [row["id"] for row in rows if not row["id"].startswith("plain-")]


def opens(_: Path, url: str) -> str:
    """Open the hostile pages, with their labels."""
    ids = [quote(page, safe="") for page in hostile_ids(url)]
    if not ids:
        return "left out when the server started"
    pages = (f"/page/{page}" for page in ids)
    labels = (f"/api/page/{page}?annotator=evil" for page in ids)
    return asks(url, *pages, *labels, "/api/queue?annotator=evil")


def asks_sheet(_: Path, url: str) -> str:
    (page,) = hostile_ids(url)
    return asks(url, f"/page/{page}", f"/page/{page}/asset/sheet.css")


def style_attacks(size: int) -> Iterator[Attack]:
    for name, parts in CSS.items():
        css = grown(parts, size)

        def in_page(folder: Path, css: str = css) -> None:
            (folder / "evil.html").write_text(f"<style>{css}</style><p>x")

        def beside(folder: Path, css: str = css) -> None:
            (folder / "evil.html").write_text("<link rel=stylesheet href=sheet.css><p>x")
            (folder / "sheet.css").write_text(css.replace("SELF", "sheet.css"))

        yield Attack("style sheet", f"{name}, {size / 1e6:g} MB in a page", in_page, opens)
        yield Attack("style sheet", f"{name}, {size / 1e6:g} MB in a file", beside, asks_sheet)


def page_attacks(size: int) -> Iterator[Attack]:
    for name, parts in PAGES.items():

        def write(folder: Path, markup: str = grown(parts, size)) -> None:
            (folder / "evil.html").write_text(markup)

        yield Attack("page", f"{name}, {size / 1e6:g} MB", write, opens)


def name_attacks() -> Iterator[Attack]:
    for name in NAMES:

        def write(folder: Path, name: bytes = name) -> None:
            path = os.fsencode(folder) + b"/" + name + b".html"
            with open(path, "wb") as file:
                file.write(b"<p>x")

        yield Attack("file name", repr(name[:40]), write, opens)

    def write_all(folder: Path) -> None:
        for number in range(2000):
            (folder / f"{'n' * 200}{number}.html").write_text(f"<p>{number}")

    def asks_long(folder: Path, url: str) -> str:
        page = hostile_ids(url)[0]
        paths = ("../" * 3000, "%2e%2e%2f" * 1000, "a" * 10_000 + ".css", "\u202e%00.css")
        return asks(url, *(f"/page/{page}/asset/{quote(path, safe='%')}" for path in paths))

    yield Attack("file name", "2,000 long names", write_all, opens)
    yield Attack("file name", "paths of 10,000 characters", name_attacks_page, asks_long)


def name_attacks_page(folder: Path) -> None:
    (folder / "evil.html").write_text("<p>x")


def victor(folder: Path, *arguments: str) -> str:
    """What the command says at last, and its status."""
    command = [sys.executable, "-P", "-c", "from victor.cli import main; main()", "annotate"]
    try:
        done = subprocess.run(
            [*command, *arguments], cwd=folder, capture_output=True, text=True, check=False,
            timeout=LONGEST,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"still at it after {LONGEST:g} s"
    lines = done.stderr.strip().splitlines() or [""]
    error = "" if "Traceback" not in done.stderr else "TRACEBACK "
    return f"rc {done.returncode}: {error}{lines[-1][:110]}"


def on_disk(change: Callable[[sqlite3.Connection], object]) -> Callable[[Path, str], str]:
    """Change the store behind the back of the server, then open its pages."""

    def run(folder: Path, url: str) -> str:
        with closing(sqlite3.connect(folder / "a.sqlite", timeout=60)) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            change(connection)
            connection.commit()
        return opens(folder, url)

    return run


def store_attacks() -> Iterator[Attack]:
    evil = "(SELECT number FROM page WHERE id LIKE 'evil-%')"

    def revise(changes: str, snapshot: bytes | None = None) -> Callable[[Path, str], str]:
        def change(connection: sqlite3.Connection) -> None:
            number = connection.execute(
                "INSERT INTO revision (page, annotator, adjudicated, kind, step, base, state,"
                f" seconds, saved, changes, snapshot) VALUES ({evil}, 'evil', 0, 'annotation', 1,"
                " 0, 'todo', 0, 0, ?, ?)",
                (changes, snapshot),
            ).lastrowid
            connection.execute(
                f"INSERT INTO head VALUES ({evil}, 'evil', 0, ?, 1, 'todo', 0)", (number,)
            )

        return on_disk(change)

    def bomb() -> bytes:
        import zlib

        return zlib.compress(b"o" * 500_000_000)

    def sql(statement: str) -> Callable[[Path, str], str]:
        return on_disk(lambda connection: connection.execute(statement))

    def locked(folder: Path, url: str) -> str:
        with closing(sqlite3.connect(folder / "a.sqlite", isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(3)
            connection.execute("ROLLBACK")
        return "locked for 3 s"

    def crowd(connection: sqlite3.Connection) -> None:
        rows = ((f"more-{n}", b"<p>x", "", json.dumps({"note": "x" * 100})) for n in range(100_000))
        connection.executemany(
            "INSERT INTO page (id, html, site, metadata, n_blocks, cut) VALUES (?, ?, ?, ?, 1, 0)",
            rows,
        )

    changes = json.dumps([[0, 0, "t"]] * 4_000_000)
    for name, run in {
        "64 MB of changes": revise(changes),
        "changes of other kinds": revise('[[{}, null, "x"], "nonsense"]'),
        "deep changes": revise("[" * 1_000_000),
        "snapshot that is a bomb": revise("[]", bomb()),
        "snapshot of garbage": revise("[]", b"garbage"),
        "ids with ..": sql("UPDATE page SET id = '../../' || id WHERE id LIKE 'evil-%'"),
        "ids with markup": sql("UPDATE page SET id = '<b>\"' || id WHERE id LIKE 'evil-%'"),
        "titles of 50 MB": sql(
            f"UPDATE page SET title = hex(zeroblob(25000000)) WHERE number = {evil}"
        ),
        "metadata of 50 MB": sql(
            "UPDATE page SET metadata = '{\"a\": \"' || hex(zeroblob(25000000)) || '\"}'"
            f" WHERE number = {evil}"
        ),
        "metadata that are none": sql(f"UPDATE page SET metadata = '[[[' WHERE number = {evil}"),
        "page without an end": sql(f"UPDATE page SET n_blocks = 2000000000 WHERE number = {evil}"),
        "100,000 more pages": on_disk(crowd),
    }.items():
        held = "MB" in name or "000" in name  # this program writes for as long
        yield Attack("store", name, name_attacks_page, run, waits_for_lock=held)
    yield Attack("store", "locked by another process", nothing, locked, waits_for_lock=True)
    for name, make in files().items():

        def start(folder: Path, _url: str, make: Callable[[Path], None] = make) -> str:
            make(folder / "other.sqlite")
            return victor(folder, "serve", "--no-open", "--store", "other.sqlite")

        yield Attack("store file", name, nothing, start)


def files() -> dict[str, Callable[[Path], object]]:
    """Files that are no stores, by what is wrong with them."""

    def store(path: Path) -> None:
        write_plain(path.parent)
        with Store(path) as opened:
            from victor.annotate.collect import collect

            opened.add(collect([str(path.parent / "plain-0.html")]))

    def broken(statement: str) -> Callable[[Path], None]:
        def make(path: Path) -> None:
            store(path)
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("PRAGMA foreign_keys = OFF")
                connection.executescript(statement)

        return make

    def scribbled(path: Path) -> None:
        store(path)
        content = bytearray(path.read_bytes())
        content[4096:] = os.urandom(len(content) - 4096)
        path.write_bytes(content)

    def cut(path: Path) -> None:
        store(path)
        path.write_bytes(path.read_bytes()[:5000])

    return {
        "garbage": lambda path: path.write_bytes(os.urandom(10_000)),
        "half of a store": cut,
        "scribbled over": scribbled,
        "of another program": broken("PRAGMA application_id = 7"),
        "of a newer version": broken("PRAGMA user_version = 99"),
        "without a table": broken("DROP TABLE head"),
        "with other columns": broken("ALTER TABLE page RENAME COLUMN html TO body"),
        "a folder": lambda path: path.mkdir(),
    }


def imports_tasks(folder: Path, _url: str) -> str:
    return victor(folder, "import", "evil.json", "-f", "label-studio", "-s", "a.sqlite")


def import_attacks(size: int) -> Iterator[Attack]:
    def tasks(count: int, html: str, **fields: object) -> str:
        value = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0,
                 "endOffset": 1, "text": "x", "hypertextlabels": ["text"]}  # fmt: skip
        result = [{"value": value}]
        return json.dumps([
            {"id": n, "data": {"html": html}, "annotations": [{"result": result}], **fields}
            for n in range(count)
        ])  # fmt: skip

    wrong: dict[str, Callable[[], str]] = {
        "100,000 tasks": lambda: tasks(100_000, "<p>x"),
        "20 pages of the largest size": lambda: tasks(20, "<p>" + "x" * size),
        "a page of very many blocks": lambda: tasks(1, "<p>x" * (size // 4)),
        "the same id again": lambda: tasks(3, "<p>x", id=1),
        "ids that lead out": lambda: tasks(3, "<p>x", id="../../../evil"),
        "ids of other kinds": lambda: tasks(3, "<p>x", id={"a": [1]}),
        "deep JSON": lambda: "[" * size,
        "deep JSON in a task": lambda: '[{"id": 1, "data": ' + "[" * 100_000,
        "one string": lambda: '"' + "x" * size + '"',
        "one number": lambda: "[" + "9" * size + "]",
        "null": lambda: "null",
        "annotations that are text": lambda: tasks(1, "<p>x").replace(
            '[{"result"', '["x", {"result"'
        ),
        "not JSON": lambda: "\xff\xfe" * 1000,
    }
    for name, make in wrong.items():

        def write(pages: Path, make: Callable[[], str] = make) -> None:
            (pages.parent / "evil.json").write_text(make())

        yield Attack("import", f"Label Studio, {name}", write, imports_tasks)

    def corpus(index: Callable[[], str], page: bytes) -> Callable[[Path, str], str]:
        def run(folder: Path, _url: str) -> str:
            (folder / "evil" / "html").mkdir(parents=True)
            for name in ("pages.jsonl", "gold.jsonl"):
                (folder / "evil" / name).write_text(index())
            (folder / "evil" / "html" / "p.html").write_bytes(page)
            found = (victor(folder, "import", "evil", "-f", form, "-s", "a.sqlite")
                     for form in ("corpus", "html", "jsonl"))  # fmt: skip
            return "; ".join(found)

        return run

    def folder_of_texts(folder: Path, _url: str) -> str:
        (folder / "evil").mkdir()
        (folder / "evil" / "p.html").write_text("<p>" + "word word2 " * 20_000)
        (folder / "evil" / "p.txt").write_text("word2 word " * 20_000)
        (folder / "evil" / "p-cleaned.txt").write_text("word2 word " * 20_000)
        found = (victor(folder, "import", "evil", "-f", form, "-s", "a.sqlite")
                 for form in ("gold", "cleaneval"))  # fmt: skip
        return "; ".join(found)

    def while_exporting(folder: Path, _url: str) -> str:
        return victor(folder, "export", "out", "-s", "a.sqlite")

    row = json.dumps({"id": "../p", "file": "../../../etc/passwd", "labels": "t"})
    yield Attack("import", "corpus, ids that lead out", nothing, corpus(lambda: row, b"<p>x"))
    yield Attack("import", "corpus, 10^5 lines of nonsense", nothing,
                 corpus(lambda: "{}\n" * 100_000, b"<p>x"))  # fmt: skip
    yield Attack("import", "texts that align badly", nothing, folder_of_texts)
    yield Attack("import", "an export at the same time", nothing, while_exporting)


def attack(one: Attack) -> tuple[str, Wait, int]:
    """What became of an attack, what the other tab saw, and how many saves are lost."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pages").mkdir()
        write_plain(folder / "pages")
        one.prepare(folder / "pages")
        store = folder / "a.sqlite"
        with server(store, folder / "pages", suggest=True) as (process, client):
            url = client.start
            threading.Thread(target=drain, args=(process,), daemon=True).start()
            settle(client)
            other = OtherTab(url, saves=not one.waits_for_lock)
            saver = OtherTab(url) if one.waits_for_lock else None
            other.start()
            if saver is not None:
                saver.start()
            until = time.perf_counter() + LEAST
            try:
                status = one.run(folder, url)
            except Exception as error:  # whatever it is, it belongs into the table
                status = f"{type(error).__name__}: {error}"
            time.sleep(max(0.0, until - time.perf_counter()))
            wait = other.stop()
            if saver is not None:
                waited = saver.stop()
                wait.longest["save"] = waited.longest["save"]
                wait.saved.extend(waited.saved)
                wait.refused.update(waited.refused)
        with closing(sqlite3.connect(store)) as connection:
            kept = {n for (n,) in connection.execute("SELECT number FROM revision")}
        return status, wait, len({*wait.saved} - kept)


def drain(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if "Error" in line:
            print(f"  server: {line.strip()}")


def settle(client: Client) -> None:
    """Wait until the processes of the server have begun to work."""
    for row in client.json("/api/queue?annotator=settle&limit=8")["pages"]:
        if row["id"].startswith("plain-"):
            client.ask(f"/page/{row['id']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", action="append", help="kind of attack; can be repeated")
    parser.add_argument("--name", default="", help="a part of the names of attacks")
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--no-browser", action="store_true")
    parser.add_argument("--combinations", type=int, default=1000)
    arguments = parser.parse_args()
    size = int(arguments.megabytes * 1e6)
    quiet = Attack("nothing", "nothing", nothing, lambda *_: time.sleep(5) or "")
    _, alone, _ = attack(quiet)
    base = max(alone.worst(), 0.1)
    print("without any attack: " + ", ".join(f"{k} {v:.0f} ms" for k, v in alone.longest.items())
          + f", 99 % within {alone.most():.0f} ms")  # fmt: skip
    attacks = [*style_attacks(min(size, 3_900_000)), *style_attacks(size), *page_attacks(2 * size),
               *page_attacks(size // 10), *name_attacks(), *store_attacks(),
               *import_attacks(size)]  # fmt: skip
    count = beyond = lost = 0
    worst: dict[str, float] = {}
    for one in attacks:
        if (arguments.only and one.kind not in arguments.only) or arguments.name not in one.name:
            continue
        status, wait, gone = attack(one)
        kinds = ("session", "page") if one.waits_for_lock else ()
        longest = wait.worst(*kinds)
        count, lost = count + 1, lost + gone
        beyond += longest > BOUND
        worst[one.kind] = max(worst.get(one.kind, 0.0), longest)
        mark = "!" if longest > BOUND or gone or wait.refused else " "
        each = "/".join(f"{wait.longest[kind]:.0f}" for kind in wait.longest)
        print(f"{mark} {one.kind:11} {one.name:46.46} {longest:6.0f} ms x{longest / base:<5.1f}"
              f" 99 % {wait.most():4.0f} ms"
              f" ({each}) rounds {wait.rounds} lost {gone} refused {dict(wait.refused)}"
              f" | {status}", flush=True)  # fmt: skip
    for kind, milliseconds in worst.items():
        print(f"{kind:11} longest answer to another tab {milliseconds:.0f} ms")
    print(f"{count} attacks, {beyond} kept another tab waiting for more than {BOUND:.0f} ms, "
          f"{lost} saves lost")  # fmt: skip
    if not arguments.no_browser:
        report("hostile markup", load_all(arguments.combinations, 1))


if __name__ == "__main__":
    main()
