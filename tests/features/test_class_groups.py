"""Groups of names around blocks, signs of comments, and lists of the user."""

import time

import numpy as np
import pytest

from victor import features
from victor.base.files import package_folder
from victor.config import plain_yaml
from victor.errors import ConfigError
from victor.features import class_groups
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.events import record
from victor.page.table.segment import segment

SHIPPED = plain_yaml.read(package_folder("victor.features") / "class_groups.yaml")
SYSTEMS = {
    "wordpress": (
        "<div class='entry-content'><p>text</p></div><div id=comments class=comments-area>"
        "<ol class=comment-list><li class='comment even depth-1'><p>text</p></ol></div>"
    ),
    "blogger": (
        "<div class='post-body entry-content'>text</div>"
        "<div class=comments id=comments><dd class=comment-body><p>text</p></dd></div>"
    ),
    "drupal": (
        "<div class='field field-name-body'><p>text</p></div>"
        "<section class='comments comment-wrapper'><div>text</div></section>"
    ),
    "movable type": (
        "<div class=asset-content><div itemprop=articleBody>text</div></div>"
        "<div class=comments-content><div>text</div></div>"
    ),
    "typo3": "<div class=ce-bodytext>text</div><div class=tx-comments><p>text</p></div>",
    "mediawiki": "<div class=mw-parser-output>text</div><div class=discussion-tools>text</div>",
    "ghost": "<section class=gh-content>text</section><div class=gh-comments>text</div>",
    "disqus": "<main class=post__content>text</main><div id=disqus_thread>text</div>",
    "squarespace": (
        "<div class=sqs-html-content>text</div><div class='squarespace-comments'>text</div>"
    ),
    "schema.org": (
        "<div itemprop=articleBody>text</div><div itemtype='http://schema.org/Comment'>text</div>"
    ),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_text_and_comments_of_systems(measured, system):
    values = measured("class_groups", f"<body>{SYSTEMS[system]}")
    assert values["class.body"].tolist() == [2, 0]
    assert values["class.comment"].tolist() == [0, 2]
    assert values["comment.offset"].tolist() == [-1, 0]


@pytest.mark.parametrize(
    ("group", "markup"),
    [
        ("related", "<div class='jp-relatedposts'><a>x</a>"),
        ("related", "<div class=yarpp><a>x</a>"),
        ("related", "<div id=taboola-below><a>x</a>"),
        ("teaser", "<div class=card-body>x"),
        ("share", "<div class=sharedaddy><a>x</a>"),
        ("author", "<span class='byline'>x"),
        ("author", "<dl class=postprofile>x"),
        ("caption", "<p class=wp-caption-text>x"),
        ("caption", "<td class=tr-caption>x"),
        ("navigation", "<ul class=menu>x"),
        ("navigation", "<div role=navigation>x"),
        ("navigation", "<div class=breadcrumbs>x"),
        ("sidebar", "<div id=secondary class=widget-area>x"),
        ("footer", "<div class=site-footer>x"),
        ("cookie", "<div id=onetrust-banner-sdk>x"),
        ("cookie", "<div class=CybotCookiebotDialog>x"),
        ("modal", "<div role=dialog>x"),
        ("subscribe", "<div class=newsletter-signup>x"),
        ("body", "<div class=cooked>x"),
        ("body", "<div class=postbody>x"),
        ("hidden", "<div class='modal fade'>x"),
        ("hidden", "<span class=screen-reader-text>x"),
        ("hidden", "<span class=visually-hidden>x"),
        ("hidden", "<div class=d-none>x"),
        ("hidden", "<div class='d-none p-4'>x"),
        ("hidden", "<div class='panel-collapse collapse'>x"),
        ("hidden", "<div class='tab-pane fade'>x"),
        ("hidden", "<p class=sr-only>x"),
        ("hidden", "<p class=screen-reader-text>x"),
        ("hidden", "<p class=is-hidden>x"),
        ("hidden", "<p class=offscreen>x"),
    ],
)
def test_groups(measured, group, markup):
    values = measured("class_groups", markup)
    assert values[f"class.{group}"].tolist() == [2]


@pytest.mark.parametrize(
    "names",
    [
        "collapse show", "collapse in", "collapse navbar-collapse", "d-none d-md-block",
        "hidden lg:flex", "hidden-xs", "modal fade show", "modal fade in", "tab-pane fade active",
        "hide show", "overflow-hidden", "not-sr-only", "invisible md:visible", "collapsed",
    ],
)  # fmt: skip
def test_what_is_shown_is_not_hidden(measured, names):
    assert measured("class_groups", f"<div class='{names}'>x")["class.hidden"].tolist() == [0]


@pytest.mark.parametrize("name", ["document", "header", "gradient", "overflow-hidden", "content"])
def test_names_of_no_group(measured, name):
    values = measured("class_groups", f"<div class={name}>x", "x")
    groups = [key for key in values if key.startswith("class") and values[key].any()]
    assert groups == []


def test_near_and_far(measured):
    inner = "".join(f"<div>{number}" for number in range(4))
    values = measured("class_groups", f"<div class=comment>{inner}", split="block")
    assert values["class.comment"].tolist() == [2, 2, 1, 1]


def test_names_of_the_whole_page_do_not_count(measured):
    page = "<html class=modal><body class='single-comment hidden'><p>x</p></body></html>"
    values = measured("class_groups", page)
    assert not any(values[key].any() for key in values if key.startswith("class"))


def test_shares_are_of_the_page(measured):
    page = "<p>one two three<div class=cookie-bar>four<p class=modal-body>five"
    values = measured("class_groups", page, "<p>six")
    assert values["class-share.cookie"].tolist() == [0.4] * 3 + [0]
    assert values["class-share.modal"].tolist() == [0.2] * 3 + [0]
    assert values["class-share.comment"].tolist() == [0] * 4


def test_distances_to_comments(measured):
    prose = "word " * 25
    page = f"<p>{prose}<p>a b<div class=comment><p>c<p>{prose}</div><p>d"
    values = measured("class_groups", page, "<p>no")
    assert values["comment.since"].tolist() == [255, 255, 0, 0, 1, 255]
    assert values["comment.offset"].tolist() == [-2, -1, 0, 1, 2, 999]
    assert values["comment.words-before"].tolist() == [27] * 5 + [-1]
    assert values["comment.prose-outside"].tolist() == [1] * 5 + [0]


@pytest.mark.parametrize(
    "text",
    [
        "12 comments", "Comments (3)", "3 thoughts on “Bees”", "Leave a Reply to Ann",
        "Kommentare", "Schreibe einen Kommentar", "2 Komentáře", "Vstoupit do diskuse",
        "Laisser un commentaire", "5 comentarios", "Deixe um comentário", "Lascia un commento",
        "7 reacties", "Dodaj komentarz", "12 комментариев", "Залишити відповідь",
        "Lämna ett svar", "Skriv en kommentar", "Jätä kommentti", "Hozzászólások",
        "Lasă un răspuns", "Bir cevap yazın", "Σχόλια", "コメントを残す", "评论(12)", "共12条评论",
        "댓글 3", "التعليقات", "תגובות", "टिप्पणियाँ", "Bình luận", "Tinggalkan Balasan",
    ],
)  # fmt: skip
def test_headings_of_comments(measured, text):
    values = measured("class_groups", f"<p>Bees<h3>{text}</h3><p>Nice", split="block")
    assert values["comment.since-heading"].tolist() == [255, 0, 1]


def test_long_blocks_are_no_headings_or_marks(measured):
    long = "Comments on " + "bees and what they are said to do in their hives " * 2 + "he said"
    values = measured("class_groups", f"<p>{long}")
    assert values["comment.since-heading"].tolist() == [255]
    assert values["comment.marks"].tolist() == [0]


@pytest.mark.parametrize(
    "text",
    ["Reply", "Report", "Ann said...", "Ann says:", "Antworten", "Odpovědět", "Ann napsala:",
     "Пётр написал:", "Répondre", "回复", "返信", "답글"],
)  # fmt: skip
def test_marks_count_within_eight_blocks(measured, text):
    page = f"<p>{text}" + "<p>x" * 9
    values = measured("class_groups", page, "<p>x")
    assert values["comment.marks"].tolist() == [1] * 9 + [0, 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Read more", True), ("Bees live in hives. Read more »", True), ("Bees live [...]", True),
        ("Bees live […]", True), ("Bees live (…)", True), ("Bees live (etc.)", False),
        ("Bees live…", False), ("Bees. " * 30 + "Continue reading →", True), ("]", False),
        ("Číst dále", True), ("阅读全文", True), ("I read more than you", False),
    ],
)  # fmt: skip
def test_ends_of_teasers(measured, text, expected):
    values = measured("class_groups", f"<p>{text}<p>x")
    assert values["more.own"].tolist() == [expected, False]
    assert values["more.near"].tolist() == [expected, expected]


