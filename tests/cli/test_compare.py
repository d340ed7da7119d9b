"""`victor compare`: what two models label differently, counts, exit status."""

import pytest

import victor as package
from victor.config import load
from victor.explain.compare import compare


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


@pytest.mark.slow
def test_differences_and_counts(victor, folder, small_model_file, other_model_file):
    pages = sorted(folder.iterdir())[:3]
    run = victor("compare", small_model_file, other_model_file, *pages)
    assert (run.status, run.err) == (0, "")
    lines = run.out.splitlines()
    total = 0
    for page in pages:
        results = [
            package.clean(page.read_bytes(), model=model)
            for model in (small_model_file, other_model_file)
        ]
        differences = compare(*results)
        total += len(differences)
        at = lines.index(str(page))
        for line, difference in zip(lines[at + 1 :], differences, strict=False):
            a, p, b, q, _, *text = line.split()
            assert (a, b) == difference.kind
            assert float(p) == pytest.approx(1 - difference.first.marginals["other"], abs=1e-3)
            assert float(q) == pytest.approx(1 - difference.second.marginals["other"], abs=1e-3)
            assert " ".join(text)[:20] == " ".join(difference.text.split())[:20]
    assert total > 0
    assert lines[-1] == f"{total} blocks differ on 3 pages"
    assert sum(int(line.split()[0]) for line in lines if " words: " in line) == total


@pytest.mark.slow
def test_a_model_and_itself(victor, folder, small_model_file):
    run = victor("compare", small_model_file, small_model_file, folder)
    assert (run.status, run.out) == (0, "0 blocks differ on 12 pages\n")


def test_a_labeler_is_a_system_too(victor, folder, small_model_file):
    page = sorted(folder.iterdir())[0]
    run = victor("compare", small_model_file, "none", page)
    assert (run.status, run.err) == (0, "")
    kept = [line for line in run.out.splitlines() if "other in A, text in B" in line]
    assert len(kept) == 1


def test_pages_that_fail_are_counted(victor, folder, small_model_file, other_model_file, tmp_path):
    large = tmp_path / "large.html"
    with large.open("wb") as file:
        file.truncate(20_000_001)
    good = sorted(folder.iterdir())[0]
    run = victor("compare", small_model_file, other_model_file, large, good)
    assert run.status == 1
    assert run.err.splitlines()[-1] == "victor: 1 of 2 pages failed: too-many-bytes 1"
    assert run.out.splitlines()[-1].endswith("blocks differ on 1 pages")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["default", "nowhere", "-"], "no model 'nowhere'"),
        (["default", "default", "nowhere.html"], "no file or folder"),
        (["default", "default"], "Missing argument"),
    ],
)
def test_what_is_wrong_with_a_call(victor, arguments, message):
    run = victor("compare", *arguments)
    assert run.status == 2
    assert message in run.err
