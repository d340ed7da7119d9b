"""Characters: marks without letters, scripts without spaces, directions, controls."""

from __future__ import annotations

from typing import Final

from hostile.zoo.inputs import Group
from hostile.zoo.texts import ARTICLES, TEXT, UTF_8, page, page_text

GROUP: Final = Group("characters")

_REPEATED: Final = {
    "combining": ("\u0301", 1_000_000), "family": ("👨‍👩‍👧‍👦", 200_000), "flags": ("🇨🇿", 300_000),
    "skin": ("👍🏽", 300_000), "directions": ("\u202e\u200f", 500_000),
    "isolates": ("\u2066\u2067\u2068", 300_000), "joiners": ("\u200d\u200c", 500_000),
    "invisible": ("\u200b\u2060\ufeff", 400_000), "soft-hyphens": ("a\u00ad", 500_000),
    "tags": ("\U000e0041", 300_000), "variants": ("漢\U000e0100", 200_000),
    "private": ("\ue000\uf8ff", 400_000), "nonsense": ("\ufffe\uffff\ufdd0", 400_000),
    "last": ("\U0010fffd\U0010ffff", 300_000), "replacements": ("\ufffd", 500_000),
    "separators": ("a\u2028b\u2029c\x85", 200_000), "mathematical": ("𝒽𝑒𝓁𝓁ℴ ", 150_000),
    "full-width": ("ｈｅｌｌｏ　", 150_000), "ligatures": ("ﬁﬂﬃ ", 200_000),
    "dotted-i": ("İIıi ", 250_000), "sharp-s": ("ßẞſ ", 250_000),
    "jamo": ("\u1112\u1161\u11ab", 250_000),
    "stacked": ("Z" + "\u0335\u0353\u0301" * 20, 20_000), "zero-references": ("&#0;", 300_000),
    "half-references": ("&#xD800;&#xDFFF;", 150_000), "control-references": ("&#1;&#x1f;", 200_000),
    "windows-references": ("&#128;&#150;", 200_000), "beyond-references": ("&#x110000;", 200_000),
    "references-unclosed": ("&#8222 &amp &lt ", 150_000),
    "digits-of-all-kinds": ("٣४৫๓３ ", 150_000),
    "deletes": ("\x7f\x80\x9f", 300_000), "form-feeds": ("a\f", 400_000), "tabs": ("a\v", 400_000),
    "carriage-returns": ("a\r", 400_000), "nul": ("a\0", 400_000),
}  # fmt: skip
for _name, (_repeated, _count) in _REPEATED.items():
    GROUP.add(
        _name,
        lambda n, repeated=_repeated, count=_count: page(f"{TEXT}<p>a{repeated * n(count)}</p>"),
    )

for _name, _article in ARTICLES.items():
    _text = "".join(_article.paragraphs)
    GROUP.add(
        f"one-paragraph-of-{_name}",
        lambda n, article=_article, text=_text: page_text(
            article.markup + f"<p>{text * n(7_000)}</p>", UTF_8, article.language
        ).encode(),
        key=_article.key,
        language=_article.language,
    )
_UNSPACED: Final = {
    "chinese-stops": "。",
    "thai": "กรุงเทพมหานคร",
    "japanese": "です。",
    "khmer": "ភ្នំពេញ",
}
for _name, _repeated in _UNSPACED.items():
    GROUP.add(
        f"endless-{_name}",
        lambda n, repeated=_repeated: page(f"{TEXT}<p>{repeated * n(300_000)}</p>"),
    )
GROUP.add("long-reference", lambda n: page(f"{TEXT}<p>&#{'9' * n(3_000_000)};</p>"))
GROUP.add("long-entity", lambda n: page(f"{TEXT}<p>&{'a' * n(3_000_000)}</p>"))
GROUP.add("nul-in-tags", lambda n: page(TEXT + "<p\0 cl\0ass='a\0'>x</p\0>" * n(100_000)))
GROUP.add("lines-end-with-return", lambda n: page(TEXT * n(2_000)).replace(b"\n", b"\r"))
GROUP.add("title-turned-round", lambda n: page(TEXT, f"{UTF_8}<title>\u202egnp.exe</title>"))
GROUP.add("lone-halves", lambda n: page(f"{TEXT}<p>a{chr(0xD800) * n(300_000)}</p>"))