@pytest.mark.parametrize(
    "text",
    [
        "Accept all", "Cookie settings", "Reject All", "Alle akzeptieren", "Tout refuser",
        "Aceptar todas las cookies", "Aceitar", "Accetta tutti", "Alles accepteren",
        "Akceptuję", "Přijmout vše", "Prijať všetko", "Принять все", "Прийняти всі",
        "Приемам", "Prihvaćam", "Sprejmi vse", "Godkänn alla", "Tillad alle", "Godta alle",
        "Hyväksy kaikki", "Elfogadom", "Acceptă toate", "Kabul et", "Αποδοχή όλων",
        "同意する", "全部接受", "모두 수락", "أوافق", "אישור", "Chấp nhận", "Terima semua",
        "We use cookies to give you the best experience on our site. " + "Read on. " * 9,
        "Wir verwenden Cookies, um Ihnen zu dienen. " + "Lesen Sie weiter. " * 9,
        "This site makes use of cookies",
        "Ginger cookies",
    ],
)  # fmt: skip
def test_texts_of_dialogs(measured, text):
    values = measured("class_groups", f"<p>Bees<p>{text}")
    expected = text != "Ginger cookies"
    assert values["dialog.near"].tolist() == [expected, expected]


def test_many_languages():
    for name, by_language in SHIPPED["texts"].items():
        assert len(by_language) >= 15, name


