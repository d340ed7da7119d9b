"""Pages whose byte order mark, HTTP header, `meta` elements and bytes agree or contradict.

Every row says what Chromium makes of the page and what Victor does; where the two differ, why.
"""

from typing import NamedTuple

CS = "Příliš žluťoučký kůň úpěl ďábelské ódy. Šťastná žába Žofie."
RU = "Съешь ещё этих мягких французских булок, да выпей же чаю."
JA = "今日はとても天気がいいので、友だちと公園へ散歩に行きました。①㈱髙"
ZH = "今天天气很好，我们一起去公园散步，看到很多人在湖边唱歌跳舞。"
TW = "今天天氣很好，我們一起去公園散步，看到很多人在湖邊唱歌跳舞。安妮‧法蘭克"
KO = "오늘은 날씨가 아주 좋아서 친구들과 함께 공원에 산책하러 갔습니다. 똠방각하"
FR = "Voix ambiguë d’un cœur qui, au zéphyr, préfère les jattes de kiwis. Là-bas, l’élève a mangé."
SAMPLES = {
    "big5": TW,
    "euc-jp": JA,
    "euc-kr": KO,
    "gb18030": ZH + "𠀀€",
    "gbk": ZH + "€",
    "ibm866": RU,
    "iso-2022-jp": JA[:-3],
    "iso-8859-10": "Þú ert góður, kæri vinur; ŋ đ š ž ŧ: Sámi giella, čáppa mánnu, okŋa.",
    "iso-8859-13": "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą. Ėjo.",
    "iso-8859-14": "Ŵy ddŷ, tŷ a dŵr; ḃ ċ ḋ ḟ ġ ṁ ṗ ṡ ṫ: an ḃfuil tú ag dul aḃaile inniu?",
    "iso-8859-15": "Voix ambiguë d'un cœur qui, au zéphyr, préfère les jattes, 5 €. L'œuf.",
    "iso-8859-16": "Muzicologă în bej vând whisky și tequila, preț fix. Țară și știință, încă.",
    "iso-8859-2": CS,
    "iso-8859-3": "Eĥoŝanĝo ĉiuĵaŭde. Laŭ Ludoviko Zamenhof bongustas freŝa ĉeĥa manĝaĵo.",
    "iso-8859-4": "Jūs ēdat ļoti daudz ķiršu; šķērsiela, ģimene, ņemt, ŗ, ž, č un ī.",
    "iso-8859-5": RU,
    "iso-8859-6": "صباح الخير يا صديقي، كيف حالك اليوم؟ نحن ذاهبون إلى الحديقة.",
    "iso-8859-7": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Καλημέρα σας, τι κάνετε σήμερα;",
    "iso-8859-8": "דג סקרן שט בים מאוכזב ולפתע מצא חברה. שלום לכולם וברוכים הבאים.",
    "iso-8859-8-i": "דג סקרן שט בים מאוכזב ולפתע מצא חברה. שלום לכולם וברוכים הבאים.",
    "koi8-r": RU,
    "koi8-u": "Я хотів би їсти ґречані галушки щодня, їй-богу. Ўсё добра",
    "macintosh": "Voix ambiguë d’un cœur qui, au zéphyr, préfère les jattes de kiwis. ∞ ≠ π",
    "shift_jis": JA,
    "utf-8": CS,
    "windows-1250": CS,
    "windows-1251": RU,
    "windows-1252": FR,
    "windows-1253": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Καλημέρα σας, τι κάνετε σήμερα;",
    "windows-1254": "Pijamalı hasta yağız şoföre çabucak güvendi. İğne, ışık, çiğ süt, şeker.",
    "windows-1255": "דג סקרן שט בים מאוכזב ולפתע מצא חברה. שָׁלוֹם לכולם",
    "windows-1256": "صباح الخير يا صديقي، كيف حالك اليوم؟ نحن ذاهبون إلى الحديقة. پچگ",
    "windows-1257": "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą. Ėjo.",
    "windows-1258": "Tiêng Viêt: tôi đang hoc, ban ăn côm chua? Đây là nhà tôi ơ Hà Nôi, ư. 5 ₫",
    "windows-874": "สวัสดีครับ วันนี้อากาศดีมาก เราไปเดินเล่นที่สวนสาธารณะกันเถอะ “ดี”",
    "x-mac-cyrillic": RU,
}
"""By the name that the Encoding Standard has for the encoding."""
PYTHON = {
    "big5": "cp950",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "iso-8859-8-i": "iso8859-8",
    "macintosh": "mac_roman",
    "shift_jis": "cp932",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
}


