"""Wrong calls: one line on standard error, nothing on standard output, exit status 2."""

from pathlib import Path

import pytest

ANNOTATIONS = Path(__file__).parents[2] / "annotations"
PAGE = b"<p>Bees live in colonies."


@pytest.fixture
def places(tmp_path, small_model_file):
    """Names that the calls below are filled with."""
    page = tmp_path / "page.html"
    page.write_bytes(PAGE)
    damaged = tmp_path / "damaged.victor"
    damaged.write_bytes(small_model_file.read_bytes()[:-100])
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.yaml").write_text("split: [tag\n")
    (tmp_path / "typo.yaml").write_text("base: default\nspilt: tag\ncrf: {c3: 1}\n")
    (tmp_path / "blank.yaml").write_text("")
    bad = tmp_path / "bad-corpus"
    bad.mkdir()
    (bad / "pages.jsonl").write_text("{]\n")
    return {
        "page": page, "model": small_model_file, "damaged": damaged, "tmp": tmp_path,
        "empty": tmp_path / "empty", "bad": bad, "ours": ANNOTATIONS,
    }  # fmt: skip


CALLS = {
    "clean -m nope {page}": "no model 'nope'",
    "clean -m {damaged} {page}": "damaged",
    "clean -m {page} {page}": "is not a model file",
    "clean -m {tmp} {page}": "it is a folder",
    "clean -m {model} {tmp}/nope.html": "no file or folder",
    "clean -m {model} {empty}": "holds nothing to read",
    "clean -m {model} -t nan {page}": "should be a finite number",
    "clean -m {model} -t 0.3 --decide viterbi {page}": "leave one out",
    "clean -m {model} -o {page}/below {page}": "Not a directory",
    "clean -c crf {page}": "the model trained with it is --model crf",
    "clean -c victor2007 {page}": "victor train CORPUS --config victor2007",
    "clean -m {model} --drop svg|a {page}": "pages have no name space 'svg'",
    "crawl {page} -o {tmp}/out --keep :nope": ":nope is none of the pseudo-classes",
    "train {bad} -o {tmp}/m.victor -s scope.drop=[p::before]": "pages have no pseudo-elements",
    "train {bad} -o {tmp}/m.victor": "pages.jsonl, line 1: not JSON",
    "train {empty} -o {tmp}/m.victor": "make one with `victor align`",
    "train {bad} -o {tmp}/none/m.victor": "there is no folder",
    "train {bad} -o {tmp}/m.victor -c nope": "there is no file nope",
    "train {bad} -o {tmp}/m.victor -c {tmp}/bad.yaml": "bad.yaml: line 2, while parsing a flow",
    "train {bad} -o {tmp}/m.victor -c {tmp}/typo.yaml": "did you mean c2?; spilt: unknown key",
    "train {ours} -o {tmp}/m.victor -c {tmp}/blank.yaml": "and there is none: begin",
    "train {bad} -o {tmp}/m.victor -s crf.c2": "want KEY=VALUE",
    "train {bad} -o {tmp}/m.victor -s crf.c2=x -s spilt=tag": "did you mean split?",
    "train {bad} -o {tmp}/m.victor -s features=[spilts]": "did you mean splits?",
    "evaluate {bad}": "not JSON",
    "evaluate {empty} -m nope": "no model 'nope'",
    "evaluate {empty} -m {model} -s crf.c2=1": "leave out --set",
    "evaluate {empty} -t 0.5 --decide expected-f": "leave one out",
    "align {empty}": "--output DIR",
    "align {empty} -o {tmp}/out": "or name its layout with --format",
    "align {empty} -o {tmp}/out -f cleaneval": "no .txt files",
    "align {empty} -o {bad}": "is not empty",
    "align {bad} --check": "not JSON",
    "features": "name a page",
    "features {tmp}/nope.html": "No such file",
    "features {page} -m {damaged}": "damaged",
    "features {page} -m {model} -c default": "leave out --config and --set",
    "features --list -s spilt=tag": "did you mean split?",
    "models nope": "no model 'nope'",
    "models {damaged}": "damaged",
    "models --config": "name the model",
    "language identify {tmp}/nope.txt": "No such file",
    "language identify -p {empty} {page}": "no language profile",
    "language train cs {empty} -o {tmp}/profiles": "Is a directory",
    "language train c:s {page} -o {tmp}/profiles": "not a language code",
    "language train cs {page} -o {page}": "is a file",
}


@pytest.mark.parametrize("call", CALLS)
def test_one_line(victor, places, call):
    run = victor(*(word.format(**places) for word in call.split()))
    assert run.status == 2
    assert run.out == ""
    assert run.err.startswith("victor: ")
    assert run.err.endswith("\n")
    assert run.err.count("\n") == 1
    assert CALLS[call] in run.err


@pytest.mark.parametrize(
    "call",
    [
        "klean", "clean -f pdf {page}", "clean -t 2 {page}", "clean -j 0 {page}", "clean -o {page}",
        "train", "train {tmp}/nope -o m", "train {page} -o m", "evaluate", "evaluate {empty} -k 1",
        "align", "align {empty} -f pdf", "language train cs", "features -f arff {page}",
        "clean --colour",
    ],
)  # fmt: skip
def test_usage_errors_name_the_help(victor, places, call):
    run = victor(*(word.format(**places) for word in call.split()))
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    command = call.split()[0] if call != "klean" else ""
    assert run.err.endswith(" --help)\n")
    assert f"(see victor {command}".strip() in run.err


def test_a_group_alone_shows_its_help(victor):
    run = victor("language")
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith("Usage: victor language")


def test_no_call_wrote_anything(victor, places):
    before = sorted(places["tmp"].rglob("*"))
    for call in CALLS:
        victor(*(word.format(**places) for word in call.split()))
    after = [path for path in sorted(places["tmp"].rglob("*")) if path.name != "profiles"]
    assert after == before


def test_help_and_version(victor):
    from victor import __version__

    assert "clean" in victor("--help").out
    assert __version__ in victor("--version").out
    for command in ("align", "clean", "evaluate", "features", "language", "models", "train"):
        assert victor(command, "-h").out.startswith(f"Usage: victor {command}")
