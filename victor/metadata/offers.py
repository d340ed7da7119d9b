"""Offers of products where a page declares them: JSON-LD, else microdata, else meta elements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from victor.metadata.schema_org import members, nested, string, types
from victor.metadata.texts import clean
from victor.metadata.things import Place, Things, declared
from victor.page.parsing.heads import Head

_PRODUCTS: Final = frozenset({"product", "productgroup", "productmodel", "individualproduct"})
_RELATED: Final = (
    "isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "isConsumableFor",
)  # fmt: skip
_OFFERS: Final = frozenset({"offer", "aggregateoffer"})
_AVAILABILITY: Final = (
    "BackOrder", "Discontinued", "InStock", "InStoreOnly", "LimitedAvailability", "MadeToOrder",
    "OnlineOnly", "OutOfStock", "PreOrder", "PreSale", "Reserved", "SoldOut",
)  # fmt: skip
_BY_LETTERS: Final = {name.lower(): name for name in _AVAILABILITY} | {
    **dict.fromkeys(("outstock", "oos", "notinstock", "notavailable", "unavailable"), "OutOfStock"),
    "available": "InStock",
}
_AMOUNT: Final = re.compile(r"\d++(?>(?:[.,'’]\d++|\s\d{3}(?!\d))*)")
_CURRENCY: Final = re.compile(r"[A-Za-z]{3}")
_SYMBOLS: Final = {"€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "zł": "PLN"}
_LONGEST: Final = 60
"""Characters in which a price is looked for."""
_GROUP: Final = 3
_MOST: Final = 1_000
"""Offers of one page; lists of goods have some hundred."""

Source = Place | Literal["meta"]


@dataclass(frozen=True, slots=True)
class Offer:
    """One offer that a page declares; None for what it does not say.

    Attributes:
        name: of the product.
        price: decimal number such as ``1299.90``; the lowest where several are given as a range.
        currency: ISO 4217, upper case.
        availability: as schema.org names it, e.g. ``InStock``, else as written.
        sku: number of the goods in the shop.
        brand: who makes it.
        rating: average as written.
        source: where the page declares it.
    """

    name: str | None
    price: str | None
    currency: str | None
    availability: str | None
    sku: str | None
    brand: str | None
    rating: str | None
    source: Source


def offers(head: Head, markup: bytes) -> tuple[Offer, ...]:
    """The offers of a page, from the first place that has some; one with no price may be there.

    Linear in the size of the page, and at most a thousand.

    Args:
        head: of the page.
        markup: the page as UTF-8 bytes.
    """
    for things in declared(head, markup):
        if found := tuple(_declared(things, head)):
            return found
    return tuple(_of_metas(head.meta))


def _declared(things: Things, head: Head) -> Iterator[Offer]:
    """Offers of products, and those of none."""
    named, source = things.graph.known, things.place
    seen = _of_others(things, head)
    unique: dict[Offer, None] = {}
    for thing in nested([*things.outermost]):
        if id(thing) in seen:
            continue
        # A product comes before its offers.
        product = {} if _is_offer(thing) else thing
        given = [thing] if _is_offer(thing) else members(thing.get("offers"))
        for offer in _single(given, named, seen):
            unique.setdefault(_offer(offer, product, source))
        if len(unique) >= _MOST:
            break
    yield from (offer for offer in unique if offer.price or offer.availability)


def _of_others(things: Things, head: Head) -> set[int]:
    """Identities of what is declared of other goods than those that the page is about.

    These are what products name as alike or as to be bought with them; and, on a page that has the
    address of one of its products, the other products.
    """
    products = [*things.of_type(*_PRODUCTS)]
    related = _inside([product.get(key) for product in products for key in _RELATED])
    urls = (head.canonical or "", head.meta.get("og:url", ""))
    own = [product for product in products if things.graph.has_address(product, urls)]
    if not own:
        return related
    of_own = _inside(own) - related
    return related | _inside([one for one in products if id(one) not in of_own]) - of_own


def _inside(values: list[Any]) -> set[int]:
    return {id(thing) for thing in nested(values)}


def _is_offer(thing: Mapping[str, Any]) -> bool:
    return not _OFFERS.isdisjoint(types(thing))


def _single(
    given: Sequence[Any], named: Mapping[str, Mapping[str, Any]], seen: set[int]
) -> Iterator[Mapping[str, Any]]:
    """Offers that were not there before, where one may refer to another or hold several.

    Args:
        given: what a product names as its offers.
        named: objects by ``@id``.
        seen: identities of objects that were read; those read here are added.
    """
    for offer in given:
        if not isinstance(offer, Mapping):
            continue
        offer = named.get(str(offer.get("@id")), offer) if len(offer) == 1 else offer  # noqa: PLW2901
        if id(offer) in seen:  # many products may refer to one offer that holds many
            continue
        seen.add(id(offer))
        inner = [one for one in members(offer.get("offers")) if isinstance(one, Mapping)]
        if not inner:
            yield offer
        for one in inner:
            if id(one) not in seen:
                seen.add(id(one))
                yield one


def _offer(offer: Mapping[str, Any], product: Mapping[str, Any], source: Source) -> Offer:
    prices = [offer, *members(offer.get("priceSpecification"))]
    prices = [one for one in prices if isinstance(one, Mapping)]
    written = next(
        filter(None, (_first(one, "price", "lowPrice", "minPrice") for one in prices)), ""
    )
    currency = next(filter(None, (_first(one, "priceCurrency") for one in prices)), "")
    rating = product.get("aggregateRating") or offer.get("aggregateRating")
    rated = next((one for one in members(rating) if isinstance(one, Mapping)), {})
    return Offer(
        name=_first(product, "name") or _first(offer, "name") or _item(offer, "name") or None,
        price=decimal(written),
        currency=_currency(currency or written),
        availability=_availability(_first(offer, "availability")),
        sku=_first(offer, "sku") or _first(product, "sku", "productID", "mpn") or None,
        brand=_first(product, "brand", "manufacturer") or _item(offer, "brand"),
        rating=_first(rated, "ratingValue") or None,
        source=source,
    )


def _item(offer: Mapping[str, Any], key: str) -> str | None:
    """What an offer says of what it offers."""
    item = next((one for one in members(offer.get("itemOffered")) if isinstance(one, Mapping)), {})
    return _first(item, key) or None


def _first(thing: Mapping[str, Any], *keys: str) -> str:
    """The first of some properties that has a value."""
    return next(filter(None, (clean(string(thing.get(key))) for key in keys)), "")


def _of_metas(meta: Mapping[str, str]) -> Iterator[Offer]:
    """The offer of the properties of Open Graph."""

    def first(*names: str) -> str:
        values = (meta.get(f"{space}:{name}", "") for name in names for space in ("product", "og"))
        return next((value.strip() for value in values if value.strip()), "")

    written = first("price:amount", "sale_price:amount", "price")
    if price := decimal(written):
        yield Offer(
            name=first("title") or None,
            price=price,
            currency=_currency(first("price:currency", "sale_price:currency") or written),
            availability=_availability(first("availability")),
            sku=first("retailer_item_id", "retailer_part_no", "sku") or None,
            brand=first("brand") or None,
            rating=first("rating") or None,
            source="meta",
        )


def decimal(written: str) -> str | None:
    """A price as people and programs write it, as a decimal number; None where there is none.

    >>> decimal("1.299,90 €"), decimal("$1,299"), decimal("19.9"), decimal("free")
    ('1299.90', '1299', '19.9', None)
    """
    match = _AMOUNT.search(written[:_LONGEST])
    if match is None:
        return None
    amount = "".join(each for each in match[0] if each in "0123456789.,")
    last = max(amount.rfind("."), amount.rfind(","))
    cents = amount[last + 1 :]
    # A mark that is there twice, or stands alone before three digits, groups thousands.
    is_group = (len(cents) == _GROUP and amount[0] != "0") or amount.count(amount[last]) > 1
    if last < 0 or (is_group and len({*amount} & {*".,"}) == 1):
        return amount.replace(".", "").replace(",", "") or None
    return f"{amount[:last].replace('.', '').replace(',', '')}.{cents}"


def _currency(written: str) -> str | None:
    if _CURRENCY.fullmatch(written):
        return written.upper()
    return next((code for symbol, code in _SYMBOLS.items() if symbol in written[:_LONGEST]), None)


def _availability(written: str) -> str | None:
    """The name that schema.org has for it, without its address."""
    name = written.rstrip("/").rpartition("/")[2]
    letters = "".join(filter(str.isalpha, name)).lower()
    return _BY_LETTERS.get(letters, name) or None
