"""Offers that pages declare, wherever they do."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.metadata.offers import Offer, decimal, offers
from victor.page.parsing.events import record
from victor.page.parsing.heads import Head


def offers_of(markup):
    page = markup.encode()
    return offers(record([page]).heads[0], page)


def script(thing):
    return f"<script type=application/ld+json>{json.dumps(thing)}</script>"


KETTLE = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Kettle",
    "sku": "K-7",
    "brand": {"@type": "Brand", "name": "<b>Boilers</b> &amp;amp; Sons"},
    "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.5},
    "offers": {
        "@type": "Offer",
        "price": 19.90,
        "priceCurrency": "eur",
        "availability": "https://schema.org/InStock",
    },
}
EXPECTED = Offer("Kettle", "19.9", "EUR", "InStock", "K-7", "Boilers & Sons", "4.5", "json-ld")


def test_a_product_of_json_ld():
    assert offers_of(script(KETTLE)) == (EXPECTED,)
    assert offers_of(script({"@graph": [{"@type": "WebPage"}, KETTLE]})) == (EXPECTED,)


def test_an_offer_may_be_referred_to_and_is_given_once():
    offer = {"@id": "#o", **KETTLE["offers"]}
    product = {**KETTLE, "offers": {"@id": "#o"}}
    assert offers_of(script([product, offer])) == (EXPECTED,)


def test_several_offers_and_ranges():
    low = {"@type": "AggregateOffer", "lowPrice": "9.50", "highPrice": "20", "priceCurrency": "USD"}
    assert [o.price for o in offers_of(script({**KETTLE, "offers": low}))] == ["9.50"]
    single = [{"@type": "Offer", "price": "1,200.00"}, {"@type": "Offer", "price": "1.300,00 €"}]
    found = offers_of(script({**KETTLE, "offers": {**low, "offers": single}}))
    assert [(o.price, o.currency) for o in found] == [("1200.00", None), ("1300.00", "EUR")]
    specified = {"@type": "Offer", "priceSpecification": [{"price": "5", "priceCurrency": "GBP"}]}
    assert [(o.price, o.currency) for o in offers_of(script(specified))] == [("5", "GBP")]


OTHER = {"@type": "Product", "name": "Pot", "offers": {"@type": "Offer", "price": "5"}}


def test_goods_that_a_product_names_as_alike_are_not_offered():
    for key in ("isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "isConsumableFor"):
        assert offers_of(script({**KETTLE, key: [OTHER]})) == (EXPECTED,)
    assert len(offers_of(script({**KETTLE, "hasVariant": [OTHER]}))) == 2


def test_a_page_at_the_address_of_one_product_offers_that_one():
    here = "<link rel=canonical href=https://shop.test/kettle>"
    own = {**KETTLE, "url": "https://www.shop.test/kettle?colour=red"}
    others = {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": OTHER}]}
    assert offers_of(here + script([OTHER, own, others])) == (EXPECTED,)
    assert len(offers_of(script([OTHER, own, others]))) == 3 - 1  # equal offers are given once
    assert len(offers_of(here + script([OTHER, KETTLE]))) == 2


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("https://schema.org/OutStock", "OutOfStock"), ("out of stock", "OutOfStock"),
        ("oos", "OutOfStock"), ("available", "InStock"), ("in_stock", "InStock"),
        ("http://schema.org/Preorder", "PreOrder"), ("soon", "soon"),
    ],
)  # fmt: skip
def test_availability_as_schema_org_names_it(written, name):
    offer = {"@type": "Offer", "price": "5", "availability": written}
    assert [each.availability for each in offers_of(script(offer))] == [name]


def test_a_product_without_an_offer_is_none():
    assert offers_of(script({"@type": "Product", "name": "Kettle"})) == ()


MICRODATA = """<div itemscope itemtype="http://schema.org/Product"><h1 itemprop=name>Kettle</h1>
<span itemprop=brand itemscope itemtype=http://schema.org/Brand><b itemprop=name>Boilers</b></span>
<div itemprop=offers itemscope itemtype=http://schema.org/Offer>
<meta itemprop=priceCurrency content=EUR><b itemprop=price>19,90&nbsp;€</b>
<link itemprop=availability href=http://schema.org/OutOfStock></div>
<i itemprop=sku>K-7</i></div>"""


def test_a_product_of_microdata():
    expected = Offer("Kettle", "19.90", "EUR", "OutOfStock", "K-7", "Boilers", None, "microdata")
    assert offers_of(MICRODATA) == (expected,)
    assert offers_of(MICRODATA + script(KETTLE)) == (EXPECTED,)


def test_a_product_of_metas():
    metas = """<meta property=og:title content=Kettle>
    <meta property=product:price:amount content=19.90>
    <meta property=product:price:currency content=EUR>
    <meta property=og:availability content=instock>"""
    assert offers_of(metas) == (
        Offer("Kettle", "19.90", "EUR", "InStock", None, None, None, "meta"),
    )
    assert offers_of("<meta property=og:title content=Kettle><p>19.90") == ()


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("19.90", "19.90"), ("19,90 €", "19.90"), ("$1,299", "1299"), ("1.299,00", "1299.00"),
        ("1,299.00", "1299.00"), ("1 299 Kč", "1299"), ("1'299.50", "1299.50"), ("0.125", "0.125"),
        ("1.234.567", "1234567"), ("34.0000", "34.0000"), ("from 5 to 7", "5"), ("19,-", "19"),
        ("free", None), ("", None), ("-", None),
    ],
)  # fmt: skip
def test_prices_as_written(written, number):
    assert decimal(written) == number


@given(st.text())
def test_any_price_is_a_number_or_none(written):
    number = decimal(written)
    assert number is None or float(number) >= 0


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["@type", "@id", "offers", "price", "name", "brand", "priceSpecification"]
            ),
            inner,
        )
    ),
    max_leaves=15,
)


@given(VALUES, st.sampled_from(["Product", "Offer", ["AggregateOffer"]]))
def test_any_json_gives_offers_or_none(value, kind):
    thing = {"@type": kind, "offers": value, "price": value, "itemOffered": value}
    found = offers(Head(json_ld=(json.dumps(thing),)), b"")
    assert all(offer.price or offer.availability for offer in found)
