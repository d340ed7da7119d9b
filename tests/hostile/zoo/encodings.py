"""Pages in many encodings: declared, undeclared, contradicted and damaged.

`Input.encoding` is what a browser reads (Encoding Standard: byte order mark, then HTTP, then the
page's own declaration); it is None where it guesses, or where the declaration lies.
"""

from __future__ import annotations

from typing import Final

from hostile.zoo.inputs import ANY, Group
from hostile.zoo.texts import ARTICLES, CZECH, ENGLISH, JAPANESE, KEY, RUSSIAN, Article, page_text

GROUP: Final = Group("encodings")

_DECLARED: Final = (
    "czech windows-1250 cp1250", "czech iso-8859-2 iso-8859-2", "polish iso-8859-2 iso-8859-2",
    "polish windows-1250 cp1250", "german iso-8859-1 cp1252", "german windows-1252 cp1252",
    "french iso-8859-15 iso-8859-15", "french macintosh mac-roman", "turkish windows-1254 cp1254",
    "turkish iso-8859-9 cp1254", "greek windows-1253 cp1253", "greek iso-8859-7 iso-8859-7",
    "russian windows-1251 cp1251", "russian koi8-r koi8-r", "russian iso-8859-5 iso-8859-5",
    "russian ibm866 cp866", "russian x-mac-cyrillic mac-cyrillic", "japanese shift_jis cp932",
    "japanese x-sjis cp932", "japanese euc-jp euc-jp", "japanese iso-2022-jp iso2022-jp",
    "chinese gb2312 gbk", "chinese gbk gbk", "chinese gb18030 gb18030", "taiwanese big5 big5",
    "korean euc-kr euc-kr", "korean ks_c_5601-1987 cp949", "arabic windows-1256 cp1256",
    "arabic iso-8859-6 iso-8859-6", "hebrew windows-1255 cp1255", "hebrew iso-8859-8 iso-8859-8",
    "thai tis-620 cp874", "thai windows-874 cp874", "vietnamese windows-1258 utf-8",
)  # fmt: skip
"""Article, label, and Python's name of what a browser takes the label for."""


def _meta(label: str) -> str:
    return f'<meta charset="{label}">'


def _encoded(article: Article, head: str, encoding: str) -> bytes:
    """A page in an encoding; what it cannot write becomes references."""
    text = page_text(article.markup * 3, head, article.language)
    return text.encode(encoding, "xmlcharrefreplace")


def _add(name: str, article: Article, head: str, written: str, **more: object) -> None:
    more = {"key": article.key, "language": article.language, "encoding": written} | more
    GROUP.add(name, lambda n: _encoded(article, head, written), **more)


for _line in _DECLARED:
    _language, _label, _encoding = _line.split()
    if _encoding != "utf-8":
        _add(f"{_language}-{_label}", ARTICLES[_language], _meta(_label), _encoding)
for _language, _article in ARTICLES.items():
    _add(f"{_language}-utf-8", _article, "", "utf-8")

# --- where a declaration may stand ---------------------------------------------------------------

_1250: Final = "windows-1250"
_PLACES: Final = {
    "http-equiv": '<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">',
    "http-equiv-reversed": "<meta content=';charset=windows-1250' http-equiv=content-type>",
    "unquoted": "<META CHARSET=Windows-1250 >",
    "single-quotes": "<meta  charset = 'cp1250' />",
    "synonym": '<meta charset="x-cp1250">',
    "behind-a-comment": '<!-- <meta charset="koi8-r"> --><meta charset="windows-1250">',
    "behind-a-script": "<script>'<meta>'</script><meta charset=windows-1250>",
    "first-of-two": '<meta charset="windows-1250"><meta charset="koi8-r">',
    "behind-4-kb": f'<link rel=x href="{"y" * 4_000}"><meta charset="windows-1250">',
    "behind-a-comment-of-5-kb": f'<!--{"x" * 5_000}--><meta charset="windows-1250">',
    "behind-an-attribute": '<meta name="a" content="charset=koi8-r"><meta charset="windows-1250">',
}
for _name, _head in _PLACES.items():
    _add(f"declared-{_name}", CZECH, _head, _1250)
