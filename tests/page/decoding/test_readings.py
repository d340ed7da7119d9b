"""Which encoding the letters of a page choose: where a label stays, where it gives way."""

import pytest
from encoding_cases import KINDRED, PROSE, encoded

from victor.page.decoding.decode import decode
from victor.page.decoding.letters import known_letters, likeliest

SHORT = {
    "ru": "Да НАТАЛЬЯ ЩУКИНА АО «ЖЁЛУДЬ»", "bg": "Не ЩЪРКЕЛ", "uk": "Є ЇЖАК ГАЛЯ",
    "el": "Ναι ΆΓΓΕΛΟΣ ΨΥΧΗ", "he": "כן לא", "ar": "نعم شيخ", "ja": "髙橋 カタカナ",
    "zh": "龚 鑫 彧", "zh-hant": "龔 鑫 彧", "ko": "예 뷁",
}  # fmt: skip
DRAWING = "┌──────┬──┐\n│ ░▒▓█ │▄▀║\n├──────┼──┤\n└──────┴──┘\n╔═╦═╗ ■■■ ▌▐ ╚═╩═╝ "
WRITTEN = [(language, name) for language, (names, _) in KINDRED.items() for name in names.split()]


@pytest.mark.parametrize(("language", "name"), WRITTEN)
def test_a_right_label_stays(language, name):
    texts = [PROSE[language], PROSE[language].upper(), *SHORT[language].split(), SHORT[language]]
    for text in texts:
        try:
            page = f"<meta charset={name}><td>".encode() + encoded(text, name)
        except UnicodeEncodeError:  # not all names can be written
            continue
        assert decode(page).text == f"<meta charset={name}><td>{text}"


@pytest.mark.parametrize("name", ["ibm866", "koi8-u", "koi8-r"])
@pytest.mark.parametrize("text", [DRAWING, DRAWING * 30, DRAWING + "Меню", "▓▒░ " * 200])
def test_drawings_are_no_letters(name, text):
    assert likeliest(encoded(text, name), name) == name


@pytest.mark.parametrize(
    ("language", "written", "label", "n_words"),
    [
        ("ru", "koi8-u", "windows-1251", 6),
        ("bg", "windows-1251", "koi8-r", 2),
        ("el", "windows-1253", "iso-8859-7", 17),
        ("el", "iso-8859-7", "windows-1253", 8),
        ("ar", "iso-8859-6", "windows-1256", 3),
    ],
)
def test_so_many_words_are_clear(language, written, label, n_words):
    def read(n):
        return likeliest(encoded(" ".join(PROSE[language].split()[:n]), written), label)

    assert (read(n_words - 1), read(n_words)) == (label, written)


def test_words_count_once():
    word = encoded("корова", "koi8-u")
    assert likeliest(b" ".join([word] * 1000), "windows-1251") == "windows-1251"


def test_what_is_of_no_known_script_stays():
    assert likeliest(encoded(PROSE["ru"], "koi8-u"), "windows-874") == "windows-874"


def test_every_language_has_its_letters_once():
    known = known_letters()
    named = {language for script in known["encodings"] for of in script.values() for language in of}
    assert named == {*known["letters"]}
    for letters in known["letters"].values():
        assert len({*letters} - {" "}) == len(letters.replace(" ", ""))
