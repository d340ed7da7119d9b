"""`victor clean`: what goes in, what comes out, and where."""

import json
import sys

import pytest
from msgspec.structs import replace

import victor as package
from victor.cli.cleaner_options import Deciding
from victor.cli.pages import unique
from victor.config.schema import Filter
from victor.model.decide import Decision
from victor.model.presets import Presets, Reached

PAGE = b"<html><body><h1>On bees</h1><p>" + b"Bees live in colonies, and so do ants. " * 5


@pytest.fixture
def clean(victor, small_model_file):
    """Function: `victor clean` with the small model."""

    def run(*arguments, stdin=b""):
        return victor("clean", "--model", small_model_file, *arguments, stdin=stdin)

    return run


# --- input ---------------------------------------------------------------------------------------


def test_standard_input_to_standard_output(clean, small_model):
    for arguments in ((), ("-",)):
        run = clean(*arguments, stdin=PAGE)
        assert run.status == 0
        assert run.out == package.clean(PAGE, model=small_model).text.rstrip("\n") + "\n"
        assert run.err == ""


def test_files_folders_and_standard_input_in_the_order_of_the_call(clean, folder):
    one, two = sorted(folder.iterdir())[:2]
    run = clean("-f", "records", two, "-", one, stdin=PAGE)
    rows = map(json.loads, run.out.splitlines())
    urls = [row.get("url") for row in rows if "blocks" in row]
    assert urls == [str(two), None, str(one)]


def test_a_folder_is_the_pages_in_it_and_below_it(clean, tmp_path):
    for name in ("b.html", "a.HTM", "c.txt", "below/d.xhtml", "below/deeper/e.shtml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(PAGE)
    (tmp_path / "folder.html").mkdir()
    run = clean("-f", "records", tmp_path)
    rows = map(json.loads, run.out.splitlines())
    urls = [row["url"] for row in rows if "blocks" in row]
    expected = ["a.HTM", "b.html", "below/d.xhtml", "below/deeper/e.shtml"]
    assert urls == [str(tmp_path / name) for name in expected]


@pytest.mark.parametrize("start", [b"\x1f\x8b\x08\0", b"%PDF-1.7\n", b"WARC/1.0\r\n", b"\x7fELF"])
def test_what_begins_as_another_format_fails(clean, tmp_path, start):
    (tmp_path / "a.html").write_bytes(start + PAGE)
    for run in (clean(tmp_path / "a.html"), clean(stdin=start + PAGE)):
        assert (run.status, run.out) == (1, "")
        assert ", not HTML; `victor crawl` reads" in run.err
        assert run.err.splitlines()[-1] == "victor: 1 of 1 page failed: not-html 1"


def test_a_file_whose_name_is_not_utf8(clean, tmp_path):
    path = bytes(tmp_path) + b"/v\xe8ela.html"
    with open(path, "wb") as file:
        file.write(PAGE)
    run = clean("-f", "records", tmp_path)
    assert run.status == 0
    assert json.loads(run.out.splitlines()[0])["url"].endswith("v\ufffdela.html")


# --- output --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    ["text", "markdown", "html", "article", "tei", "json", "cleaneval", "records", "native"],
)
def test_every_form(clean, small_model, form):
    run = clean("-f", form, "-", stdin=PAGE)
    assert run.status == 0
    assert run.out.rstrip("\n") == package.clean(PAGE, model=small_model).render(form).rstrip("\n")