GROUP.add(
    "declared-in-xml",
    lambda n: (
        b'<?xml version="1.0" encoding="windows-1250"?>\n' + _encoded(CZECH, "", _1250)
    ),
    key=CZECH.key, encoding=_1250, language="cs",
)  # fmt: skip
_add("declared-by-server", CZECH, "", _1250, charset="windows-1250")
_add("server-before-page", RUSSIAN, _meta("koi8-r"), "cp1251", charset="windows-1251")
_add("server-before-page-in-utf-8", CZECH, _meta("iso-8859-1"), "utf-8", charset="utf-8")

# --- marks ---------------------------------------------------------------------------------------

_MARKS: Final = {
    "utf-8": ("utf-8", b"\xef\xbb\xbf"),
    "utf-16-le": ("utf-16-le", b"\xff\xfe"),
    "utf-16-be": ("utf-16-be", b"\xfe\xff"),
}
for _name, (_encoding, _mark) in _MARKS.items():
    for _label in ("", "windows-1250", "utf-8", "utf-16"):
        GROUP.add(
            f"marked-{_name}-declared-{_label or 'not'}",
            lambda n, mark=_mark, encoding=_encoding, label=_label: (
                mark + _encoded(CZECH, _meta(label) if label else "", encoding)
            ),
            key=CZECH.key, encoding=_encoding, language="cs",
        )  # fmt: skip
GROUP.add(
    "marked-utf-16-odd-length",
    lambda n: b"\xff\xfe" + _encoded(CZECH, "", "utf-16-le")[:-1],
    key=CZECH.key, encoding="utf-16-le", language="cs",
)  # fmt: skip
GROUP.add(
    "marked-by-server-otherwise",
    lambda n: b"\xef\xbb\xbf" + _encoded(CZECH, "", "utf-8"),
    key=CZECH.key, charset="windows-1250", language="cs",
)  # fmt: skip
GROUP.add(
    "marked-twice",
    lambda n: b"\xef\xbb\xbf" * 2 + _encoded(CZECH, "", "utf-8"),
    key=CZECH.key, language="cs",
)  # fmt: skip

# --- valid all the same: the label speaks of another family --------------------------------------

_add("utf-8-declared-utf-16", CZECH, _meta("utf-16"), "utf-8")
_add("utf-8-declared-utf-16le", JAPANESE, _meta("utf-16le"), "utf-8")
_add("utf-8-declared-twice", JAPANESE, _meta("utf-8") * 2, "utf-8")
_add("utf-8-references", CZECH, _meta("us-ascii"), "ascii")

# --- what browsers guess or get wrong: any text, but no failure ----------------------------------

_UNDECLARED: Final = (
    "czech cp1250", "czech iso-8859-2", "czech cp852", "czech mac-latin2", "russian koi8-r",
    "russian cp1251", "japanese cp932", "japanese euc-jp", "chinese gb18030", "korean euc-kr",
    "greek cp1253", "thai cp874", "arabic cp1256", "taiwanese big5", "turkish cp1254",
)  # fmt: skip
for _line in _UNDECLARED:
    _language, _encoding = _line.split()
    _add(f"undeclared-{_language}-{_encoding}", ARTICLES[_language], "", _encoding, encoding=None)

_CONTRADICTED: Final = (
    "czech utf-8 windows-1250", "czech utf-8 iso-8859-2", "russian utf-8 koi8-r",
    "japanese utf-8 shift_jis", "czech cp1250 utf-8", "russian cp1251 koi8-r", "czech cp1250 gbk",
    "chinese gb18030 utf-8", "japanese cp932 euc-jp", "czech cp1250 utf-16", "german cp1252 utf-8",
    "czech utf-8 nonsense-42", "czech utf-8 x-user-defined", "czech utf-8 utf-7",
    "czech utf-8 replacement", "czech utf-16-le windows-1250",
)  # fmt: skip
for _line in _CONTRADICTED:
    _language, _encoding, _label = _line.split()
    _name = f"contradicted-{_language}-{_encoding}-declared-{_label}"
    _add(_name, ARTICLES[_language], _meta(_label), _encoding, encoding=None)

