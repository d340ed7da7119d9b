"""How the text of a block is laid out."""

import pytest

from victor.page.parsing import characters as ch


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("bee", ch.LOWER), ("Bee", ch.UPPER), ("שלום", ch.CASELESS), ("東京", ch.IDEOGRAPH),
        ("1 bee", ch.DIGIT), ("_bee", ch.OTHER_WORD), ("... bee", ch.SENTENCE_END),
        (", bee", ch.PUNCTUATION), ("© bee", ch.SYMBOL), ("  bee", ch.LOWER),
    ],
)  # fmt: skip
def test_first_character(measured, text, kind):
    assert measured("shape", f"<p>{text}")["text.first"].tolist() == [kind]


def test_lines_and_pieces(measured):
    page = "<br>a<br>b <b>c</b><br><p>d<p>e<pre>f\n\ng</pre><br>"
    values = measured("shape", page, "<br>", "<br>h<br>", split="block")
    assert values["text.lines"].tolist() == [1, 0, 0, 2, 0]
    assert values["text.segments"].tolist() == [3, 1, 1, 1, 1]


def test_line_breaks_between_blocks_are_nobodys(measured):
    assert measured("shape", "a<br>b<br>c")["text.lines"].tolist() == [0, 0, 0]
