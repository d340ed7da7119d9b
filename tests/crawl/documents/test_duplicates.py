"""Repeated paragraphs: exact and near ones are marked, always alike, and none goes."""

import io
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.crawl.duplicates import RepeatMarker
from victor.documents.outcome import Document, Paragraph
from victor.errors import ConfigError

LONG = (
    "Radnice včera oznámila, že se oprava mostu přes řeku protáhne nejméně do konce příštího roku."
)
NEAR = LONG.replace("roku", "léta")


def page(id, *texts):
    paragraphs = tuple(Paragraph(text, False) for text in texts)
    return Document(id, "\n\n".join(texts) + "\n", paragraphs, metadata={"kept": 1})


def marks(document):
    return [
        (m["paragraph"], m["kind"], m["first_id"], m["first_paragraph"])
        for m in document.metadata.get("repeats", ())
    ]


def run(marker, documents):
    return [marker.mark(document) for document in documents]


def test_exact_and_near_repeats_name_where_they_were_first():
    marked = run(RepeatMarker(), [
        page("a", "Titulek", LONG),
        page("b", "Jiný titulek", NEAR, "Titulek"),
        page("c", LONG.replace(" ", "\n", 1), NEAR),
    ])  # fmt: skip
    assert [marks(document) for document in marked] == [
        [],
        [(1, "near", "a", 1), (2, "exact", "a", 0)],
        [(0, "exact", "a", 1), (1, "exact", "b", 1)],
    ]


@pytest.mark.parametrize(("threshold", "is_marked"), [(58 / 64, True), (58.5 / 64, False)])
def test_a_near_repeat_has_just_the_threshold(threshold, is_marked):
    """The estimate of the two texts is 58 of 64 values."""
    marked = run(RepeatMarker(threshold=threshold), [page("a", LONG), page("b", NEAR)])
    assert marks(marked[1]) == ([(0, "near", "a", 0)] if is_marked else [])


def test_marks_change_nothing_else():
    document = page("a", LONG, LONG)
    marked = RepeatMarker().mark(document)
    assert marks(marked) == [(1, "exact", "a", 0)]
    assert replace(marked, metadata=document.metadata) == document
    assert marked.metadata["kept"] == 1
    assert RepeatMarker().mark(page("b", "x")).metadata == {"kept": 1}


def test_places_in_the_text():
    marker = RepeatMarker()
    marked = marker.mark(page("a", "jedna", "dvě", "jedna"))
    (mark,) = marked.metadata["repeats"]
    assert (mark["start"], mark["end"]) == (12, 17)
    other_form = replace(page("b", "dvě"), text="**dve**")
    (mark,) = marker.mark(other_form).metadata["repeats"]
    assert (mark["start"], mark["end"]) == (None, None)


def test_places_of_paragraphs_whose_white_space_the_text_changes():
    """A cell of two lines stands in one line of the text."""
    cells = page("a", "Cena", "roční\n  členství", "Cena", "roční\n  členství", "Sleva")
    text = "Cena\troční členství\n\n- Cena: (roční členství)\nSleva"
    marked = RepeatMarker().mark(replace(cells, text=text))
    assert [text[mark["start"] : mark["end"]] for mark in marked.metadata["repeats"]] == [
        "Cena",
        "roční členství",
    ]
    assert [mark["start"] for mark in marked.metadata["repeats"]] == [23, 30]


def test_short_or_blank_paragraphs_are_never_near():
    marker = RepeatMarker(threshold=0.1)
    run(marker, [page("a", "Sdílet tento článek na síti", " \n")])
    assert marks(marker.mark(page("b", "Sdílet tento článek na webu", "\n"))) == []


def test_what_is_forgotten_is_no_repeat_and_what_came_again_is_forgotten_last():
    documents = [page("a", "jedna"), page("b", "dvě"), page("c", "jedna"), page("d", "tři")]
    marked = run(RepeatMarker(window=2), [*documents, page("e", "jedna", "dvě")])
    assert [marks(document) for document in marked] == [
        *([], [], [(0, "exact", "a", 0)], []),
        [(0, "exact", "a", 0)],
    ]


def test_near_repeats_of_forgotten_paragraphs():
    marker = RepeatMarker(window=1)
    run(marker, [page("a", LONG), page("b", "dvě")])
    assert marks(marker.mark(page("c", NEAR))) == []


WORDS = "most řeka roku radnice oprava zima město lidé konec voda cesta dům".split()