def test_a_list_of_the_user_adds_words_and_groups(measured, tmp_path):
    file = tmp_path / "names.yaml"
    file.write_text(
        "groups: {comment: [leserpost], recipe: [=hrecipe]}\n"
        "texts: {headings: {de: [meinungen zu *]}}\n",
        encoding="utf-8",
    )
    page = "<p class=hrecipe>a<p class=leserpost>b<p class=comment>c<p>Meinungen zu Bienen"
    both = measured("class_groups", page, lists=str(file))
    assert both["class.recipe"].tolist() == [2, 0, 0, 0]
    assert both["class.comment"].tolist() == [0, 2, 2, 0]
    assert both["comment.since-heading"].tolist() == [255, 255, 255, 0]
    alone = measured("class_groups", page, lists=[str(file)], shipped=False)
    assert alone["class.comment"].tolist() == [0, 2, 0, 0]
    assert "class.navigation" not in alone
    assert {"class.cookie", "class-share.body"} <= set(alone)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty; want `groups` or `texts`"),
        ("- comment", "should be a table of keys"),
        ("group: {comment: [a]}", "group: unknown key.*groups"),
        ("groups: {comment: a}", "groups.comment"),
        ("groups: {comment: [1]}", "groups.comment"),
        ("groups: {Comment: [a]}", "groups.Comment: want small letters"),
        ("groups: {comment: ['12']}", "groups.comment: '12' has no letter"),
        ("groups: {comment: [rel=tag]}", "groups.comment: .*want one of role, itemprop, itemtype"),
        ("texts: {heading: {de: [a]}}", "texts.heading: unknown key.*headings"),
        ("texts: {more: {de: ['a * b']}}", "texts.more.de: 'a . b': a . stands"),
        ("groups: {" + ", ".join(f"g{n}: [a]" for n in range(65)) + "}", "at most 64"),
        ("groups: [", "line 1"),
    ],
)
def test_what_is_wrong_in_a_list_is_named(tmp_path, content, message):
    file = tmp_path / "names.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        features.load("class_groups", lists=[str(file)])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"lists": "nowhere.yaml"}, "nowhere.yaml cannot be read"),
        ({"lists": 3}, "lists: want paths"),
        ({"lists": [3]}, "lists: want paths"),
        ({"shipped": "no"}, "shipped is true or false"),
        ({"shipped": False}, "`lists` has to name a file"),
    ],
)
def test_parameters_that_are_wrong(params, message):
    with pytest.raises(ConfigError, match=message):
        class_groups.build(**params)


