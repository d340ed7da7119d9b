"""What can be said of a block in a few words, given what feature modules measured of it.

A fact is a claim that anybody who looks at the page can check. It belongs to the module whose
columns it is read from, and it can only speak for the side that is named here: links never keep a
block, whatever a model made of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools
from victor.features.base import Bag, ColumnValues

_MOST: Final = 0.5
"""Share from which something is *mostly* so."""
_FEW: Final = 3
"""Words of a very short block, and fewest things that are alike."""
_SHORT: Final = 8
"""Words of a short block, and mean words of blocks that are short together."""
_LONG: Final = 20
"""Words of a long block."""
_PROSE: Final = 15.0
"""Words outside links in a block, on average, where text runs."""
_SPARSE: Final = 4.0
"""Likewise where next to none does."""
_LARGE: Final = 0.3
"""Share of a page that is much of it."""
_SMALL: Final = 0.05
"""Share of a page that is little of it."""
_ALIKE: Final = 0.5
"""Likeness to the title of what repeats it."""
_ARTICLE: Final = 4
"""Code of the declared type."""
_MANY_WORDS: Final = 400
"""Words of a page of some length."""
_SOME_LONG: Final = math.log(15.5)
"""Of a page with a text of 15 words, the logarithm of its longest is above this."""
_NONE: Final = 255
"""Blocks to what is not there, or is as far."""
_NOWHERE: Final = 900
"""Distances are no larger than 999, which is none."""


class Fact(NamedTuple):
    """A claim about blocks that speaks for one side."""

    keeps: bool
    columns: tuple[str, ...]
    """What it is read from, in the order of the arguments of `holds`."""
    holds: Callable[..., Bools]
    """(n,) columns to (n,) bool; is the claim true of each block."""
    words: str
    """A format of the values of the columns at the block, e.g. ``{0:.0f} words``."""

    def of(self, columns: Mapping[str, ColumnValues]) -> Bools | None:
        """(n,) bool; None if a column is missing or is no numbers."""
        values = [columns.get(name) for name in self.columns]
        arrays = [np.asarray(array) for array in values if not isinstance(array, Bag | None)]
        return np.asarray(self.holds(*arrays)) if len(arrays) == len(values) else None

    def told(self, columns: Mapping[str, ColumnValues], block: int) -> str:
        """The words for a block of which it holds."""
        values = [columns[name] for name in self.columns]
        words = self.words.format(*(v[block] for v in values if not isinstance(v, Bag)))
        return words.replace("%", " %")


def _keeps(words: str, *columns: str, where: Callable[..., Bools]) -> Fact:
    return Fact(True, columns, where, words)


def _drops(words: str, *columns: str, where: Callable[..., Bools]) -> Fact:
    return Fact(False, columns, where, words)


def _is_true(values: Bools) -> Bools:
    return np.asarray(values != 0)


_INSIDE: Final = {
    "nav": False, "footer": False, "aside": False, "header": False, "form": False, "button": False,
    "label": False, "select": False, "dialog": False, "figcaption": False, "figure": False,
    "noscript": False, "table": False, "ul": False, "ol": False, "dl": False, "section": False,
    "article": True, "main": True, "blockquote": True, "pre": True,
}  # fmt: skip
"""Tag to whether standing inside such an element speaks for a block, the most telling first."""
_NAMED: Final = {
    "cookie": "a cookie notice", "modal": "a dialog", "navigation": "a menu",
    "footer": "a footer", "sidebar": "a sidebar", "related": "related links", "teaser": "a teaser",
    "share": "share buttons", "subscribe": "a subscription form", "comment": "a comment",
    "caption": "a caption", "author": "an author line", "hidden": "something hidden",
    "terms": "legal terms", "review": "a review", "product": "a product", "forum": "a forum",
}  # fmt: skip
"""Group of names to what such an element is called."""
_CONTAINERS: Final = {1: ("a paragraph (<p>)", True), 3: ("a list item (<li>)", False)}
"""Code of the innermost tag to what the block is, and whether that speaks for it."""


def _inside(tag: str, keeps: bool) -> Fact:
    return Fact(keeps, (f"inside.{tag}",), _is_true, f"inside <{tag}>")


def _named(group: str, called: str, keeps: bool) -> Fact:
    return Fact(keeps, (f"class.{group}",), _is_true, f"in an element named like {called}")


def _contained(code: int, called: str, keeps: bool) -> Fact:
    return Fact(keeps, ("container.tag",), lambda tag: tag == code, called)


FACTS: Final[Mapping[str, tuple[Fact, ...]]] = {
    "ancestors": (
        *(_inside(tag, keeps) for tag, keeps in _INSIDE.items()),
        _keeps("a heading (<h{0:d}>)", "heading.level", where=_is_true),
        _drops("a heading (<h{0:d}>)", "heading.level", where=_is_true),
        *(_contained(code, *said) for code, said in _CONTAINERS.items()),
        _drops("hidden on the page", "element.hidden", where=_is_true),
        _drops("not in a paragraph (<p>)", "container.tag", where=lambda tag: tag != 1),
    ),
    "center": (
        _keeps("in the part of the page with most text", "center.inside", where=_is_true),
        _drops("outside the part of the page with most text", "center.inside",
               where=lambda inside: inside == 0),
    ),
    "characters": (
        _keeps("with {0:.0f} punctuation marks", "char.punct-abs", where=lambda marks: marks > 1),
        _drops("with hardly any punctuation", "char.punct-rel", where=lambda share: share < 0.01),
        _drops("mostly other characters than letters", "char.alpha-rel",
               where=lambda share: share < _MOST),
    ),
    "class_groups": (
        *(_named(*item, keeps=False) for item in _NAMED.items()),
        _keeps("in an element named like body text", "class.body", where=_is_true),
        *(_named(*item, keeps=True) for item in _NAMED.items()),
        _drops("outside the elements named like body text", "class.body", "class-share.body",
               where=lambda body, share: (body == 0) & (share > 0)),
        _drops("in no element named like body text", "class.body", where=lambda body: body == 0),
        _drops("ending like a teaser", "more.own", where=_is_true),
        _drops("close to the text of a dialog", "dialog.near", where=_is_true),
    ),
    "declared": (
        _keeps("on a page that declares itself an article", "declared.type",
               where=lambda declared: declared == _ARTICLE),
        _drops("on a page that does not declare itself an article", "declared.type",
               where=lambda declared: declared != _ARTICLE),
    ),
    "document": (
        _keeps("on a page of {0:,.0f} words", "document.word-count",
               where=lambda words: words >= _MANY_WORDS),
        _drops("on a page of only {0:,.0f} words", "document.word-count",
               where=lambda words: words < _MANY_WORDS),
    ),
    "duplicates": (
        _drops("repeated ({0:.0f} times on the page)", "duplicate-count", "char.alpha-abs",
               where=lambda count, letters: (count > 1) & (letters > 0)),
        _keeps("not repeated on the page", "duplicate-count",
               where=lambda count: count == 1),
    ),
    "freetext": (
        _keeps("one of the longest texts of the page", "long40.own", where=lambda own: own > 0),
        _keeps("one of the longer texts of the page", "long15.own", where=lambda own: own > 0),
        _keeps("between longer texts", "long15.before",
               where=lambda before: (before > 0) & (before < 1)),
        _drops("after the last longer text", "long15.before", "long15.own",
               where=lambda before, own: (before > 0.999) & (own == 0)),
        _drops("before the first longer text", "long15.before", "long15.own", "page.max-free",
               where=lambda before, own, most: (before == 0) & (own == 0) & (most > _SOME_LONG)),
        _drops("not one of the longer texts of the page", "long15.own",
               where=lambda own: own == 0),
    ),
    "groups": (
        _keeps("in a box with {0:.0%} of the page's text", "div-group.word-ratio",
               where=lambda share: share >= _LARGE),
        _drops("in a box with hardly any of the page's text", "div-group.word-ratio",
               where=lambda share: share < _SMALL),
    ),
    "headings": (
        _drops("after the last longer text", "offset.last-long",
               where=lambda after: (after > 0) & (after < _NOWHERE)),
        _drops("before the first longer text", "offset.first-long", where=lambda after: after < 0),
        _drops("before the main heading (<h1>)", "offset.h1", where=lambda after: after < 0),
        _drops("above all headings", "heading.last-level", "heading.until",
               where=lambda level, until: (level == 0) & (until < _NONE)),
        _drops("a heading", "heading.since", where=lambda since: since == 0),
        _drops("{0:.0f} blocks below the last heading", "heading.since",
               where=lambda since: (since > 5) & (since < _NONE)),
        _drops("right above a heading", "heading.until", where=lambda until: until == 1),
        _keeps("after the main heading (<h1>)", "offset.h1",
               where=lambda after: (after > 0) & (after < _NOWHERE)),
        _keeps("between the first and the last longer text", "offset.first-long",
               "offset.last-long", where=lambda first, last: (first >= 0) & (last <= 0)),
        _keeps("a heading", "heading.since", where=lambda since: since == 0),
        _keeps("under a heading", "heading.since", where=lambda since: (since > 0) & (since <= 5)),
    ),
    "landmarks": (
        *(
            _keeps(f"in <{tag}> with {{0:.0%}} of the page's words", f"{tag}.share",
                   where=lambda share: share >= _LARGE)
            for tag in ("article", "main", "section")
        ),
        *(
            _drops(f"in <{tag}> with hardly any of the page's words", f"{tag}.share",
                   where=lambda share: (share >= 0) & (share < _SMALL))
            for tag in ("article", "section")
        ),
        _drops("outside <article> and <main>", "article.share", "main.share",
               where=lambda article, main: (article < 0) & (main < 0)),
    ),
    "links": (
        _drops("nothing but a link", "link.density", where=lambda share: share >= 0.999),
        _drops("mostly links", "link.density", where=lambda share: share >= _MOST),
        _drops("among links", "window.link-3", where=lambda share: share >= _MOST),
        _drops("with hardly any running text around it", "window.text-3",
               where=lambda words: words < _SPARSE),
        _drops("with no word outside links", "link.free-words", where=lambda words: words == 0),
        _drops("with one word outside links", "link.free-words", where=lambda words: words == 1),
        _drops("with only {0:.0f} words outside links", "link.free-words",
               where=lambda words: words <= _SHORT),
        _keeps("{0:.0f} words without a link", "link.free-words", "link.density",
               where=lambda words, share: (words >= _LONG) & (share == 0)),
        _keeps("amid running text", "window.text-3", where=lambda words: words >= _PROSE),
        _keeps("without links", "link.density", where=lambda share: share == 0),
    ),
    "page": (
        _drops("near the start of the page", "place.words-before", where=lambda at: at < 0.1),
        _drops("near the end of the page", "place.words-before", where=lambda at: at > 0.9),
        _drops("on a page that is mostly links", "page.link-density",
               where=lambda share: share >= _MOST),
        _drops("after most of the page's running text", "place.free-before",
               where=lambda at: at > 0.8),
        _drops("before most of the page's running text", "place.free-before",
               where=lambda at: at < 0.2),
        _keeps("in the middle of the page", "place.words-before",
               where=lambda at: (at > 0.2) & (at < 0.8)),
        _keeps("in the middle of the page's running text", "place.free-before",
               where=lambda at: (at > 0.1) & (at < 0.9)),
        _keeps("on a page with few links", "page.link-density", where=lambda share: share < 0.2),
    ),
    "paths": (
        _drops("among {1:.0f} blocks with the same markup that are mostly links",
               "path-class.link", "path-class.count",
               where=lambda link, count: (link >= _MOST) & (count >= _FEW)),
        _drops("among {1:.0f} blocks with the same markup that are short on average",
               "path-class.words", "path-class.count",
               where=lambda words, count: (words <= _SHORT) & (count >= _FEW)),
        _drops("with markup that no other block has", "path-class.count",
               where=lambda count: count == 1),
        _drops("with markup that holds hardly any of the page's words", "path-class.share",
               where=lambda share: share < _SMALL),
        _keeps("among {1:.0f} blocks with the same markup that are long on average",
               "path-class.words", "path-class.count",
               where=lambda words, count: (words >= _LONG) & (count >= _FEW)),
        _keeps("with markup that holds {0:.0%} of the page's words", "path-class.share",
               where=lambda share: share >= _LARGE),
    ),
    "records": (
        _drops("one of {0:.0f} similar items", "card.size", where=lambda size: size >= _FEW),
        _drops("one of {0:.0f} similar items", "record.size", where=lambda size: size >= _FEW),
        _keeps("one of {0:.0f} similar items", "card.size", where=lambda size: size >= _FEW),
        _keeps("one of {0:.0f} similar items", "record.size", where=lambda size: size >= _FEW),
        _keeps("not one of several similar items", "record.size", "card.size",
               where=lambda record, card: (record == 0) & (card == 0)),
    ),
    "regions": (
        _drops("in a box that is mostly links", "ancestor-1.link",
               where=lambda link: link >= _MOST),
        _drops("in a list or table that is mostly links", "list.link", "list.blocks",
               where=lambda link, blocks: (link >= _MOST) & (blocks > 1)),
        _drops("in a box with hardly any running text", "ancestor-1.density",
               where=lambda words: words < _SPARSE),
        _drops("in a box with hardly any of the page's words", "ancestor-1.share",
               where=lambda share: share < _SMALL),
        _keeps("in a box of running text", "ancestor-1.density", "ancestor-1.link",
               where=lambda words, link: (words >= _PROSE) & (link < _LARGE)),
        _keeps("in a box with {0:.0%} of the page's words", "ancestor-1.share",
               where=lambda share: share >= _LARGE),
        _keeps("in no list or table", "list.blocks", where=lambda blocks: blocks == 0),
    ),
    "sections": (
        _drops("in a section that is mostly links", "section-text.link",
               where=lambda link: link >= _MOST),
        _drops("in a section with hardly any running text", "section-text.density",
               where=lambda words: words < _SPARSE),
        _drops("in a section with hardly any of the page's words", "section-text.share",
               where=lambda share: share < _SMALL),
        _drops("before the main heading (<h1>)", "heading.after-h1", "offset.h1",
               where=lambda after, offset: (after == 0) & (offset < _NOWHERE)),
        _keeps("in a section with {0:.0%} of the page's words", "section-text.share",
               where=lambda share: share >= _LARGE),
        _keeps("in a section of running text", "section-text.density",
               where=lambda words: words >= _PROSE),
        _keeps("after the main heading (<h1>)", "heading.after-h1", where=_is_true),
    ),
    "sentences": (
        _keeps("ending like a sentence", "sentence-end", where=_is_true),
        _drops("not ending like a sentence", "sentence-end", where=lambda end: end == 0),
    ),
    "surroundings": (
        _drops("inside <nav>", "since-nav.blocks", where=lambda since: since == 0),
        _drops("with as many links as blocks around it", "ancestor-1.a",
               where=lambda links: links >= 1),
        _drops("amid form fields or buttons", "ancestor-1.input", where=lambda n: n > _MOST),
        _drops("amid text like other text of the page", "ancestor-1.dup",
               where=lambda share: share >= _MOST),
        _drops("before the first long text", "since-long.words", "until-long.blocks",
               where=lambda since, until: (since < 0) & (until < _NONE)),
        _drops("after the last long text", "until-long.blocks", "since-long.words",
               "place.from-end",
               where=lambda until, since, left: (until == _NONE) & (since > 0) & (left < _NONE)),
        _drops("far from long texts", "since-long.blocks", "until-long.blocks",
               where=lambda since, until: (since > 5) & (until > 5)),
        _drops("with no paragraphs (<p>) around it", "ancestor-1.p",
               where=lambda share: share == 0),
        _keeps("next to a long text", "since-long.blocks", "until-long.blocks",
               where=lambda since, until: (since == 1) | (until == 1)),
        _keeps("a long text", "since-long.blocks", where=lambda since: since == 0),
        _keeps("amid paragraphs (<p>)", "ancestor-1.p",
               where=lambda share: share >= _MOST),
    ),
    "title": (
        _keeps("like the title of the page", "title.jaccard", where=lambda j: j >= _ALIKE),
        _drops("like the title of the page", "title.jaccard", where=lambda j: j >= _ALIKE),
        _drops("before the block that is most like the title", "title.offset",
               where=lambda after: after < 0),
        _keeps("after the block that is most like the title", "title.offset",
               where=lambda after: (after > 0) & (after < _NOWHERE)),
    ),
    "words": (
        _drops("one word", "word.count", where=lambda count: count == 1),
        _drops("only {0:.0f} words", "word.count",
               where=lambda count: (count > 1) & (count <= _SHORT)),
        _drops("in mostly capitalized words", "word.capital-rel", "word.count",
               where=lambda share, count: (share >= 0.6) & (count >= _FEW)),
        _drops("with many digits", "word.digit-rel", where=lambda share: share >= 0.2),
        _drops("with a price", "word.price", where=_is_true),
        _drops("not ending like a sentence", "word.end", where=lambda end: end != 1),
        _keeps("{0:.0f} words", "word.count", where=lambda count: count >= _LONG),
        _keeps("ending like a sentence", "word.end", where=lambda end: end == 1),
    ),
}  # fmt: skip
"""Shipped module to its facts; of those that hold, the first is told."""
