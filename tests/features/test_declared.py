"""What the head of a page declares, and that nothing else is taken for it."""

import pytest

ARTICLE = """
<title>How bees live - The Hive</title>
<meta property="og:type" content="article">
<meta name="description" content="A year in three words">
<link rel="canonical" href="https://hive.example/2024/03/how-bees_live?from=home#top">
<p>They fly<p>and come back
"""


def of_first_block(values):
    return {name: int(column[0]) for name, column in values.items()}


def address(measured, head):
    values = of_first_block(measured("declared", f"{head}<p>text"))
    return [values[f"address.{name}"] for name in ("depth", "slug", "digits")]


def test_an_article_says_so(measured):
    assert of_first_block(measured("declared", ARTICLE)) == {
        "declared.type": 4,
        "declared.title": 5,
        "declared.description": 5,
        "address.depth": 3,
        "address.slug": 3,
        "address.digits": 6,
    }


def test_a_page_without_a_head_says_nothing(measured):
    values = of_first_block(measured("declared", "<p>text"))
    unknown = {name: -1 for name in values if name.startswith("address.")}
    assert values == dict.fromkeys(values, 0) | unknown


def test_all_blocks_of_a_page_have_its_values_and_no_others(measured):
    values = measured("declared", "<title>a b</title><p>one", ARTICLE, "", "<p>last")
    assert values["declared.title"].tolist() == [2, 5, 5, 0]
    assert values["declared.type"].tolist() == [0, 4, 4, 0]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", 0), ("website", 1), ("Product", 2), ("product.item", 2), ("video.movie", 3),
        ("profile", 3), (" article ", 4), ("article:news", 4),
    ],
)  # fmt: skip
def test_types_of_open_graph(measured, content, code):
    values = measured("declared", f"<meta property=og:type content='{content}'><p>text")
    assert values["declared.type"].tolist() == [code]


@pytest.mark.parametrize(
    ("href", "found"),
    [
        ("https://hive.example", [0, 0, 0]),
        ("https://hive.example/", [0, 0, 0]),
        ("/a/b/", [2, 1, 0]),
        ("/a-b--c/d_e", [2, 3, 0]),
        ("/-/x", [2, 1, 0]),
        ("?page=2", [-1, -1, -1]),
        ("", [-1, -1, -1]),
        ("https://[broken/a-b", [-1, -1, -1]),
        ("/včely-v-úlu/12", [2, 3, 2]),
    ],
)
def test_addresses(measured, href, found):
    assert address(measured, f"<link rel=canonical href='{href}'>") == found


def test_the_canonical_address_comes_before_that_of_open_graph(measured):
    graph = "<meta property='og:url' content='/one'>"
    assert address(measured, graph)[0] == 1
    assert address(measured, f"{graph}<link rel=canonical href='/one/two'>")[0] == 2