def test_output_is_utf8_whatever_the_locale(process, small_model_file):
    page = "<p>Žluťoučký kůň úpěl ďábelské ódy, a to celou noc až do rána.</p>".encode()
    running = process(
        "clean", "-m", small_model_file, "-t", "1", stdin=-1, stdout=-1, stderr=-1,
        env={"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    out, err = running.communicate(page)
    assert (running.returncode, err) == (0, b"")
    assert "Žluťoučký kůň" in out.decode()


def test_a_blank_line_between_the_texts_of_two_pages(clean, folder):
    one, two = sorted(folder.iterdir())[:2]
    first, second = clean(one).out, clean(two).out
    assert clean(one, two).out == f"{first}\n{second}"
    records = [clean("-f", "records", page).out for page in (one, two)]
    assert clean("-f", "records", one, two).out == "".join(records)


def test_one_file_per_page(clean, folder, tmp_path):
    run = clean("-o", tmp_path / "out" / "deep", folder)
    assert (run.status, run.out) == (0, "")
    written = {path.stem: path for path in (tmp_path / "out" / "deep").iterdir()}
    assert set(written) == {path.stem for path in folder.iterdir()}
    assert {path.suffix for path in written.values()} == {".txt"}
    for page in folder.iterdir():
        assert written[page.stem].read_text(encoding="utf-8") == clean(page).out.rstrip("\n") + (
            "\n" if clean(page).out else ""
        )


@pytest.mark.parametrize(
    ("form", "extension"),
    [("markdown", ".md"), ("html", ".html"), ("cleaneval", ".txt"), ("records", ".jsonl"),
     ("article", ".html"), ("tei", ".xml"), ("json", ".json"),
     ("native", ".txt")],
)  # fmt: skip
def test_extensions(clean, tmp_path, form, extension):
    assert clean("-f", form, "-o", tmp_path, "-", stdin=PAGE).status == 0
    assert [path.name for path in tmp_path.iterdir()] == [f"stdin{extension}"]


def test_pages_of_one_name_do_not_collide(clean, tmp_path):
    for name in ("a/x.html", "a/below/x.html", "b/x.html", "b/x.htm", "b/X.html", "b/x-2.html"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(PAGE)
    out = tmp_path / "out"
    assert clean("-o", out, tmp_path / "in" / "a", tmp_path / "in" / "b").status == 0
    written = sorted(str(path.relative_to(out)).casefold() for path in out.rglob("*.txt"))
    assert len(set(written)) == 6
    assert "below/x.txt" in written


@pytest.mark.parametrize(
    ("stems", "names"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a", "a"], ["a", "a-2", "a-3"]),
        (["a", "a", "a-2", "A"], ["a", "a-2", "a-2-2", "A-2-2"]),
        (["a-2", "a", "a"], ["a-2", "a", "a-3"]),
    ],
)
def test_names_are_unique_even_where_case_does_not_matter(stems, names):
    results = list(unique(stems))
    assert len({name.casefold() for name in results}) == len(stems)
    assert results[:3] == names[:3]


@pytest.mark.parametrize("folder", ["y.txt", "Y.TXT", "y.txt/deep"])
def test_no_page_has_the_name_of_a_folder_of_others(clean, tmp_path, folder):
    for name in ("y.html", f"{folder}/z.html"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(PAGE)
    out = tmp_path / "out"
    assert clean("-o", out, tmp_path / "in").status == 0
    written = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert written == {"y-2.txt", f"{folder}/z.txt"}


@pytest.mark.parametrize("command", ["clean", "normalize"])
def test_a_page_without_a_place_is_counted_and_the_others_are_written(victor, tmp_path, command):
    for name in ("a.html", "b.html", "c/d.html"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(PAGE)
    extension = ".txt" if command == "clean" else ".xhtml"
    (tmp_path / "out" / f"a{extension}").mkdir(parents=True)
    (tmp_path / "out" / "c").write_text("in the way")
    run = victor(command, tmp_path / "in", "-o", tmp_path / "out")
    assert run.status == 1
    assert f"in/a.html: {tmp_path}/out/a{extension} cannot be written: Is a directory" in run.err
    assert "2 of 3 pages failed: not-written 2" in run.err
    assert (tmp_path / "out" / f"b{extension}").is_file()
    assert (tmp_path / "out" / "c").read_text() == "in the way"


def test_many_pages_of_one_name_take_no_time():
    assert len(set(unique(["index"] * 50_000))) == 50_000


def test_a_page_is_never_written_over(clean, tmp_path):
    page = tmp_path / "page.html"
    page.write_bytes(PAGE)
    run = clean("-f", "html", "-o", tmp_path, page)
    assert run.status == 2
    assert "choose another folder" in run.err
    assert page.read_bytes() == PAGE


# --- what forms show -----------------------------------------------------------------------------

RICH = (
    b"<html lang=en><title>On bees</title><h1>On bees</h1>"
    b"<p>They <b>live</b> in <a href=http://x.cz/>colonies</a>."
)
NONE = ("clean", "-l", "none")


@pytest.mark.parametrize("form", ["article", "tei"])
def test_documents_of_several_pages_need_a_folder(victor, folder, tmp_path, form):
    pages = sorted(folder.iterdir())[:2]
    run = victor(*NONE, "-f", form, *pages)
    assert (run.status, run.out) == (2, "")
    assert run.err == (
        f"victor: -f {form} writes one document a page; choose a folder with --output, or -f json\n"
    )
    assert victor(*NONE, "-f", form, "-o", tmp_path / "out", *pages).status == 0
    assert len([*(tmp_path / "out").iterdir()]) == 2
    assert victor(*NONE, "-f", form, pages[0]).status == 0


def test_pages_as_json_are_lines(victor, folder):
    pages = sorted(folder.iterdir())[:2]
    run = victor(*NONE, "-f", "json", "--json-fields", "markdown, blocks", *pages)
    rows = [json.loads(line) for line in run.out.splitlines()]
    assert [row["url"] for row in rows] == [str(page) for page in pages]
    assert list(rows[0]) == [
        "url", "metadata", "reason", "page_type", "p_no_content", "words", "markdown", "dropped",
        "blocks",
    ]  # fmt: skip


def test_switches_of_forms(victor):
    markdown = victor(*NONE, "-f", "markdown", "--no-links", "--no-formatting", stdin=RICH).out
    assert markdown == "# On bees\n\nThey live in colonies.\n"
    fields = ("-f", "json", "--json-fields", "markdown", "--no-links", "--no-formatting")
    assert json.loads(victor(*NONE, *fields, stdin=RICH).out)["markdown"] == markdown


def test_bullets(victor):
    page = b"<ol start=2><li>a<li>b</ol>"
    assert victor(*NONE, stdin=page).out == "a\nb\n"
    assert victor(*NONE, "--bullets", stdin=page).out == "2. a\n3. b\n"


def test_metadata_above_a_text(victor):
    run = victor(*NONE, "--with-metadata", stdin=RICH)
    assert run.out.startswith("---\ntitle: On bees\nwindow_title: On bees\nlanguage: en\n")
    assert run.out.endswith("---\n\nOn bees\n\nThey live in colonies.\n")


def test_the_headline_that_a_text_lacks(victor):
    page = RICH.replace(b"<h1>On bees</h1>", b"")
    shown = "They **live** in [colonies](http://x.cz/).\n"
    assert victor(*NONE, "-f", "markdown", stdin=page).out == f"# On bees\n\n{shown}"
    assert victor(*NONE, "-f", "markdown", "--no-headline", stdin=page).out == shown
    assert "<head" not in victor(*NONE, "-f", "tei", stdin=page).out.partition("<body>")[2]
    with_headline = victor(*NONE, "-f", "tei", "--headline", stdin=page).out
    assert '<head rend="h1">On bees</head>' in with_headline


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["--no-links"], "-f text has no use for --no-links, which is for markdown, article, tei,"),
        (["-f", "html", "--images"], "-f html has no use for --images"),
        (["--no-posts"], "-f text has no use for --no-posts, which is for markdown, article,"),
        (["-f", "tei", "--with-metadata"], "no use for --with-metadata, which is for text, markd"),
        (["-f", "markdown", "--bullets"], "-f markdown has no use for --bullets, which is for te"),
        (["--json-fields", "text"], "-f text has no use for --json-fields, which is for json"),
        (["-f", "json", "--json-fields", "html"], "no field 'html'; choose of text, markdown,"),
        (["-f", "json", "--no-links"], "--no-links with -f json needs markdown among --json-fiel"),
    ],
)
def test_options_that_a_form_has_no_use_for(victor, call, message):
    run = victor(*NONE, *call, stdin=RICH)
    assert (run.status, run.out) == (2, "")
    assert message in run.err


# --- decisions -----------------------------------------------------------------------------------


def test_thresholds(clean):
    assert clean("-t", "0", stdin=PAGE).out == ""
    assert "Bees live" in clean("-t", "1", stdin=PAGE).out


@pytest.mark.parametrize("method", ["threshold", "viterbi", "expected-f"])
def test_methods(clean, small_model, method):
    from victor.api import load_cleaner

    run = clean("-f", "records", "--decide", method, stdin=PAGE)
    cleaner = load_cleaner(small_model, decision=Decision(method))
    assert run.out == cleaner.clean(PAGE).render("records")


def test_what_an_option_leaves_open_is_as_configured():
    configured = Decision(method="viterbi", threshold=0.3, temperature=2.0)
    decided = {
        (None, None): None,
        (0.7, None): Decision("threshold", 0.7),
        ("precision", None): Decision("threshold", 0.2),
        (None, "threshold"): Decision("threshold", 0.3, 2.0),
        (None, "expected-f"): Decision("expected-f", 0.3, 2.0),
    }
    for (threshold, method), decision in decided.items():
        given = Deciding(threshold=threshold, method=method)
        assert given.decision(configured, {"precision": 0.2}) == decision


def test_a_preset_is_a_threshold_by_name(clean, small_model, tmp_path):
    path = tmp_path / "preset.victor"
    replace(small_model, presets={"precision": 0.1}).save(path)
    by_name = clean("-m", path, "-t", "precision", "-", stdin=PAGE)
    assert by_name.status == 0
    assert by_name.out == clean("-m", path, "-t", "0.1", "-", stdin=PAGE).out
    unknown = clean("-m", path, "-t", "recall", "-", stdin=PAGE)
    assert (unknown.status, unknown.out) == (2, "")
    assert "no preset 'recall'; known are: precision" in unknown.err
    assert clean("-m", path, "-t", "1.5", "-", stdin=PAGE).status == 2


def test_a_precision_is_a_threshold_too(clean, small_model, tmp_path):
    path = tmp_path / "curve.victor"
    reached = {0.9: Reached(0.5, 0.9, 0.9), 0.95: Reached(0.1, 0.95, 0.8)}
    replace(small_model, presets=Presets({}, reached, "words", "by hand", {"a": 1})).save(path)
    asked = clean("-m", path, "-t", "p0.93", "-", stdin=PAGE)
    assert asked.status == 0
    assert asked.out == clean("-m", path, "-t", "0.1", "-", stdin=PAGE).out
    beyond = clean("-m", path, "-t", "p0.96", "-", stdin=PAGE)
    assert (beyond.status, beyond.out) == (2, "")
    assert "the highest is 0.95" in beyond.err


@pytest.mark.slow
def test_a_labeler_instead_of_a_model(victor, folder, tmp_path):
    pages = sorted(folder.iterdir())
    one = victor("clean", "-l", "kimatu", *pages)
    assert one.status == 0
    assert "Bees" in victor("clean", "-l", "kimatu", stdin=PAGE).out
    assert victor("clean", "-l", "kimatu", "-j", "2", *pages).out == one.out
    strict = tmp_path / "quota.yaml"
    strict.write_text("base: kimatu\n")
    assert victor("clean", "-l", "kimatu", "-c", strict, stdin=PAGE).status == 0
    for wrong in (["-l", "kimatu", "-m", "default"], ["-c", "kimatu"]):
        assert victor("clean", *wrong, stdin=PAGE).status == 2


def test_the_form_that_a_labeler_has_of_its_own(victor, tmp_path):
    page = PAGE + b"</p><p><a href='http://ads.example/x'>Buy</a></p>"
    config = tmp_path / "dom.yaml"
    config.write_text("base: dom\noutput: {form: html, removed_links: true}\n")
    written = victor("clean", "-l", "dom", "-c", config, "-f", "native", stdin=page).out
    assert "<p>" in written
    assert "Bees live in colonies" in written
    plain = victor("clean", "-l", "kimatu", "-f", "native", stdin=page).out
    assert plain == victor("clean", "-l", "kimatu", stdin=page).out


# --- the page filter of a model -------------------------------------------------------------------


CZECH_PAGE = f"<p>{'Včely žijí v úlech a v zimě spí, aby na jaře zase mohly létat. ' * 6}".encode()


@pytest.fixture
def filtering(small_model, tmp_path):
    """Path of a model that keeps Czech pages of ten words and more."""
    page_filter = Filter(identifier="beesley", languages=("cs",), least_words=10)
    path = tmp_path / "filtering.victor"
    replace(small_model, config=small_model.config.replace(filter=page_filter)).save(path)
    return path


@pytest.mark.parametrize(
    ("page", "reason"),
    [(PAGE, "language"), (b"<p>Kr\xc3\xa1tk\xc3\xbd text.", "too-little-text"),
     (CZECH_PAGE + b"\x01" * 9, "invalid-characters")],
)  # fmt: skip
def test_a_page_that_the_filter_drops_gives_its_reason_and_no_text(victor, filtering, page, reason):
    for form in ("text", "html", "records"):
        run = victor("clean", "-m", filtering, "-t", "1", "-f", form, stdin=page)
        assert (run.status, run.out) == (0, "")
        assert run.err == f"victor: 1 of 1 page has no clean text: {reason} 1\n"


def test_the_filter_keeps_what_it_is_for(victor, filtering, clean):
    run = victor("clean", "-m", filtering, "-t", "1", stdin=CZECH_PAGE)
    assert (run.status, run.err) == (0, "")
    assert run.out == clean("-t", "1", stdin=CZECH_PAGE).out


def test_a_model_may_screen_pages(victor, small_model, tmp_path):
    page_filter = Filter(identifier="beesley", languages=("cs",), screen=True)
    path = tmp_path / "screening.victor"
    replace(small_model, config=small_model.config.replace(filter=page_filter)).save(path)
    for form in ("text", "html", "records"):
        run = victor("clean", "-m", path, "-f", form, stdin=PAGE * 9)
        assert (run.status, run.out) == (0, "")
        assert run.err == "victor: 1 of 1 page has no clean text: language 1\n"


def test_a_model_may_drop_paragraphs_in_other_languages(victor, small_model, tmp_path):
    page_filter = Filter(identifier="beesley", languages=("cs",), paragraphs="drop")
    path = tmp_path / "native.victor"
    replace(small_model, config=small_model.config.replace(filter=page_filter)).save(path)
    english = "<p>The bees live in hives and sleep in winter, to fly again in spring.</p>"
    run = victor("clean", "-m", path, "-t", "1", stdin=CZECH_PAGE + english.encode())
    assert (run.status, run.err) == (0, "")
    assert run.out == victor("clean", "-m", path, "-t", "1", stdin=CZECH_PAGE).out


def test_a_model_without_a_filter_cleans_damaged_pages_too(clean):
    run = clean("-t", "1", stdin=PAGE + b"\x01" * 99)
    assert (run.status, run.err) == (0, "")
    assert "Bees live in colonies" in run.out


@pytest.mark.slow
def test_the_filter_holds_in_every_process(victor, filtering, folder, tmp_path):
    czech = tmp_path / "czech.html"
    czech.write_bytes(CZECH_PAGE)
    pages = [*sorted(folder.iterdir()), czech] * 2
    one, two = (victor("clean", "-m", filtering, "-j", jobs, *pages) for jobs in "12")
    assert (one.status, one.out, one.err) == (two.status, two.out, two.err)
    assert "language" in one.err


# --- rules of sentences --------------------------------------------------------------------------

LISTS = (
    b"<html lang=en><p>They need:<ul><li>rest<li>honey</ul><h2>Bees</h2><ul><li><a>Home</a></ul>"
)
ALL = ("clean", "-l", "none", "-f", "sentences")


def test_rules_of_sentences_are_set_as_in_normalize(victor, tmp_path):
    (tmp_path / "mine.yaml").write_text("base: kitten\nlists: {drop_links: false}\n")
    assert "Home" not in victor(*ALL, stdin=LISTS).out
    for call in (("-s", "lists.drop_links=false"), ("-c", tmp_path / "mine.yaml")):
        run = victor(*ALL, *call, stdin=LISTS)
        assert (run.out, run.err) == (
            victor("normalize", "-f", "sentences", *call, stdin=LISTS).out,
            "",
        )
        assert run.out.endswith("Home.\n")


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_page_whose_form_is_beyond_the_limits_is_counted_and_the_next_written(
    victor, tmp_path, jobs
):
    (tmp_path / "mine.yaml").write_text("base: kitten\nlimits: {output: 25}\n")
    (tmp_path / "in").mkdir()
    for name, words in {"a": 2, "b": 50, "c": 2, "d": 2}.items():
        (tmp_path / "in" / f"{name}.html").write_text("<p>" + "word " * words)
    out = tmp_path / "out"
    run = victor(*ALL, "-c", tmp_path / "mine.yaml", "-j", jobs, "-o", out, tmp_path / "in")
    assert run.status == 1
    assert sorted(path.stem for path in out.iterdir()) == ["a", "c", "d"]
    assert "raise limits.output" in run.err
    assert run.err.splitlines()[-1] == "victor: 1 of 4 pages failed: too-much-output 1"


def test_limits_of_a_configuration_of_sentences_hold(victor, tmp_path):
    (tmp_path / "mine.yaml").write_text("base: kitten\nlimits: {bytes: 10}\n")
    run = victor(*ALL, "-c", tmp_path / "mine.yaml", stdin=LISTS)
    assert run.status == 1
    assert "too-many-bytes" in run.err


def test_rules_of_sentences_hold_for_a_model(clean):
    page = PAGE.replace(b"<p>", b"<p>Bees, <abbr title='and so on'>etc.</abbr> ")
    assert "(and so on)" in clean("-f", "sentences", stdin=page).out
    off = "sentences.expand_abbreviations=false"
    assert "(and so on)" not in clean("-f", "sentences", "-s", off, stdin=page).out


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_log_of_sentences_is_in_the_order_of_the_pages(victor, tmp_path, jobs):
    pages = [tmp_path / f"{n}.html" for n in range(5)]
    for page in pages:
        page.write_bytes(LISTS)
    run = victor(*ALL, "--log", tmp_path / "log", "-j", jobs, *pages)
    assert (run.status, run.err) == (0, "victor: 5 texts dropped: link-item 5\n")
    rows = [json.loads(line) for line in (tmp_path / "log").read_text("utf-8").splitlines()]
    assert [row["page"] for row in rows] == [str(page) for page in pages]
    assert {(row["rule"], row["text"], row["words"]) for row in rows} == {("link-item", "Home", 1)}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["-s", "lists.flatten=false"], "--set is for the rules of -f sentences"),
        (["--log", "log"], "--log is for the rules of -f sentences"),
        (["-f", "sentences", "-s", "lists.flaten=false"], "did you mean lists_flatten?"),
        (["-f", "sentences", "-s", "limits.bytes=3"], "here it takes the rules of -f sentences"),
        (["-f", "sentences", "-s", "lists"], "want KEY=VALUE"),
        (["-f", "sentences", "-c", "kimatu"], "labeler: should be 'none'"),
        (["-f", "sentences", "--log", "no-such-folder/log"], "No such file or directory"),
    ],
)
def test_wrong_calls_for_rules_of_sentences(victor, call, message):
    run = victor("clean", "-l", "none", *call, stdin=LISTS)
    assert (run.status, run.out) == (2, "")
    assert message in run.err
    assert len(run.err.splitlines()) == 1