def encoded(text, encoding):
    """Text as pages of an encoding have it, with the signs that Python's codec lacks."""
    if encoding == "koi8-u":
        return text.replace("Ў", "╬").encode("koi8-u")
    if encoding == "gbk":
        return text.replace("€", "\x80").encode("latin-1") if text == "€" else b"".join(
            b"\x80" if c == "€" else c.encode("gb18030") for c in text
        )  # fmt: skip
    if encoding == "euc-jp":
        return b"".join(_euc_jp(c) for c in text)
    return text.encode(PYTHON.get(encoding, encoding))


def _euc_jp(character):
    """The rows of NEC and IBM lie elsewhere in code page 932, in the order of the standard."""
    special = {"①": b"\xad\xa1", "㈱": b"\xad\xea", "髙": b"\xfc\xe2"}
    return special.get(character) or character.encode("euc_jp")


class Case(NamedTuple):
    """A page and what becomes of it.

    Attributes:
        name: what is special about it.
        header: `charset` of the HTTP header, or None.
        page: the bytes.
        text: what stands in its only paragraph.
        encoding: what Victor finds; it reads the text right in every row.
        browser: what Chromium finds; None where it guesses by means of its own.
        why: the reason for another result; then Chromium shows something else than the text, or
            nothing that can be compared.
    """

    name: str
    header: str | None
    page: bytes
    text: str
    encoding: str
    browser: str | None
    why: str


BYTES = "the bytes are plainly something else"
GUESS = "not declared: both guess"
BEYOND = "no label of the standard, or one that browsers do not decode"


def case(
    name, head="", *, header=None, bom=b"", written="windows-1251", text=RU, encoding=None,
    browser="", why="",
):  # fmt: skip
    """A row; the head is ASCII and written in the encoding too."""
    if written in PYTHON or written in SAMPLES:
        markup = f"{head}<p>".encode() + encoded(text, written) + b"</p>"
    else:
        markup = f"{head}<p>{text}</p>".encode(written)
    encoding = encoding or written
    browser = encoding if browser == "" else browser
    return Case(name, header, bom + markup, text, encoding, browser, why)


DECLARED = [
    case(f"{how} {name}", head, header=header, written=name, text=text,
         encoding=name, browser=name)
    for name, text in SAMPLES.items()
    for how, head, header in (("meta", f'<meta charset="{name}">', None), ("header", "", name))
]  # fmt: skip

