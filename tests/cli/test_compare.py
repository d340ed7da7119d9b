"""`victor compare`: what two models label differently, counts, exit status."""

import json
import re

import pytest
from msgspec import to_builtins

import victor as package
from victor.config.layers import load
from victor.explain.compare import compare


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    """80 columns and the usual kind, wherever the tests run."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture(scope="session")
def other_model_file(annotated, tmp_path_factory):
    """A model of few features that cuts at every tag."""
    from victor.model.extractor import FeatureExtractor
    from victor.training.dataset import analyze
    from victor.training.training import train

    settings = ["split=tag", "crf.max_iterations=5", "template=[{column: word.count}]"]
    extractor = FeatureExtractor(load("crf", settings))
    path = tmp_path_factory.mktemp("model") / "other.victor"
    train(analyze(annotated[:6], extractor), extractor).save(path)
    return path


def plain(side):
    return {**to_builtins(side), "blocks": [*side.blocks]}


def differences_of(page, *models):
    return compare(*(package.clean(page.read_bytes(), model=model) for model in models))


def test_differences_and_counts(victor, folder, small_model_file, other_model_file):
    models = small_model_file, other_model_file
    found = {page: differences_of(page, *models) for page in sorted(folder.iterdir())[:3]}
    run = victor("compare", *models, *found)
    assert (run.status, run.err) == (0, "")
    lines = run.out.splitlines()
    assert max(map(len, lines)) <= 80
    head = "".join(run.out.partition("\n\n")[0].split())
    assert head.startswith(f"Aismodel{small_model_file},Bismodel{other_model_file}.")
    rows = [line.split() for line in lines if re.match(r" *\d[\d-]*  \w+ +\d\.\d", line)]
    differences = [difference for of_page in found.values() for difference in of_page]
    for (_, a, p, b, q, *text), difference in zip(rows, differences, strict=True):
        assert (a, b) == difference.kind
        assert float(p) == pytest.approx(1 - difference.first.probabilities["other"], abs=1e-3)
        assert float(q) == pytest.approx(1 - difference.second.probabilities["other"], abs=1e-3)
        assert " ".join(text)[:20] == difference.text[:20]
    assert lines[-1] == f"{len(differences)} blocks differ on 3 pages"
    counts = re.findall(r"^(\d+) blocks?, \d+ words?: ", run.out, re.MULTILINE)
    assert sum(map(int, counts)) == len(differences) > 0


def test_lines_of_json(victor, folder, small_model_file, other_model_file):
    page = sorted(folder.iterdir())[0]
    run = victor("compare", "-f", "json", small_model_file, other_model_file, page)
    *lines, counts = [json.loads(line) for line in run.out.splitlines()]
    differences = differences_of(page, small_model_file, other_model_file)
    systems = {"A": f"model {small_model_file}", "B": f"model {other_model_file}"}
    about = {"type": "difference", "page": str(page), "systems": systems}
    assert lines == [
        {**about, "text": each.text, "A": plain(each.first), "B": plain(each.second)}
        for each in differences
    ]
    assert (counts["type"], counts["systems"]) == ("counts", systems)
    assert (counts["pages"], counts["differences"]) == (1, len(differences))
    kinds = {(kind["A"], kind["B"]): kind for kind in counts["kinds"]}
    for kind in {difference.kind for difference in differences}:
        words = [len(d.text.split()) for d in differences if d.kind == kind]
        assert (kinds[kind]["differences"], kinds[kind]["words"]) == (len(words), sum(words))


def test_pages_that_fail_are_counted(victor, folder, small_model_file, other_model_file, tmp_path):
    large = tmp_path / "large.html"
    with large.open("wb") as file:
        file.truncate(20_000_001)
    good = sorted(folder.iterdir())[0]
    run = victor("compare", small_model_file, other_model_file, large, good)
    assert run.status == 1
    assert run.err.splitlines()[-1] == "victor: 1 of 2 pages failed: too-many-bytes 1"
    assert run.out.splitlines()[-1].endswith("on 1 page")