# --- several processes ---------------------------------------------------------------------------


def test_two_processes_give_what_one_gives(clean, folder, tmp_path):
    large = tmp_path / "large.html"
    with large.open("wb") as file:
        file.truncate(20_000_001)
    pages = [large, *sorted(folder.iterdir()), "-"]
    one = clean("-f", "records", *pages, stdin=PAGE)
    two = clean("-f", "records", "-j", "2", *pages, stdin=PAGE)
    assert (one.status, one.out, one.err) == (two.status, two.out, two.err)
    assert "too-many-bytes" in two.err
    assert "Bees live in colonies" in two.out


def test_a_page_of_the_own_machine_can_be_named(clean, serve):
    """But the web does not lead there: see the tests of `victor.sources.download`."""
    html = {"Content-Type": "text/html; charset=utf-8"}
    with serve({"/": (200, html, PAGE), "/file": (200, {}, b"%PDF-1.7")}) as (server, _):
        assert clean(f"{server}/").out == clean(stdin=PAGE).out
        assert "not-html 1" in clean(f"{server}/file").err


# --- what fails ----------------------------------------------------------------------------------


def test_failed_pages_are_counted_and_the_others_are_clean(clean, folder, tmp_path):
    large = tmp_path / "large.html"
    with large.open("wb") as file:
        file.truncate(20_000_001)
    good = sorted(folder.iterdir())[0]
    run = clean(large, good, large, "http://127.0.0.1:1/")
    assert run.status == 1
    assert run.out == clean(good).out
    lines = run.err.splitlines()
    assert len(lines) == 4
    assert lines[0].startswith(f"victor: {large}: the page has more than 20000000 bytes")
    assert lines[-1] == "victor: 3 of 4 pages failed: too-many-bytes 2, unreachable 1"


