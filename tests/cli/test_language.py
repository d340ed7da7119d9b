"""`victor language`: identify and train."""

import pytest

CZECH = "Včely žijí v koloniích a létají za květy od časného rána až do pozdního večera."
ENGLISH = "Bees live in colonies and fly to the flowers from the early morning to the evening."


@pytest.fixture
def texts(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "cs.txt").write_text(f"{CZECH}\n" * 3, encoding="utf-8")
    (folder / "en.txt").write_text(f"{ENGLISH}\n" * 3, encoding="utf-8")
    return folder


@pytest.mark.parametrize("method", ["beesley", "cavnar"])
def test_identify_names_the_likely_languages(victor, texts, method):
    run = victor(
        "language", "identify", "-m", method, "-n", "2", texts / "cs.txt", texts / "en.txt"
    )
    rows = [line.split("\t") for line in run.out.splitlines()]
    assert [row[0] for row in rows] == [str(texts / "cs.txt"), str(texts / "en.txt")]
    assert [row[1].split()[0] for row in rows] == ["cs", "en"]
    assert {len(row) for row in rows} == {3}


def test_identify_reads_standard_input(victor):
    assert victor("language", "identify", stdin=ENGLISH.encode()).out.startswith("-\ten ")
    assert victor("language", "identify", "-", stdin=b"\xff\xfe").status == 0


def test_a_trained_profile_identifies(victor, texts, tmp_path):
    profiles = tmp_path / "profiles"
    for language in ("cs", "en"):
        run = victor("language", "train", language, texts / f"{language}.txt", "-o", profiles,
                     "--source", "written for a test", "--licence", "CC0-1.0")  # fmt: skip
        assert run.status == 0
        assert run.out.strip() == str(profiles / f"{language}.json")
    run = victor("language", "identify", "-p", profiles, stdin=CZECH.encode())
    assert run.out.startswith("-\tcs ")
    assert "CC0-1.0" in (profiles / "cs.json").read_text(encoding="utf-8")
