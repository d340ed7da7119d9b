"""Numbers of a store, what to look at again, and the commands that print them."""

import json

import pytest
from click.testing import CliRunner

from victor.annotate.agreement import kappa
from victor.annotate.exchange.store_export import annotated_pages
from victor.annotate.exchange.store_import import ImportedPage, import_pages
from victor.annotate.statistics import Amount, agree, check, stats, suspicions
from victor.annotate.store import page_blocks
from victor.annotate.store.changes import Change
from victor.annotate.store.revisions import Save
from victor.annotate.store.store import Store
from victor.cli import annotate
from victor.cli.annotate_exchange import COMMANDS
from victor.corpus.pages import annotate as annotated_page
from victor.errors import ConfigError, CorpusError

HTML = b"<h1>The bees</h1><p>They fly very far.<p>They come home.<p>Menu"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "annotations.sqlite"


@pytest.fixture
def store(path):
    with Store(path) as opened:
        names = ("bees", "knots", "kettles")
        pages = (ImportedPage(annotated_page(name, HTML, [0, 1, 1, 2])) for name in names)
        assert [result.page for result in import_pages(opened, pages)] == [*names]
        yield opened


def save(store, page, annotator, labels, state="done", kind="annotation", **fields):
    changes = [Change(n, n, letter) for n, letter in enumerate(labels)]
    store.revisions.save(page, Save(annotator, changes, state=state, **fields), kind)


class TestStats:
    def test_states_labels_and_speed(self, store):
        save(store, "bees", "eva", "htto", seconds=30)
        save(store, "knots", "eva", "oooo", "no-content", seconds=30)
        save(store, "kettles", "eva", "oooo", "todo", seconds=12)
        save(store, "bees", "petr", "httt", kind="adjudication")
        progress = stats(store)
        assert progress.pages == 3
        assert progress.states["eva"] == {"done": 1, "no-content": 1, "todo": 1}
        assert progress.states["petr (adjudicated)"] == {"done": 1}
        assert progress.states["import"] == {"done": 3}
        assert progress.per_hour("eva") == pytest.approx(2 * 3600 / 72)
        assert progress.per_hour("import") is None
        # Adjudicated httt, annotated oooo, imported htto.
        assert progress.labels == {
            "header": Amount(2, 4),
            "text": Amount(5, 4 + 3 + 1 + 4 + 3),
            "other": Amount(5, 2 + 4 + 3 + 1 + 1),
            "unlabelled": Amount(0, 0),
        }

    def test_unlabelled_blocks_are_counted_apart(self, store):
        save(store, "bees", "eva", "?t?o")
        amounts = stats(store).labels
        assert amounts["unlabelled"] == Amount(2, 2 + 3)
        assert amounts["other"] == Amount(3, 3)

    def test_an_empty_store(self, path):
        with Store(path) as empty:
            progress = stats(empty)
        assert (progress.pages, progress.labels["text"]) == (0, Amount(0, 0))


class TestCheck:
    def test_nothing_to_say(self, store):
        save(store, "bees", "eva", "htto")
        save(store, "bees", "petr", "htto")
        assert list(check(store)) == []

    def test_annotators_who_differ(self, store):
        save(store, "bees", "eva", "htto")
        save(store, "bees", "petr", "htoo")
        assert list(check(store)) == [
            ("overlap", "bees", "eva, petr differ; it is not adjudicated")
        ]
        save(store, "bees", "eva", "htto", kind="adjudication")
        assert list(check(store)) == []

    def test_unlabelled_blocks_are_nothing_to_differ_about(self, store):
        save(store, "bees", "eva", "?tto")
        save(store, "bees", "petr", "ht?o")
        assert list(check(store)) == []
        save(store, "bees", "jan", "otto")
        assert [finding.kind for finding in check(store)] == ["overlap"]

    def test_pages_that_nobody_finished(self, path):
        from types import SimpleNamespace

        page = {"url": None, "site": "", "file": None, "labels": None, "metadata": {}}
        with Store(path) as store:
            store.add([SimpleNamespace(id="a", html=b"<p>a", **page)])
            assert list(check(store)) == [("unlabelled", "a", "nobody has finished it")]
            save(store, "a", "eva", "t", "todo")
            assert [finding.kind for finding in check(store)] == ["unlabelled"]
            save(store, "a", "eva", "t", "skip")
            assert list(check(store)) == []

    def test_blocks_that_changed(self, store):
        store._database._connection.execute("UPDATE page SET cut = cut + 1 WHERE id = 'bees'")
        assert [(finding.kind, finding.page) for finding in check(store)] == [("drift", "bees")]

    def test_odd_labels(self, store):
        save(store, "bees", "eva", "oooo")
        assert [finding.message for finding in check(store)] == [
            "eva: done, but all is other: no content?"
        ]


