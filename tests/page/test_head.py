"""What a page declares in its head and scripts."""

import pytest

from victor.page.parsing.events import record
from victor.page.parsing.heads import Link


def head(page):
    (result,) = record([page.encode()]).heads
    return result


def test_metas_keep_what_repeats_and_meta_the_first():
    page = head("<meta name=Author content=a><meta name=author content=b><meta name=x>")
    assert page.metas == (("author", "a"), ("author", "b"))
    assert page.meta == {"author": "a"}


def test_links_are_kept_unless_a_browser_only_loads_them():
    page = head(
        '<link rel="Alternate" hreflang=cs href=" /cs "><link rel=stylesheet href=a.css>'
        "<link rel=canonical href=/a><link rel=icon><link href=b>"
    )
    assert page.links == (
        Link("alternate", "/cs", "", "cs", ""),
        Link("canonical", "/a", "", "", ""),
    )
    assert page.canonical == "/a"


def test_the_first_base_with_a_target_counts():
    assert head("<base target=x><base href=' /a/ '><base href=/b/>").base == "/a/"


def test_scripts_that_say_something_of_the_page():
    page = head(
        '<script type="application/ld+json; charset=utf-8">{"a": "<b>"}</script><script>x</script>'
    )
    assert page.json_ld == ('{"a": "<b>"}',)
    assert page.title == ""


@pytest.mark.parametrize(
    ("pushed", "expected"),
    [
        ('[0,{"type":"application/ld+json","children":"{\\"a\\":1}"}]', ('{"a":1}',)),
        (
            '[0,{"type":"application/ld+json","dangerouslySetInnerHTML":{"__html":"{}"}}]',
            ("{}",),
        ),
        ('["https://a.example/x.js",{"id":"x"}]', ()),
        ('[0,{"type":"text/javascript","children":"{}"}]', ()),
        ('[0,{"type":"application/ld+json"}]', ()),
        ('[0,{"type":"application/ld+json","children":"', ()),
        ("[" * 100_000, ()),
    ],
)
def test_scripts_of_next_that_push_others(pushed, expected):
    page = f"<body><script>(self.__next_s=self.__next_s||[]).push({pushed})</script>"
    assert head(page).json_ld == expected


def test_ordinals_are_those_of_the_tags_before():
    # The tags are #page, html, body, p, time, /time, img.
    page = head('<p>a<time datetime=" 2020 ">b</time><img><script type=math/tex>x</script>c')
    assert page.times == ((4, "2020"),)


def test_what_tables_and_cells_say_of_themselves():
    listing = "<table class=hljs-ln border=1></table><table></table>"
    cells = "<tr><td rowspan=2 title=x>a<th COLSPAN=' 3'>b<td width=9>c"
    page = head(
        f"{listing}<table border class=x role=none>{cells}</table><svg><td rowspan=2></svg><td>"
    )
    assert page.tables == (
        (1, {"border": "", "role": "none"}),
        (2, {"rowspan": "2"}),
        (3, {"colspan": " 3"}),
    )