_OTHER_MARKS: Final = {
    "utf-32-le": ("utf-32-le", b"\xff\xfe\0\0"), "utf-32-be": ("utf-32-be", b"\0\0\xfe\xff"),
    "utf-16-before-utf-8": ("utf-8", b"\xff\xfe"),
    "utf-8-before-utf-16": ("utf-16-le", b"\xef\xbb\xbf"),
    "utf-8-before-windows-1250": ("cp1250", b"\xef\xbb\xbf"),
}  # fmt: skip
for _name, (_encoding, _mark) in _OTHER_MARKS.items():
    GROUP.add(
        f"wrong-mark-{_name}",
        lambda n, mark=_mark, encoding=_encoding: mark + _encoded(CZECH, "", encoding),
        key=CZECH.key, encoding=None, language="cs", expected=ANY,
    )  # fmt: skip
GROUP.add(
    "twice-encoded",
    lambda n: _encoded(CZECH, _meta("utf-8"), "utf-8").decode("latin-1").encode(),
    key=CZECH.key, encoding=None, language="cs",
)  # fmt: skip
GROUP.add(
    "half-and-half",
    lambda n: (
        _encoded(CZECH, _meta("utf-8"), "utf-8").replace(b"</body></html>", b"")
        + CZECH.markup.encode("cp1250")
    ),
    key=CZECH.key, language="cs",
)  # fmt: skip

# --- damage, in UTF-8 that says so ---------------------------------------------------------------

_HEAD: Final = _meta("utf-8")
_DAMAGE: Final = {
    "overlong": b"\xc0\xaf\xc1\xbf\xe0\x80\x80\xf8\x88\x80\x80\x80",
    "surrogates": b"\xed\xa0\x80\xed\xb0\x80\xed\xa0\xbd",
    "beyond-unicode": b"\xf4\x90\x80\x80\xf7\xbf\xbf\xbf",
    "cut-sequences": b"\xe2\x82 \xf0\x9f\x98 \xc5",
    "never-valid": b"\xff\xfe\xff",
    "nul": b"\0\0",
    "controls": bytes(range(1, 32)),
}
for _name, _bytes in _DAMAGE.items():
    GROUP.add(
        f"damaged-{_name}",
        lambda n, damage=_bytes: _encoded(CZECH, _HEAD, "utf-8").replace(
            b"</h1>", damage + b"</h1>"
        ),
        key=CZECH.key, language="cs",
    )  # fmt: skip

_TAILS: Final = {
    "shifts-of-iso-2022": ("utf-8", b"\x1b$B"), "shifts-of-utf-7": ("utf-7", b"+A"),
    "shifts-of-hz": ("hz-gb-2312", b"~{"), "shifts-declared": ("iso-2022-jp", b"\x1b$B\x1b(B"),
    "leads-of-shift-jis": ("shift_jis", b"\x81"), "leads-of-gb18030": ("gb18030", b"\x81\x30"),
    "leads-of-big5": ("big5", b"\xf9"), "leads-of-euc-jp": ("euc-jp", b"\x8f"),
}  # fmt: skip
for _name, (_label, _tail) in _TAILS.items():
    GROUP.add(
        f"tail-of-{_name}",
        lambda n, label=_label, tail=_tail: (
            _encoded(ENGLISH, _meta(label), "utf-8") + tail * n(500_000)
        ),
        key=KEY, encoding=None, expected=ANY,
    )  # fmt: skip
GROUP.add("high-bytes", lambda n: b"<p>" + bytes(range(128, 256)) * n(40_000), key=None)