def test_a_page_that_cannot_be_read(clean, monkeypatch, tmp_path):
    page = tmp_path / "page.html"
    page.write_bytes(PAGE)

    def refuse(*_):
        raise PermissionError(13, "Permission denied", str(page))

    monkeypatch.setattr("pathlib.Path.open", refuse)
    run = clean(page)
    assert run.status == 1
    assert run.err.splitlines() == [
        f"victor: {page}: cannot be read: Permission denied",
        "victor: 1 of 1 page failed: unreadable 1",
    ]


def test_a_page_that_cannot_be_rendered(clean, monkeypatch):
    def render(*_, **__):
        raise ValueError("no\nway")

    monkeypatch.setattr("victor.render.text.plain_text", render)
    run = clean(stdin=PAGE)
    assert run.status == 1
    assert run.err.splitlines() == [
        "victor: -: cannot be rendered: ValueError: no: way",
        "victor: 1 of 1 page failed: failed 1",
    ]


@pytest.mark.parametrize("command", ["clean", "normalize"])
def test_a_missing_package_is_one_error_of_the_call(victor, folder, monkeypatch, command):
    monkeypatch.setitem(sys.modules, "sentencex", None)
    run = victor(command, "-f", "sentences", folder)
    assert (run.status, run.out) == (2, "")
    assert run.err == (
        "victor: splitting sentences needs the package sentencex: pip install 'victor-crf[crawl]'\n"
    )


