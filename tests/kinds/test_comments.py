"""Comments that a model keeps below a text are dropped in the scope main, and nothing else is."""

import numpy as np
import pytest

from victor.base.labels import Label
from victor.config.schema import Scope
from victor.kinds.comments import kept_comments
from victor.kinds.scope import finish
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict

POST = "<p>Our bees came back on Friday without a word of any explanation at all"
COMMENT = "<p>I could read this story about the bees again and again, thanks"
NONE = np.zeros(0, dtype=np.int64)
BELOW = f"<div id=comments><div class=comment>{COMMENT}</div></div>"


def kept_of(page, scope=None, *, by_model=True, attributes=ATTRIBUTES):
    """The texts kept of a page of which the labeler keeps all, and the blocks dropped by scope."""
    table = parse_pages([page], attributes=attributes)
    labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
    marginals = np.full((len(table), 3), 1 / 3)
    verdict = Verdict(table, labels, marginals, "test", by_model=by_model)
    done = finish(verdict, [page.encode()], scope or Scope())
    n_dropped = 0 if done.by_scope is None else int(done.by_scope.sum())
    return len(np.flatnonzero(done.kept)), n_dropped


@pytest.mark.parametrize("name", ["comment", "kommentar", "Comentarios", "user-review"])
def test_comments_below_a_post_however_short_are_dropped_and_counted(name):
    page = f"{POST}{BELOW.replace('class=comment', f'class={name}')}"
    assert kept_of(page) == (1, 1)


@pytest.mark.parametrize(
    "page",
    [
        f"<body class=viewtopic>{POST}{BELOW}",  # a thread
        f"{BELOW}{POST}",  # no text before them
        f"<div class=commentOnSelection>{POST}{COMMENT}</div>",  # around the whole text
        f"{POST}<div class=answers>{COMMENT}</div>",
    ],
)
def test_what_is_no_comment_on_a_text_stays(page):
    assert kept_of(page) == (2, 0)


@pytest.mark.parametrize(
    ("scope", "kept"),
    [(Scope(), 1), (Scope(comments=True), 2), (Scope(name="full"), 2), (Scope(name="article"), 1)],
)
def test_who_wants_comments_gets_them(scope, kept):
    assert kept_of(f"{POST}{BELOW}", scope)[0] == kept


def test_published_systems_keep_what_they_kept():
    assert kept_of(f"{POST}{BELOW}", by_model=False) == (2, 0)


def test_tables_without_the_names_are_left_as_they_are():
    assert kept_of(f"{POST}{BELOW}", attributes=()) == (2, 0)


def test_pages_of_a_batch_do_not_meet():
    pages = [POST, BELOW, f"{POST}{BELOW}", f"<body class=viewtopic>{POST}{BELOW}"]
    table = parse_pages(pages, attributes=ATTRIBUTES)
    labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
    (row,) = kept_comments(table, labels, NONE)
    assert table.page[row] == 2
    assert block_texts(table, [row])[0].startswith("I could read")


def test_a_page_of_reviews_without_comments_is_the_same_alone_and_in_a_batch():
    reviews = f"{POST}<div class=review>{COMMENT}</div>"
    for pages in ([reviews], [reviews, f"{POST}{BELOW}"]):
        table = parse_pages(pages, attributes=ATTRIBUTES)
        labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
        assert not (table.page[kept_comments(table, labels, NONE)] == 0).any()


@pytest.mark.parametrize(
    ("name", "inner", "n_posts", "n_dropped"),
    [
        ("commentOnSelection", "<b>Bees</b>", 3, 0),
        ("commentOnSelection", "<b>Bees</b>", 2, 3),  # no more than a comment may be
        ("comments", "<b class=comment-author>Ann</b>", 3, 4),
        ("comments", "<time>Friday</time>", 3, 4),
    ],
)
def test_a_text_that_can_be_commented_on_is_no_comment(name, inner, n_posts, n_dropped):
    """Nothing in it looks like a comment, and it is most of what is kept."""
    page = f"{POST}<div class={name}><p>{inner}</p>{POST * n_posts}</div>"
    for scope in (Scope("article"), Scope("main")):
        assert kept_of(page, scope) == (n_posts + 2 - n_dropped, n_dropped)


def test_comments_in_details_are_comments():
    """As LWN writes them."""
    comment = f"<details class=CommentBox open><summary>Re: bees</summary>{COMMENT}</details>"
    assert kept_of(f"{POST}{comment * 2}", Scope("article")) == (1, 4)
    assert kept_of(f"{POST}{comment * 2}", Scope("main")) == (1, 4)
