"""Sentences written for these tests, and identifiers made of the shipped profiles."""

import pytest

from victor.language.beesley import BeesleyIdentifier
from victor.language.cavnar import CavnarIdentifier
from victor.language.profiles import load_profiles, train

SENTENCES = {
    "cs": (
        "Dnes odpoledne přišla bouřka a voda zatopila několik sklepů v dolní části města.",
        "Prosím tě, nezapomeň zítra koupit chleba, máslo a dvě krabice mléka.",
        "Vědci zjistili, že včely rozeznávají květiny nejen podle barvy, ale i podle tvaru.",
        "Každý čtenář si může půjčit nejvýše osm knih na dobu jednoho měsíce.",
    ),
    "sk": (
        "Dnes popoludní prišla búrka a voda zaplavila niekoľko pivníc v dolnej časti mesta.",
        "Prosím ťa, nezabudni zajtra kúpiť chlieb, maslo a dve škatule mlieka.",
        "Vedci zistili, že včely rozoznávajú kvety nielen podľa farby, ale aj podľa tvaru.",
        "Každý čitateľ si môže požičať najviac osem kníh na obdobie jedného mesiaca.",
    ),
    "en": (
        "A thunderstorm came this afternoon and flooded several cellars in the lower town.",
        "Please do not forget to buy bread, butter and two cartons of milk tomorrow.",
        "Scientists have found that bees recognise flowers by their shape as well as colour.",
        "Every reader may borrow at most eight books for a period of one month.",
    ),
    "de": (
        "Heute Nachmittag kam ein Gewitter und überflutete mehrere Keller in der Unterstadt.",
        "Bitte vergiss nicht, morgen Brot, Butter und zwei Packungen Milch zu kaufen.",
        "Forscher haben festgestellt, dass Bienen Blumen auch an ihrer Form erkennen.",
        "Jeder Leser darf höchstens acht Bücher für die Dauer eines Monats ausleihen.",
    ),
    "pl": (
        "Dzisiaj po południu przyszła burza i woda zalała kilka piwnic w dolnej części miasta.",
        "Proszę, nie zapomnij kupić jutro chleba, masła i dwóch kartonów mleka.",
        "Naukowcy odkryli, że pszczoły rozpoznają kwiaty nie tylko po kolorze, ale i po kształcie.",
        "Każdy czytelnik może wypożyczyć najwyżej osiem książek na okres jednego miesiąca.",
    ),
    "uk": (
        "Сьогодні після обіду прийшла гроза, і вода залила кілька підвалів у нижньому місті.",
        "Кожен читач може взяти додому щонайбільше вісім книжок на один місяць.",
    ),
    "ru": (
        "Сегодня после обеда пришла гроза, и вода затопила несколько подвалов в нижнем городе.",
        "Каждый читатель может взять домой не больше восьми книг на один месяц.",
    ),
}


@pytest.fixture(scope="session")
def sentences():
    """Language → sentences that no profile has seen."""
    return SENTENCES


@pytest.fixture(scope="session")
def small_profiles():
    """Profiles of a few sentences each, for what must hold whatever the training text."""
    return tuple(train(language, lines) for language, lines in SENTENCES.items())


@pytest.fixture(scope="session")
def shipped():
    return load_profiles()


@pytest.fixture(scope="session")
def beesley(shipped):
    return BeesleyIdentifier(shipped)


@pytest.fixture(scope="session")
def cavnar(shipped):
    return CavnarIdentifier(shipped)


@pytest.fixture(scope="session", params=["beesley", "cavnar"])
def identifier(request):
    """Both methods: what the protocol promises holds for each."""
    return request.getfixturevalue(request.param)
