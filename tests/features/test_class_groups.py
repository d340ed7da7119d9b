"""Groups of names around blocks, signs of comments and threads, and lists of the user."""

import pytest

from victor import features
from victor.base.files import package_folder
from victor.config import plain_yaml
from victor.errors import ConfigError

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


@pytest.mark.parametrize(
    ("group", "markup"),
    [
        ("related", "<div class='jp-relatedposts'><a>x</a>"),
        ("related", "<div class=yarpp><a>x</a>"),
        ("related", "<div id=taboola-below><a>x</a>"),
        ("teaser", "<div class=card-body>x"),
        ("author", "<span class='byline'>x"),
        ("author", "<dl class=postprofile>x"),
        ("navigation", "<ul class=menu>x"),
        ("navigation", "<div role=navigation>x"),
        ("navigation", "<div class=breadcrumbs>x"),
        ("footer", "<div class=site-footer>x"),
        ("modal", "<div role=dialog>x"),
        ("body", "<div class=cooked>x"),
        ("body", "<div class=postbody>x"),
    ],
)
def test_groups(measured, group, markup):
    values = measured("class_groups", markup)
    assert values[f"class.{group}"].tolist() == [2]


HIDDEN = (
    "modal fade", "screen-reader-text", "visually-hidden", "d-none", "d-none p-4",
    "panel-collapse collapse", "tab-pane fade", "sr-only", "is-hidden", "offscreen",
)  # fmt: skip
SHOWN = (
    "collapse show", "collapse in", "collapse navbar-collapse", "d-none d-md-block",
    "hidden lg:flex", "hidden-xs", "modal fade show", "modal fade in", "tab-pane fade active",
    "hide show", "overflow-hidden", "not-sr-only", "invisible md:visible", "collapsed",
)  # fmt: skip


@pytest.mark.parametrize("names", HIDDEN + SHOWN)
def test_what_is_shown_is_not_hidden(measured, names, tmp_path):
    """The group hidden has a column where a file names it."""
    file = tmp_path / "names.yaml"
    file.write_text("groups: {hidden: []}", encoding="utf-8")
    values = measured("class_groups", f"<div class='{names}'>x", lists=str(file))
    assert values["class.hidden"].tolist() == [2 * (names in HIDDEN)]


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
    page = "<p>one two three<div class=related-posts>four<p class=modal-body>five"
    values = measured("class_groups", page, "<p>six")
    assert values["class-share.related"].tolist() == pytest.approx([0.4] * 3 + [0])
    assert values["class-share.modal"].tolist() == pytest.approx([0.2] * 3 + [0])
    assert values["class-share.body"].tolist() == [0] * 4


def test_prose_outside_of_comments(measured):
    prose, nearly = "word " * 25, "word " * 24
    page = f"<p>{prose}<p>{nearly}<div class=comment><p>c<p>{prose}</div><p>d"
    values = measured("class_groups", page, "<p>no")
    assert values["comment.prose-outside"].tolist() == [1] * 5 + [0]


def test_a_list_of_the_user_adds_names_and_groups(measured, tmp_path):
    file = tmp_path / "names.yaml"
    file.write_text("groups: {comment: [leserpost], recipe: [=hrecipe]}\n", encoding="utf-8")
    page = "<p class=hrecipe>a<p class=leserpost>b<p class=comment>c"
    values = measured("class_groups", page, lists=[str(file)])
    assert values["class.recipe"].tolist() == [2, 0, 0]
    assert values["class.comment"].tolist() == [0, 2, 2]
    assert "class.hidden" not in values


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty; want `groups`"),
        ("- comment", "Expected `object`"),
        ("group: {comment: [a]}", "group: unknown key.*groups"),
        ("texts: {headings: {de: [a]}}", "texts: unknown key"),
        ("groups: {comment: a}", "groups"),
        ("groups: {comment: [1]}", "groups"),
        ("groups: {Comment: [a]}", "groups.Comment: want small letters"),
        ("groups: {comment: ['12']}", "groups.comment: '12' has no letter"),
        ("groups: {comment: [rel=tag]}", "groups.comment: .*want one of role, itemprop, itemtype"),
        ("groups: {" + ", ".join(f"g{n}: [a]" for n in range(65)) + "}", "at most 64"),
        ("groups: [", "line 1"),
    ],
)
def test_what_is_wrong_in_a_list_is_named(tmp_path, content, message):
    file = tmp_path / "names.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        features.load("class_groups", lists=[str(file)])


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