def test_pages_without_text_are_told_and_no_failure(clean):
    run = clean(stdin=b"<frameset><frame src=a></frameset>")
    assert (run.status, run.out) == (0, "")
    assert run.err == (
        "victor: 1 of 1 page has no clean text: frames 1 (clean the pages that its frames name)\n"
    )


# --- parts of pages ------------------------------------------------------------------------------

ARTICLE = (
    b"<title>On bees</title><h1>On bees</h1><article><p>" + b"Bees live in colonies of many. " * 20
    + b"<figure><figcaption>A hive</figcaption></figure><p>They sleep in winter.</article>"
    b"<div class=comments><p>What a nice story!</div>"
)  # fmt: skip


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ((), (True, True, True)),
        (("--scope", "main"), (True, True, True)),
        (("--scope", "article"), (True, True, False)),
        (("--scope", "article", "--comments"), (True, True, True)),
        (("--no-headline",), (False, True, True)),
        (("--scope", "full", "--no-comments"), (True, True, False)),
    ],
)
def test_options_say_which_parts_are_kept(victor, options, kept):
    run = victor("clean", "-l", "none", *options, stdin=ARTICLE)
    parts = run.out.split("\n\n")
    assert "They sleep in winter." in run.out
    texts = ("On bees", "A hive", "What a nice story!")
    assert tuple(text in run.out for text in texts) == kept, parts