@pytest.mark.parametrize(
    ("labels", "state", "expected"),
    [
        ("oooo", "done", "all is other"),
        ("tttt", "done", "nothing is other"),
        ("hooo", "done", "headers without any text"),
        ("hooo", "no-content", "no content, but"),
        ("", "done", "has no text"),
        ("t", "done", None),
        ("hto", "done", None),
        ("tt?", "done", None),
        ("h?o", "done", None),
        ("?oo", "done", None),
        ("ooo", "no-content", None),
        ("hhh", "skip", None),
    ],
)
def test_suspicions(labels, state, expected):
    messages = list(suspicions(labels, state))
    assert len(messages) == (expected is not None)
    assert expected is None or expected in messages[0]


class TestAgree:
    def test_over_all_pages_and_the_worst_first(self, store):
        for page, labels in (("bees", "htto"), ("knots", "htto"), ("kettles", "htoo")):
            save(store, page, "eva", labels)
        for page, labels in (("bees", "htto"), ("knots", "oooo"), ("kettles", "otoo")):
            save(store, page, "petr", labels)
        measures, pages = agree(store, "eva", "petr")
        assert measures.kappa == pytest.approx(kappa("httohttohtoo", "httooooootoo"))
        assert [page.page for page in pages] == ["knots", "kettles", "bees"]
        assert pages[0].different == 3
        assert pages[0].words == pytest.approx((2 + 4 + 3) / 10)
        assert pages[2].kappa == pytest.approx(1)

    def test_unlabelled_blocks_do_not_count(self, store):
        save(store, "bees", "eva", "h?to")
        save(store, "bees", "petr", "hto?")
        measures, (page,) = agree(store, "eva", "petr")
        assert (measures.blocks, page.blocks, page.different) == (2, 2, 1)
        assert page.words == pytest.approx(3 / 5)

    def test_only_what_both_finished(self, store):
        save(store, "bees", "eva", "htto")
        save(store, "bees", "petr", "htto", "todo")
        assert agree(store, "eva", "petr")[1] == []
        save(store, "bees", "petr", "htto", "no-content")
        # Whoever says that there is no content has labelled all as other.
        assert agree(store, "eva", "petr")[1][0].different == 3


@pytest.mark.parametrize(
    "look", [stats, lambda store: agree(store, "eva", "petr"), lambda store: [*check(store)],
             lambda store: [*annotated_pages(store)]],
)  # fmt: skip
def test_a_page_is_cut_into_blocks_once(store, monkeypatch, look):
    for name in ("eva", "petr"):
        save(store, "bees", name, "htto")
        save(store, "knots", name, "htto")
    save(store, "kettles", "eva", "htto", "skip")
    pages = []
    parse_pages = page_blocks.parse_pages
    monkeypatch.setattr(
        page_blocks, "parse_pages", lambda *given: pages.append(parse_pages(*given)) or pages[-1]
    )
    look(store)
    assert 0 < len(pages) <= len(store.pages.all())


