"""The articles that hostile pages hold, in many languages, and the page around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SCRIPT_MARK: Final = "vorhangschloss"
"""A word that stands in scripts and style sheets only: nobody reads it."""


@dataclass(frozen=True, slots=True)
class Article:
    """A short article; its key is the second sentence of the second paragraph."""

    language: str
    title: str
    paragraphs: tuple[str, ...]
    key: str

    @property
    def markup(self) -> str:
        """Heading and paragraphs."""
        texts = "".join(f"<p>{paragraph}</p>\n" for paragraph in self.paragraphs)
        return f"<h1>{self.title}</h1>\n{texts}"


ENGLISH: Final = Article(
    "en",
    "The last lamplighter of Weirbridge",
    (
        (
            "Until the winter of the great flood, Weirbridge had ninety-four gas lamps and "
            "one man who lit them. His name was Tobias Fenn, and he walked eleven miles "
            "every evening with a ladder on his shoulder."
        ),
        (
            "The council had offered him a bicycle twice. He refused both times, because a "
            "ladder and a bicycle do not agree on narrow bridges. Children followed him as "
            "far as the lock, where the towpath turned dark and their mothers called them "
            "home."
        ),
        (
            "When the water came, it rose through the cellars of the mill first and then "
            "along Cooper's Row. Fenn lit every lamp that still stood above the surface, so "
            "that the boats could find the street. Forty people were taken off the roofs "
            "that night by the light he left behind."
        ),
        (
            "The lamps are electric now. One of them, the ninth from the weir, still burns "
            "gas, and each November somebody climbs a ladder to light it by hand."
        ),
    ),
    "He refused both times, because a ladder and a bicycle do not agree on narrow bridges.",
)
CZECH: Final = Article(
    "cs",
    "Poslední převozník v Úpohlavech",
    (
        (
            "Přívoz v Úpohlavech fungoval ještě v době, kdy už o kus níž stál železný most. "
            "Starý Vojtěch Říha převážel sedláky, žáky i kozy a za cestu si účtoval jedno "
            "vejce."
        ),
        (
            "Loďku si vydlabal z jediného topolu. Žádný úředník nikdy nezjistil, kolik lidí "
            "a zvířat se na ni doopravdy vejde. Když řeka zamrzla, sedával převozník u kamen "
            "a spravoval sítě pro rybáře z celého údolí."
        ),
        (
            "Jednou v předjaří odnesla ledová tříšť kůly i lano a loďka uvízla v ohybu pod "
            "kostelem. Říha ji našel až třetí den, zasypanou větvemi, ale celou. Vyprávěl "
            "pak, že šťastnější už nikdy nebyl."
        ),
    ),
    "Žádný úředník nikdy nezjistil, kolik lidí a zvířat se na ni doopravdy vejde.",
)
POLISH: Final = Article(
    "pl",
    "Zegarmistrz z ulicy Świętojańskiej",
    (
        (
            "Zakład pana Józefa mieścił się w piwnicy, do której schodziło się po dziewięciu "
            "stopniach. Światło wpadało tylko przez jedno okienko, ale zegarmistrz nie "
            "narzekał."
        ),
        (
            "Każdy zegar nastawiał według dzwonów z wieży. Mówił, że źle chodzący zegar "
            "kłamie częściej niż najgorszy sąsiad. Gdy dzwony zabrano do naprawy, przez "
            "miesiąc nikt w mieście nie był pewien godziny."
        ),
    ),
    "Mówił, że źle chodzący zegar kłamie częściej niż najgorszy sąsiad.",
)
GERMAN: Final = Article(
    "de",
    "Die Brücke der Weberinnen",
    (
        (
            "Über den Mühlbach führte früher nur ein schmaler Steg. Die Weberinnen trugen "
            "ihre Ballen bei jedem Wetter hinüber und zählten dabei laut die Bohlen."
        ),
        (
            "Im Jahr der großen Dürre beschlossen sie, selbst zu bauen. Für jeden Stein "
            "schrieben sie einen Namen in das Rechnungsbuch der Färberei. Das Buch gibt es "
            "noch, und wer über die Brücke geht, darf darin blättern."
        ),
    ),
    "Für jeden Stein schrieben sie einen Namen in das Rechnungsbuch der Färberei.",
)
FRENCH: Final = Article(
    "fr",
    "Le facteur de l’île aux Hérons",
    (
        (
            "À marée basse, le facteur traversait la baie à pied, ses chaussures nouées "
            "autour du cou. Il connaissait chaque flaque et évitait les trous où dorment les "
            "anguilles."
        ),
        (
            "Les lettres arrivaient sèches, ou presque. Un été, il a même porté une pendule "
            "entière jusqu’à l’école du phare. Depuis, l’horloge avance de trois minutes, et "
            "personne n’ose la régler."
        ),
    ),
    "Un été, il a même porté une pendule entière jusqu’à l’école du phare.",
)
TURKISH: Final = Article(
    "tr",
    "Değirmenin gölgesi",
    (
        (
            "Köyün değirmeni yıllardır çalışmıyordu, ama gölgesi hâlâ saati gösteriyordu. "
            "Çocuklar okuldan çıkınca o gölgeye bakıp eve koşardı."
        ),
        (
            "Yaşlı değirmenci kapının önünde otururdu. Rüzgâr esmediği günlerde bile "
            "kanatların döndüğünü söylerdi. Kimse ona inanmadı, ta ki ilkbaharda taşların "
            "arasından taze un dökülene kadar."
        ),
    ),
    "Rüzgâr esmediği günlerde bile kanatların döndüğünü söylerdi.",
)
GREEK: Final = Article(
    "el",
    "Ο φύλακας του φάρου",
    (
        (
            "Στο νησί έμενε μόνο ένας άνθρωπος τον χειμώνα, ο φύλακας του φάρου. Κάθε βράδυ "
            "έγραφε σε ένα τετράδιο τα πλοία που περνούσαν."
        ),
        (
            "Μια νύχτα δεν πέρασε κανένα πλοίο. Έγραψε τότε στο τετράδιο μόνο τη λέξη ησυχία "
            "και την υπογράμμισε. Το πρωί η θάλασσα ήταν άσπρη από το χιόνι."
        ),
    ),
    "Έγραψε τότε στο τετράδιο μόνο τη λέξη ησυχία και την υπογράμμισε.",
)
RUSSIAN: Final = Article(
    "ru",
    "Стрелочник с тихой станции",
    (
        (
            "На станции останавливался один поезд в сутки, и стрелочник Ефим выходил к нему "
            "с фонарём и собакой. Пассажиры махали им из окон, хотя никого из них он не знал."
        ),
        (
            "Однажды поезд опоздал на шесть часов. Ефим всё это время не гасил фонаря и "
            "рассказывал собаке про море. Моря он никогда не видел, но по гудкам умел "
            "сказать, откуда идёт состав."
        ),
    ),
    "Ефим всё это время не гасил фонаря и рассказывал собаке про море.",
)
JAPANESE: Final = Article(
    "ja",
    "峠の茶屋",
    (
        (
            "峠の茶屋には、朝いちばんに薪を割る音が響いていました。店の主人は毎日同じ時刻に湯"
            "を沸かし、旅人を待ちました。"
        ),
        (
            "雪の深い年、道は三週間も閉ざされました。それでも主人は毎朝、二人分の団子を火にか"
            "けていたそうです。春になって最初に着いた郵便屋は、黙ってその団子を食べました。"
        ),
    ),
    "それでも主人は毎朝、二人分の団子を火にかけていたそうです。",
)
CHINESE: Final = Article(
    "zh",
    "修伞的人",
    (
        (
            "老街的拐角有一个修伞的摊子，下雨的时候反而最冷清。摊主说，人们总是在晴天才想起坏"
            "了的伞。"
        ),
        (
            "他的工具箱里有三百多根旧伞骨。每一根伞骨上都刻着它原来主人的姓。后来街道改建，他"
            "把箱子送给了学校的木工教室。"
        ),
    ),
    "每一根伞骨上都刻着它原来主人的姓。",
)
TAIWANESE: Final = Article(
    "zh",
    "修鐘樓的師傅",
    (
        "鐘樓的師傅每週三爬上一百二十級石階。他說鐘聲聽起來沒有變，但是石階越來越高。",
        (
            "去年冬天他帶了一個學徒。學徒第一天就把午夜的鐘敲成了十三下。鎮上的人後來都說，那"
            "是他們睡得最好的一夜。"
        ),
    ),
    "學徒第一天就把午夜的鐘敲成了十三下。",
)
KOREAN: Final = Article(
    "ko",
    "산골 우체국",
    (
        (
            "산골 우체국에는 편지보다 감자가 더 많이 도착했습니다. 우체국장은 감자에도 꼭 "
            "소인을 찍어 주었습니다."
        ),
        (
            "눈이 많이 오던 겨울에 길이 끊겼습니다. 마을 사람들은 지붕 위에 불을 피워서 서로 "
            "소식을 전했습니다. 봄이 오자 우체국장은 그 불빛의 수를 모두 장부에 적었습니다."
        ),
    ),
    "마을 사람들은 지붕 위에 불을 피워서 서로 소식을 전했습니다.",
)
ARABIC: Final = Article(
    "ar",
    "حارس البئر",
    (
        (
            "كان في طرف القرية بئر قديمة يحرسها رجل لا يعرف أحد عمره. كان يعد الدلاء كل مساء "
            "ويكتب العدد على الحائط."
        ),
        (
            "وفي سنة الجفاف لم يتوقف عن العد. كتب على الحائط صفرا كل يوم ولم يمح ما كتبه قط. "
            "وحين نزل المطر غسل الحائط كله إلا الأصفار."
        ),
    ),
    "كتب على الحائط صفرا كل يوم ولم يمح ما كتبه قط.",
)
HEBREW: Final = Article(
    "he",
    "שען הרכבת",
    (
        "בתחנה הקטנה עבד שען אחד בלבד. הוא כיוון את השעון הגדול בכל בוקר לפי צל העמוד.",
        (
            "ביום מעונן היה מחכה עד הצהריים. איש לא התלונן כי כולם ידעו שהרכבת מאחרת ממילא. "
            "רק החתול של התחנה הגיע תמיד בזמן."
        ),
    ),
    "איש לא התלונן כי כולם ידעו שהרכבת מאחרת ממילא.",
)
THAI: Final = Article(
    "th",
    "คนพายเรือ",
    (
        "ทุกเช้าลุงสมพายเรือไปส่งเด็กที่โรงเรียนริมคลอง เด็กๆ ร้องเพลงจนถึงท่าน้ำ",
        (
            "วันหนึ่งฝนตกหนักมากจนมองไม่เห็นฝั่ง ลุงสมจึงให้เด็กทุกคนช่วยกันเคาะขอบเรือเป็นจั"
            "งหวะ ชาวบ้านได้ยินเสียงก็จุดตะเกียงไว้ตลอดคลอง"
        ),
    ),
    "ลุงสมจึงให้เด็กทุกคนช่วยกันเคาะขอบเรือเป็นจังหวะ",
)
HINDI: Final = Article(
    "hi",
    "पहाड़ी डाकघर",
    (
        ("पहाड़ी के डाकघर में केवल एक खिड़की थी। डाकिया हर शाम वहीं बैठकर बिना पते की चिट्ठियाँ पढ़ता था।"),
        (
            "गाँव के लोग उसे पागल समझते थे। पर उसने हर चिट्ठी का जवाब अपने हाथ से लिखा था। "
            "बरसों बाद एक जवाब सही घर पहुँच गया।"
        ),
    ),
    "पर उसने हर चिट्ठी का जवाब अपने हाथ से लिखा था।",
)
VIETNAMESE: Final = Article(
    "vi",
    "Người giữ đò",
    (
        (
            "Bến đò cũ chỉ còn một chiếc thuyền gỗ. Ông lái đò nhớ tên tất cả những người đã "
            "sang sông."
        ),
        (
            "Mùa lũ năm ấy nước dâng đến mái nhà. Ông buộc thuyền vào cây đa và chèo suốt ba "
            "đêm liền. Sáng ra, cả làng ngồi đầy trên cành cây mà cười."
        ),
    ),
    "Ông buộc thuyền vào cây đa và chèo suốt ba đêm liền.",
)

ARTICLES: Final[Mapping[str, Article]] = {
    "english": ENGLISH, "czech": CZECH, "polish": POLISH, "german": GERMAN, "french": FRENCH,
    "turkish": TURKISH, "greek": GREEK, "russian": RUSSIAN, "japanese": JAPANESE,
    "chinese": CHINESE, "taiwanese": TAIWANESE, "korean": KOREAN, "arabic": ARABIC,
    "hebrew": HEBREW, "thai": THAI, "hindi": HINDI, "vietnamese": VIETNAMESE,
}  # fmt: skip

KEY: Final = ENGLISH.key
TEXT: Final = ENGLISH.markup
SENTENCE: Final = ENGLISH.paragraphs[2]
UTF_8: Final = '<meta charset="utf-8">'

_MENU: Final = (
    '<nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li>'
    '<li><a href="/about">About us</a></li><li><a href="/contact">Contact</a></li></ul></nav>'
)
_SCRIPT: Final = f"<script>var hidden = '{SCRIPT_MARK}';</script><style>.{SCRIPT_MARK}{{}}</style>"
_FOOTER: Final = (
    '<footer><p>Copyright 2024 Weirbridge Herald</p><a href="/privacy">Privacy</a></footer>'
)


def page_text(body: str, head: str = UTF_8, language: str = "en") -> str:
    """A page with a menu, scripts, an article's body and a footer."""
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head>{head}<title>Weirbridge Herald</title>'
        f"{_SCRIPT}</head>\n<body>{_MENU}\n<main><article>\n{body}\n</article></main>\n"
        f"{_FOOTER}</body></html>\n"
    )


def page(body: str, head: str = UTF_8) -> bytes:
    """The same in UTF-8."""
    return page_text(body, head).encode("utf-8", "surrogatepass")