def test_records_say_the_kind_of_every_block(victor):
    run = victor("clean", "-l", "none", "-f", "records", "--no-comments", stdin=ARTICLE)
    page, *rows = [json.loads(line) for line in run.out.splitlines()]
    assert page == {"blocks": 5, "words": 128, "dropped": "scope"}
    assert [row.get("kind") for row in rows] == ["headline", None, None, None, "comment"]
    assert ["label" in row for row in rows] == [*[True] * 4, False]


def test_a_scope_that_does_not_exist_is_a_wrong_call(victor):
    run = victor("clean", "--scope", "all", stdin=ARTICLE)
    assert run.status == 2
    assert "There are main, article, full, labels." in run.err


ERROR_PAGE = b"<title>404 Not Found</title><h1>Not Found</h1><p>There is no such page here."


@pytest.mark.parametrize("options", [(), ("-f", "markdown"), ("-t", "0.9")])
def test_an_error_page_gives_nothing_and_its_reason(victor, options):
    run = victor("clean", *options, stdin=ERROR_PAGE)
    assert (run.status, run.out.strip()) == (0, "")
    assert run.err.startswith("victor: 1 of 1 page has no clean text: error-page 1 (")
    assert "--every-page" in run.err
    run = victor("clean", "--every-page", *options, stdin=ERROR_PAGE)
    assert (run.status, run.err) == (0, "")
    assert "There is no such page here." in run.out


def test_an_error_page_as_json_says_so(victor):
    row = json.loads(victor("clean", "-f", "json", stdin=ERROR_PAGE).out)
    assert (row["reason"], row["text"]) == ("error-page", "")
    assert row["p_no_content"] > 0.9
    row = json.loads(victor("clean", "-f", "json", "--every-page", stdin=ERROR_PAGE).out)
    assert (row["reason"], row["p_no_content"] > 0.9) == ("ok", True)
