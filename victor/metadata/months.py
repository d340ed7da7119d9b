"""Names of months in many languages."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

_NAMES: Final = """
en January/Jan February/Feb March/Mar April/Apr May June/Jun July/Jul August/Aug September/Sep/Sept
  October/Oct November/Nov December/Dec
de Januar/Jänner/Jän Februar/Feber März/Mär/Mrz April Mai Juni Juli August September Oktober/Okt
  November Dezember/Dez
cs leden/ledna/led únor/února/úno březen/března/bře duben/dubna/dub květen/května/kvě
  červen/června/čer/čvn červenec/července/čvc srpen/srpna/srp září říjen/října/říj
  listopad/listopadu/lis prosinec/prosince/pro
sk január/januára február/februára marec/marca apríl/apríla máj/mája jún/júna júl/júla
  august/augusta september/septembra október/októbra november/novembra december/decembra
fr janvier/janv février/févr/fév mars avril/avr mai juin juillet/juil août septembre octobre
  novembre décembre/déc
es enero/ene febrero marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre/set octubre
  noviembre diciembre/dic
pt janeiro fevereiro/fev março abril maio/mai junho julho agosto setembro outubro/out novembro
  dezembro/dez
it gennaio/gen febbraio marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre/sett
  ottobre/ott novembre dicembre
nl januari februari maart/mrt april mei juni juli augustus september oktober november december
pl stycznia/styczeń/sty lutego/luty/lut marca/marzec kwietnia/kwiecień/kwi maja/maj
  czerwca/czerwiec/cze lipca/lipiec/lip sierpnia/sierpień/sie września/wrzesień/wrz
  października/październik/paź listopada/listopad grudnia/grudzień/gru
ru января/январь/янв февраля/февраль/фев марта/март/мар апреля/апрель/апр мая/май июня/июнь/июн
  июля/июль/июл августа/август/авг сентября/сентябрь/сен/сент октября/октябрь/окт ноября/ноябрь/ноя
  декабря/декабрь/дек
uk січня/січень/січ лютого/лютий/лют березня/березень/бер квітня/квітень/кві травня/травень/тра
  червня/червень/чер липня/липень/лип серпня/серпень/сер вересня/вересень/вер жовтня/жовтень/жов
  листопада/листопад/лис грудня/грудень/гру
bg януари февруари март април май юни юли август септември октомври ноември декември
sv januari februari mars april maj juni juli augusti september oktober november december
da januar februar marts april maj juni juli august september oktober november december
no januar februar mars april mai juni juli august september oktober november desember/des
fi tammikuuta/tammikuu helmikuuta/helmikuu maaliskuuta/maaliskuu huhtikuuta/huhtikuu
  toukokuuta/toukokuu kesäkuuta/kesäkuu heinäkuuta/heinäkuu elokuuta/elokuu syyskuuta/syyskuu
  lokakuuta/lokakuu marraskuuta/marraskuu joulukuuta/joulukuu
hu január február március/márc április/ápr május/máj június/jún július/júl augusztus
  szeptember/szept október november december
ro ianuarie/ian februarie martie aprilie mai iunie/iun iulie/iul august septembrie octombrie
  noiembrie/noi decembrie
tr Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık
el Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου
  Νοεμβρίου Δεκεμβρίου
hr siječnja/siječanj veljače/veljača ožujka/ožujak travnja/travanj svibnja/svibanj lipnja/lipanj
  srpnja/srpanj kolovoza/kolovoz rujna/rujan - studenoga/studenog/studeni prosinca/prosinac
sl januar februar marec april maj junij julij avgust september oktober november december
sr januar/јануар februar/фебруар mart/март april/април maj/мај jun/јун jul/јул avgust/август
  septembar/септембар oktobar/октобар novembar/новембар decembar/децембар
id Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember
ca gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
et jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember
lv janvāris/janvārī februāris/februārī marts/martā aprīlis/aprīlī maijs/maijā jūnijs/jūnijā
  jūlijs/jūlijā augusts/augustā septembris/septembrī oktobris/oktobrī novembris/novembrī
  decembris/decembrī
lt sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio
"""
"""A line, perhaps longer than one here, per language: its code, then twelve names with their forms.

The Croatian name of October is that of November in Czech and Polish and is left out.
"""


def month(name: str) -> int:
    """Number of a month by its name or short name in any of the languages, else 0."""
    return _numbers().get(_plain(name), 0)


@cache
def _numbers() -> dict[str, int]:
    numbers: dict[str, int] = {}
    for line in _NAMES.replace("\n  ", " ").strip().splitlines():
        for number, forms in enumerate(line.split()[1:], 1):
            for form in forms.split("/"):
                numbers.setdefault(_plain(form), number)
    return numbers


def _plain(name: str) -> str:
    """Lower case without accents."""
    decomposed = unicodedata.normalize("NFD", name.casefold())
    return "".join(each for each in decomposed if not unicodedata.combining(each))