U8, U16LE, U16BE = b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"
HTML = "<!DOCTYPE html><html><body>"
HERE, THERE = "<meta charset=windows-1251>", "<meta charset=koi8-r>"
MARKS = [
    case("UTF-8 mark", bom=U8, written="utf-8"),
    case("UTF-8 mark, other header", bom=U8, written="utf-8", header="windows-1251"),
    case("UTF-8 mark, other meta", THERE, bom=U8, written="utf-8"),
    case("UTF-16LE mark", bom=U16LE, written="utf-16le"),
    case("UTF-16BE mark", bom=U16BE, written="utf-16be"),
    case("UTF-16LE mark, header UTF-8", bom=U16LE, written="utf-16le", header="utf-8"),
    case("UTF-16LE mark, header UTF-16BE", bom=U16LE, written="utf-16le", header="utf-16be"),
    case("UTF-16BE mark, header UTF-16", bom=U16BE, written="utf-16be", header="utf-16"),
    case("UTF-16BE mark, meta", THERE, bom=U16BE, written="utf-16be"),
    case("UTF-32LE mark", HTML, bom=b"\xff\xfe\0\0", written="utf-32le", browser="utf-16le",
         why=BYTES),
    case("UTF-32BE mark", HTML, bom=b"\0\0\xfe\xff", written="utf-32be", browser=None, why=BYTES),
    case("UTF-8 mark, legacy bytes", HERE, bom=U8, browser="utf-8", why=BYTES),
    case("UTF-8 mark, UTF-16LE bytes", HTML, bom=U8, written="utf-16le", browser="utf-8",
         why=BYTES),
    case("UTF-8 mark, UTF-16BE bytes", HTML, bom=U8, written="utf-16be", browser="utf-8",
         why=BYTES),
    case("UTF-8 mark, UTF-16LE mark", HTML, bom=U8 + U16LE, written="utf-16le", browser="utf-8",
         why=BYTES),
    case("UTF-16LE mark, UTF-8 bytes", HTML, bom=U16LE, written="utf-8", browser="utf-16le",
         why=BYTES),
    case("UTF-16BE mark, UTF-8 bytes", HTML, bom=U16BE, written="utf-8", browser="utf-16be",
         why=BYTES),
    case("UTF-16LE mark, legacy bytes", HTML + HERE, bom=U16LE, browser="utf-16le", why=BYTES),
    case("UTF-16LE without mark", HTML, written="utf-16le", browser=None, why=GUESS),
    case("UTF-16BE without mark", HTML, written="utf-16be", browser=None, why=GUESS),
    case("UTF-8 mark behind a space", " \ufeff", written="utf-8", header="utf-8"),
]  # fmt: skip
HEADERS = [
    case("header in capitals", header="Windows-1251"),
    case("header in quotes", header='"windows-1251"'),
    case("header with spaces", header=" windows-1251 "),
    case("header beats meta", THERE, header="windows-1251"),
    case("header beats another meta", HERE, header="koi8-r", written="koi8-r"),
    case("header beats XML", '<?xml version="1.0" encoding="koi8-r"?>', header="windows-1251"),
    case("unknown header, meta", HERE, header="bogus"),
    case("empty header, meta", HERE, header=""),
    case("UTF-7 is no label", HERE, header="utf-7"),
    case("UTF-32 is no label", HERE, header="utf-32"),
    case("header UTF-16 is little-endian", header="utf-16", written="utf-16le"),
    case("header UTF-16, legacy bytes", HERE, header="utf-16", browser="utf-16le", why=BYTES),
    case("header UTF-16, UTF-8 bytes", header="utf-16", written="utf-8", browser="utf-16le",
         why=BYTES),
    case("header UTF-8, legacy bytes", header="utf-8", browser="utf-8", why=BYTES),
    case("header UTF-8, meta and bytes legacy", HERE, header="utf-8", browser="utf-8", why=BYTES),
    case("header legacy, UTF-8 bytes", header="windows-1251", written="utf-8",
         browser="windows-1251", why=BYTES),
    case("header of another Central Europe", header="iso-8859-2", written="windows-1250", text=CS,
         browser="iso-8859-2", why=BYTES),
    case("header Latin, Cyrillic bytes", header="iso-8859-1", browser="windows-1252", why=BYTES),
    case("header of another script, Latin bytes", header="gbk", written="windows-1250", text=CS,
         browser="gbk", why=BYTES),
    case("header Latin-1 is windows-1252", header="iso-8859-1", written="windows-1252", text=FR),
    case("header ASCII is windows-1252", header="us-ascii", written="windows-1252", text=FR),
    case("header Latin-5 is windows-1254", header="iso-8859-9", written="windows-1254",
         text=SAMPLES["windows-1254"]),
    case("header GB 2312 is GBK", header="gb2312", written="gbk", text=ZH + "镕"),
    case("header KS C 5601 is code page 949", header="ks_c_5601-1987", written="euc-kr", text=KO),
    case("header TIS-620 is windows-874", header="tis-620", written="windows-874",
         text=SAMPLES["windows-874"]),
    case("header HZ", header="hz-gb-2312", written="hz", text=ZH, encoding="hz-gb-2312",
         browser="replacement", why=BEYOND),
    case("header ISO-2022-KR", header="iso-2022-kr", written="iso2022_kr", text=KO[:30],
         encoding="iso-2022-kr", browser="replacement", why=BEYOND),
    case("header of code page 852", header="cp852", written="cp852", text=CS, browser=None,
         why=BEYOND),
]  # fmt: skip


def content(value, pragma="Content-Type"):
    """A `meta` element of the old form."""
    return f'<meta http-equiv="{pragma}" content="{value}">'