def varied(seed, count=40):
    """Pages of paragraphs that resemble one another more or less."""
    chance = random.Random(seed)
    base = [[chance.choice(WORDS) for _ in range(chance.randint(1, 30))] for _ in range(8)]
    for number in range(count):
        texts = []
        for chosen in chance.sample(base, 3):
            words = list(chosen)
            words[chance.randrange(len(words))] = chance.choice([*WORDS, str(number)])
            texts.append(" ".join(words))
        yield page(str(number), *texts)


@settings(derandomize=True, deadline=None, max_examples=15)
@given(st.integers(0, 1000), st.integers(0, 40), st.sampled_from([1, 5, 20, 1000]))
def test_a_restored_marker_gives_the_marks_of_one_that_never_stopped(seed, at, window):
    documents = [*varied(seed)]
    undisturbed = RepeatMarker(window=window)
    expected = run(undisturbed, documents)
    first = RepeatMarker(window=window)
    first_marks = run(first, documents[:at])
    second = RepeatMarker.restored(first.state())
    assert first_marks + run(second, documents[at:]) == expected
    assert second.state() == undisturbed.state()


def test_near_is_what_the_similarity_of_shingles_says():
    """No pair of similarity below 0.6 is marked, and nearly all above 0.9 are."""
    chance = random.Random(3)
    marked = {"alike": [], "unlike": []}
    for _ in range(60):
        one = [str(chance.randrange(1000)) for _ in range(80)]
        other = list(one)
        for index in chance.sample(range(80), chance.choice([1, 2, 12, 20])):
            other[index] = "jiné"
        first, second = (
            set(zip(words, words[1:], words[2:], strict=False)) for words in (one, other)
        )
        similarity = len(first & second) / len(first | second)
        marker = RepeatMarker()
        marker.mark(page("a", " ".join(one)))
        is_marked = bool(marks(marker.mark(page("b", " ".join(other)))))
        if not 0.6 <= similarity <= 0.9:
            marked["alike" if similarity > 0.9 else "unlike"].append(is_marked)
    assert len(marked["unlike"]) > 15
    assert not any(marked["unlike"])
    assert len(marked["alike"]) > 15
    assert sum(marked["alike"]) >= 0.9 * len(marked["alike"])


def test_of_several_the_most_similar_is_named():
    """A paragraph resembles one by nine tenths, another by six; both orders, many words."""
    named = []
    for seed in range(40):
        words = [f"slovo{seed * 100 + number}" for number in range(60)]
        nearest = ["jiné", *words[3:]]
        similar = [*words[:-14], "zcela", str(seed)]
        for first, second in ((nearest, similar), (similar, nearest)):
            texts = [" ".join(each) for each in (first, second, words)]
            repeats = marks(RepeatMarker(threshold=0.55).mark(page("a", *texts)))
            if [number for number, *_ in repeats] == [2]:  # else the second repeats the first
                named.append(texts[repeats[0][3]] == " ".join(nearest))
    assert len(named) > 20
    assert all(named)


def test_lone_surrogates_and_zeros():
    assert marks(RepeatMarker().mark(page("\ud800", "\ud800 \0", "\ud800 \0"))) == [
        (1, "exact", "\ud800", 0)
    ]
    marker = RepeatMarker()
    marker.mark(page("\ud800", "x"))
    assert RepeatMarker.restored(marker.state()).state() == marker.state()


@pytest.mark.parametrize("state", [b"", b"PK\3\4", b"{}"])
def test_a_damaged_state(state):
    with pytest.raises(ConfigError, match="begin the run again"):
        RepeatMarker.restored(state)


def test_values_of_other_hash_functions_are_refused():
    marker = RepeatMarker()
    marker.mark(page("a", LONG))
    with np.load(io.BytesIO(marker.state())) as arrays:
        renamed = {name.replace("affine32", "values"): array for name, array in arrays.items()}
    assert "values" in renamed
    stream = io.BytesIO()
    np.savez(stream, **renamed)
    with pytest.raises(ConfigError, match="begin the run again"):
        RepeatMarker.restored(stream.getvalue())


@pytest.mark.parametrize("wrong", [{"threshold": 0.0}, {"threshold": 1.5}, {"window": 0}])
def test_wrong_settings(wrong):
    with pytest.raises(ConfigError, match="at least 1 paragraph"):
        RepeatMarker(**wrong)