def test_hostile_pages_give_finite_values_in_linear_time(measured):
    many = " ".join(f"comment-{number}" for number in range(100_000))
    elements = "".join(f"<p class='c{number} comment{number}'>Reply" for number in range(20_000))
    begin = time.process_time()
    values = measured("class_groups", f"<div class='{many}'><p id='{'x-' * 500_000}'>x", elements)
    assert time.process_time() - begin < 10
    assert all(np.isfinite(column).all() for column in values.values())
    assert (values["class.comment"] == 2).all()


FORUMS = {
    "phpbb": "<body class=viewtopic><div class=postbody>text</div>",
    "xenforo": "<body><article class=message--post><div class=bbWrapper>text</div></article>",
    "schema.org": "<body><div itemtype='https://schema.org/DiscussionForumPosting'>text</div>",
    "discourse": "<meta name=generator content='Discourse 2026.2.0 - github'><body><p>text",
    "json-ld": "<script type='application/ld+json'>{'@type': 'QAPage'}</script><body><p>text",
}


@pytest.mark.parametrize("system", FORUMS)
def test_threads_are_told_by_names_generator_and_type(measured, system):
    assert measured("class_groups", FORUMS[system])["thread.signs"].tolist() == [1]


@pytest.mark.parametrize(
    "page",
    [
        "<title>Forum</title><link rel=canonical href='https://forum.example/viewtopic'><p>text",
        "<body class=single-post><div id=comments><div class=comment>text</div></div>",
        "<meta name=generator content='WordPress 6.5'><p>A thread on phpBB",
        "<div class='forum-link post-content thread'>text",
    ],
)
def test_addresses_titles_texts_and_comments_make_no_thread(measured, page):
    assert measured("class_groups", page)["thread.signs"].tolist() == [0]


def test_posts_of_threads_are_counted_without_the_names_of_the_whole_page(measured):
    posts = "<div class=postbody>one</div><div class=postbody>two</div><p>three"
    generator = "<meta name=generator content=phpBB>"
    values = measured("class_groups", f"{generator}<body class=viewtopic>{posts}")
    assert values["thread.posts"].tolist() == [2, 2, 2]
    assert values["thread.signs"].tolist() == [2, 2, 2]
    assert values["class.forum"].tolist() == [2, 2, 0]


def test_lists_without_the_group_of_threads_see_no_names(tmp_path):
    path = tmp_path / "names.yaml"
    path.write_text("groups: {recipe: [hrecipe]}\n", encoding="utf-8")
    feature = features.load("class_groups", lists=str(path), shipped=False)
    values = feature(segment(record([b"<div class=postbody>one"], attributes=ATTRIBUTES), "block"))
    assert values["thread.signs"].tolist() == values["thread.posts"].tolist() == [0]