FILL = "<!-- " + "x" * 1100 + " -->"
METAS = [
    case("no quotes", "<meta charset=windows-1251>"),
    case("single quotes", "<meta charset='windows-1251'>"),
    case("capitals", "<META CHARSET=WINDOWS-1251>"),
    case("spaces around the sign", "<meta charset = \n 'windows-1251' >"),
    case("spaces in the value", '<meta charset=" windows-1251\t">'),
    case("slash before", "<meta/charset=windows-1251 >"),
    case("slash at the end of a bare value", "<meta charset=windows-1251/>", browser=None,
         why=GUESS),
    case("slash behind quotes", "<meta charset='windows-1251'/>"),
    case("other attributes", "<meta id=x charset=windows-1251 class='y'>"),
    case("a quotation mark in between", '<meta content="a>b" charset=windows-1251>'),
    case("the first of two attributes", "<meta charset=windows-1251 charset=koi8-r>",
         browser="koi8-r", why="the standard takes the first, Chromium the last"),
    case("the first of two elements", HERE + THERE),
    case("unknown, then known", "<meta charset=bogus>" + HERE),
    case("empty, then known", "<meta charset=''>" + HERE),
    case("bare attribute, then known", "<meta charset>" + HERE),
    case("old form", content("text/html; charset=windows-1251")),
    case("old form, attributes turned round",
         '<meta content="text/html; charset=windows-1251" http-equiv=content-type>'),
    case("old form, capitals", content("TEXT/HTML; CHARSET=WINDOWS-1251", "CONTENT-TYPE")),
    case("old form, spaces", content("text/html;charset  =\n windows-1251")),
    case("old form, inner quotes", content("text/html; charset='windows-1251'")),
    case("old form, more behind", content("text/html; charset=windows-1251; x=y")),
    case("old form, no media type", content("charset=windows-1251")),
    case("old form, the word twice", content("charset charset=windows-1251")),
    case("old form, a comma", content("text/html, charset=windows-1251")),
    case("old form, quotation mark without end", content("charset='koi8-r") + HERE),
    case("old form without pragma", '<meta content="text/html; charset=koi8-r">' + HERE),
    case("old form with a name", '<meta name=x content="text/html; charset=koi8-r">' + HERE),
    case("old form of another pragma", content("text/html; charset=koi8-r", "refresh") + HERE),
    case("both forms in one element, the new one first",
         '<meta charset=windows-1251 http-equiv=content-type content="a; charset=koi8-r">'),
    case("UTF-16 in meta is UTF-8", "<meta charset=utf-16>", written="utf-8"),
    case("UTF-16BE in meta is UTF-8", "<meta charset=utf-16be>", written="utf-8"),
    case("x-user-defined in meta is windows-1252", "<meta charset=x-user-defined>",
         written="windows-1252", text=FR),
    case("in a comment", f"<!-- {THERE} -->" + HERE),
    case("behind the shortest comment", "<!-->" + HERE + "<!-- -->"),
    case("behind the second shortest comment", "<!--->" + HERE + "<!-- -->"),
    case("comment with dashes", f"<!-- a -- > {THERE} --->" + HERE),
    case("in a script", f"<script>'{THERE}'</script>" + HERE),
    case("in a style", f"<style>{THERE}</style>" + HERE),
    case("in a title", f"<title>{THERE}</title>" + HERE),
    case("in an attribute", f"<html title='{THERE}'>" + HERE),
    case("in an instruction", f"<?x {THERE}?>" + HERE),
    case("in a document type", f'<!doctype html "{THERE}">' + HERE),
    case("in an end tag", "</meta charset=koi8-r>" + HERE),
    case("an element with a longer name", "<metal charset=koi8-r>" + HERE),
    case("behind the beginning of the body", "<body><p>a</p>" + HERE),
    case("XML declaration alone", '<?xml version="1.0" encoding="windows-1251"?>'),
    case("XML declaration in single quotes", "<?xml version='1.0' encoding='windows-1251' ?>"),
    case("behind 1,024 bytes, in the head", "<head>" + FILL + HERE),
    case("across 1,024 bytes", "<head>" + "<!--" + "x" * 995 + "-->" + HERE),
    case("behind 5,000 bytes, in the head", "<head>" + FILL * 5 + HERE + "</head>"),
    case("behind 1,024 bytes, in the body", "<head></head><body>" + FILL + "<p>a</p>" + HERE,
         browser=None, why=GUESS),
    case("behind 1,024 bytes and a script", f"<head>{FILL}<script>'{THERE}'</script>" + HERE),
    case("meta legacy, UTF-8 bytes", HERE, written="utf-8", browser="windows-1251", why=BYTES),
    case("meta UTF-8, legacy bytes", "<meta charset=utf-8>", browser="utf-8", why=BYTES),
    case("meta Latin, Cyrillic bytes", "<meta charset=iso-8859-1>", browser="windows-1252",
         why=BYTES),
    case("meta of another Central Europe", "<meta charset=iso-8859-2>", written="windows-1250",
         text=CS, browser="iso-8859-2", why=BYTES),
]  # fmt: skip
GUESSED = [
    case(f"nothing, {name}", written=name, text=SAMPLES[name] * 3, encoding=found, browser=None,
         why=GUESS)
    for name, found in (
        ("utf-8", "utf-8"), ("windows-1250", "windows-1250"), ("iso-8859-2", "iso-8859-2"),
        ("windows-1251", "windows-1251"), ("shift_jis", "shift_jis"), ("euc-kr", "euc-kr"),
        ("windows-1252", "windows-1252"), ("iso-2022-jp", "iso-2022-jp"),
    )
]  # fmt: skip
PROSE = {
    "ru": "Осенью старый паромщик чинил лодку у самой воды, и дети приносили ему доски. Он сказал, "
    "что река каждый год меняет берега, а люди этого почти не замечают.",
    "bg": "Пролетта градинарят засажда лози край стената, полива два пъти на ден и записва в една "
    "тетрадка всяка слана. Съседите му се смеят, но всички идват за разсад.",
    "uk": "Восени поромник лагодив човен біля самої води, і діти приносили йому дошки. Він казав, "
    "що річка щороку змінює береги, а їхні господарі цього майже не помічають.",
    "el": "Άνθρωποι από το χωριό έλεγαν ότι ο Άγγελος είδε το πλοίο. Άλλοι πάλι δεν τον πίστεψαν. "
    "Άραγε ποιος έχει δίκιο; Άδικα περίμεναν στο λιμάνι, Άνοιξη και χειμώνα.",
    "he": "בַּסְּתָו תיקן השייט הזקן את סִירָתוֹ על שפת הַנָּהָר, והילדים הביאו לו קרשים.",
    "ar": "كان الصياد العجوز يصلح قاربه قرب الماء، وكان الأطفال يحملون إليه الألواح. قال إن النهر "
    "يغير ضفافه كل عام والناس لا يلاحظون ذلك.",
    "ja": "秋になると、古い渡し船の船頭は川のそばで舟を直していた。子どもたちは板を運んできて、"
    "夕方まで話を聞いた。川は毎年少しずつ形を変えるが、人はほとんど気がつかない。",
    "zh": "秋天的时候，老船夫在河边修他的船，孩子们给他送来木板。他说这条河每年都会改变河岸，"
    "可是住在这里的人几乎没有发现。",
    "zh-hant": "秋天的時候，老船夫在河邊修他的船，孩子們給他送來木板。他說這條河每年都會改變河岸，"
    "可是住在這裡的人幾乎沒有發現。",
    "ko": "가을이 되면 늙은 뱃사공은 강가에서 배를 고쳤고 아이들은 그에게 판자를 가져다주었다. "
    "그는 강이 해마다 모양을 바꾸지만 사람들은 거의 알지 못한다고 말했다.",
}  # fmt: skip
_CYRILLIC = "windows-1251 koi8-u iso-8859-5 ibm866 x-mac-cyrillic"
_EAST_ASIAN = "shift_jis euc-jp iso-2022-jp gbk big5 euc-kr"
KINDRED = {
    "ru": (_CYRILLIC, _CYRILLIC),
    "bg": (_CYRILLIC, _CYRILLIC),
    "uk": ("windows-1251 koi8-u x-mac-cyrillic", f"koi8-r {_CYRILLIC}"),
    "el": ("windows-1253 iso-8859-7", "windows-1253 iso-8859-7"),
    "he": ("windows-1255", "iso-8859-8 iso-8859-8-i"),
    "ar": ("windows-1256 iso-8859-6", "windows-1256 iso-8859-6"),
    "ja": ("shift_jis euc-jp iso-2022-jp", _EAST_ASIAN),
    "zh": ("gbk", "shift_jis euc-jp big5 euc-kr"),
    "zh-hant": ("big5", _EAST_ASIAN),
    "ko": ("euc-kr", _EAST_ASIAN),
}
"""Of each prose the encodings that it is written in, and their labels and those of their kin."""
MISLABELLED = [
    case(f"{language} in {name} labelled {label}", f"<meta charset={label}>", written=name,
         text=PROSE[language], browser=label, why=BYTES)
    for language, (names, labels) in KINDRED.items()
    for name in names.split()
    for label in labels.split()
    if label != name
]  # fmt: skip
CASES = [*DECLARED, *MARKS, *HEADERS, *METAS, *GUESSED, *MISLABELLED]