@pytest.fixture
def run(store, path):
    runner = CliRunner()

    def call(*args, status=0):
        result = runner.invoke(annotate.command, [*args, "--store", str(path)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, result.output
        return result.stdout

    return call


class TestCommands:
    def test_they_belong_to_the_group(self):
        assert {each.name for each in COMMANDS} <= set(annotate.command.commands)

    def test_stats(self, run, store):
        save(store, "bees", "eva", "htto", seconds=18)
        lines = run("stats").splitlines()
        assert lines[0] == "3 pages"
        assert lines[3].split() == ["eva", "0", "1", "0", "0", "0", "0", "0.01", "200"]
        assert lines[4].split() == ["import", "0", "3", "0", "0", "0", "0", "0.00", "-"]
        assert lines[-3].split() == ["text", "6", "21"]

    def test_check(self, run, store):
        save(store, "bees", "eva", "oooo")
        assert run("check") == "bees\tsuspicious\teva: done, but all is other: no content?\n"
        store._database._connection.execute("UPDATE page SET cut = cut + 1")
        assert run("check", status=1).count("\tdrift\t") == 3

    def test_agree(self, run, store):
        save(store, "bees", "eva", "htto")
        save(store, "bees", "petr", "httt")
        lines = run("agree", "eva", "petr").splitlines()
        assert lines[0] == "1 pages"
        assert lines[3].split() == ["kappa", f"{kappa('htto', 'httt'):.4f}"]
        assert lines[-1].split() == [
            "bees",
            f"{kappa('htto', 'httt'):.4f}",
            "1",
            "of",
            "4",
            "10.0%",
        ]
        with pytest.raises(ConfigError, match="nobody called 'jan' saved anything"):
            run("agree", "eva", "jan")
        save(store, "knots", "jan", "htto")
        with pytest.raises(CorpusError, match="no page in common"):
            run("agree", "eva", "jan")

    @pytest.mark.parametrize("form", ["corpus", "html", "jsonl", "cleaneval"])
    def test_export_and_import(self, run, store, path, tmp_path, form):
        labels = "httt" if form == "cleaneval" else "h?tt"  # plain text knows no open blocks
        save(store, "bees", "eva", labels)
        run("export", str(tmp_path / "out"), "--format", form)
        arguments = [
            str(tmp_path / "out"),
            "--format",
            form,
            "--store",
            str(tmp_path / "new.sqlite"),
        ]
        CliRunner().invoke(annotate.command, ["import", *arguments], catch_exceptions=False)
        with Store(tmp_path / "new.sqlite") as other:
            assert {page.id for page in other.pages.all()} == {"bees", "knots", "kettles"}
            name = "eva" if form in ("corpus", "jsonl") else "import"
            assert other.revisions.labels("bees", name) == labels

    def test_export_of_one_annotator(self, run, store, tmp_path):
        save(store, "bees", "eva", "httt")
        run("export", str(tmp_path / "out"), "--annotator", "eva")
        rows = (tmp_path / "out" / "pages.jsonl").read_text().splitlines()
        assert [json.loads(row)["id"] for row in rows] == ["bees"]
        with pytest.raises(ConfigError, match="nobody called 'jan'"):
            run("export", str(tmp_path / "more"), "--annotator", "jan")

    def test_pages_that_are_left_out_are_counted(self, run, store, tmp_path):
        store._database._connection.execute("UPDATE page SET cut = cut + 1 WHERE id = 'bees'")
        run("export", str(tmp_path / "out"), status=1)
        assert len((tmp_path / "out" / "pages.jsonl").read_text().splitlines()) == 2

    def test_a_mismatch_report(self, run, store, tmp_path):
        texts = tmp_path / "texts"
        texts.mkdir()
        (texts / "bees.txt").write_text("The bees\n\nThey come home.\n\nThe wasps sting.\n")
        shown = run("import", str(texts), "-f", "gold", "--annotator", "eva")
        assert shown == (
            "bees: labels come from an alignment; check them\n"
            "bees: 62% of the words of its gold text were found\n"
        )
        assert store.revisions.labels("bees", "eva") == "hoto"

    def test_a_page_that_is_another(self, run, tmp_path):
        from victor.corpus.pages import write_corpus

        pages = [annotated_page("bees", b"<p>x", [1]), annotated_page("new", b"<p>x", [1])]
        write_corpus(tmp_path / "in", pages)
        run("import", str(tmp_path / "in"), status=1)
        assert run("stats").startswith("4 pages\n")

    def test_no_store(self, tmp_path):
        result = CliRunner().invoke(
            annotate.command, ["stats", "--store", str(tmp_path / "none.sqlite")]
        )
        assert isinstance(result.exception, ConfigError)
        assert not (tmp_path / "none.sqlite").exists()
