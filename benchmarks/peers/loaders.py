"""How each Python system is called: with its defaults, in its own child process.

Every loader imports its package, prepares what is prepared once, and returns a `Peer`. A system
that decodes pages itself gets bytes, the others text that `victor.page.decoding.decode` made. What
gives HTML is turned into text by `html_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

Page = bytes | str
Extract = Callable[[Any, str | None, str | None], str | None]
"""One page, its language and its address (None if not known) to text."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A system that is ready.

    Attributes:
        takes: `bytes`, or `str` for decoded text.
        packages: distributions whose versions are reported.
        extract: pages, languages and addresses to texts; an exception stands for a page that
            failed.
    """

    takes: type
    packages: tuple[str, ...]
    extract: Callable[
        [Sequence[Any], Sequence[str | None], Sequence[str | None]], list[str | Exception]
    ]


def each(
    extract: Extract,
) -> Callable[[Sequence[Any], Sequence[str | None], Sequence[str | None]], list[str | Exception]]:
    """Pages one by one; what is raised costs one page."""

    def one(page: Page, language: str | None, url: str | None) -> str | Exception:
        try:
            return extract(page, language, url) or ""
        except Exception as error:
            return error

    return lambda pages, languages, urls: [
        one(*page) for page in zip(pages, languages, urls, strict=True)
    ]


# --- HTML to text --------------------------------------------------------------------------------

_BLOCKS: Final = frozenset(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol "
    "optgroup option p pre section summary table tbody td tfoot th thead tr ul".split()
)
_SILENT: Final = frozenset({"script", "style", "noscript", "template"})


def html_text(markup: str) -> str:
    """Text of the HTML that some systems give; a line break wherever a block begins or ends."""
    from lxml import etree  # the child of another system need not load it

    if not markup.strip():
        return ""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True)
    root = etree.fromstring(markup.encode("utf-8", "replace"), parser)
    parts: list[str] = []
    silent = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if element.tag in _SILENT:
            silent += 1 if event == "start" else -1
        if element.tag in _BLOCKS:
            parts.append("\n")
        text = element.text if event == "start" else element.tail
        if text and not silent:
            parts.append(text)
    return "".join(parts)


# --- Systems -------------------------------------------------------------------------------------


def _victor(**options: Any) -> Callable[[], Peer]:
    def load() -> Peer:
        import victor

        def extract(pages: Sequence[Any], _: object, __: object) -> list[str | Exception]:
            return [result.error or result.text for result in victor.clean_many(pages, **options)]

        return Peer(bytes, ("victor-crf", "lxml", "numpy"), extract)

    return load


def _trafilatura(**options: bool) -> Callable[[], Peer]:
    def load() -> Peer:
        from trafilatura import extract

        return Peer(bytes, ("trafilatura",), each(lambda page, _, __: extract(page, **options)))

    return load


_STOPLISTS: Final = {
    "cs": "Czech", "de": "German", "en": "English", "es": "Spanish", "fr": "French",
    "id": "Indonesian", "it": "Italian", "pl": "Polish", "pt": "Portuguese", "sk": "Slovak",
}  # fmt: skip


def _justext(*, by_language: bool) -> Callable[[], Peer]:
    def load() -> Peer:
        from justext import get_stoplist, justext

        lists = {language: get_stoplist(name) for language, name in _STOPLISTS.items()}

        def extract(page: str, language: str | None, _: object) -> str:
            words = lists.get(language or "en", lists["en"]) if by_language else lists["en"]
            return "\n".join(p.text for p in justext(page, words) if not p.is_boilerplate)

        return Peer(str, ("jusText",), each(extract))

    return load


def _readability() -> Peer:
    from readability import Document

    def extract(page: str, _: object, __: object) -> str:
        return html_text(Document(page).summary())

    return Peer(str, ("readability-lxml",), each(extract))


def _resiliparse() -> Peer:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def extract(page: bytes, _: object, __: object) -> str:
        tree = HTMLTree.parse_from_bytes(page, detect_encoding(page))
        return str(extract_plain_text(tree, main_content=True))

    return Peer(bytes, ("resiliparse",), each(extract))


def _newspaper() -> Peer:
    from newspaper import Article, Config

    config = Config()
    config.fetch_images = False  # nothing may be fetched

    def extract(page: str, _: object, url: str | None) -> str:
        article = Article(url or "http://page.invalid/", config=config)
        article.download(input_html=page)
        article.parse()
        return str(article.text)

    return Peer(str, ("newspaper4k",), each(extract))


def _goose() -> Peer:
    from goose3 import Goose

    goose = Goose({"enable_image_fetching": False})

    def extract(page: str, _: object, __: object) -> str:
        return str(goose.extract(raw_html=page).cleaned_text)

    return Peer(str, ("goose3",), each(extract))


def _boilerpy(extractor: str) -> Callable[[], Peer]:
    def load() -> Peer:
        from boilerpy3 import extractors

        ready = getattr(extractors, extractor)()
        return Peer(str, ("boilerpy3",), each(lambda page, _, __: ready.get_content(page)))

    return load


def _magic_html() -> Peer:
    from magic_html import GeneralExtractor

    extractor = GeneralExtractor()

    def extract(page: str, _: object, url: str | None) -> str:
        return html_text(extractor.extract(page, base_url=url or "http://page.invalid/")["html"])

    return Peer(str, ("magic-html",), each(extract))


LOADERS: Final[dict[str, Callable[[], Peer]]] = {
    "victor": _victor(),
    "victor-kimatu": _victor(labeler="kimatu"),
    "victor-crf": _victor(model="crf"),
    "victor-crf-0.5": _victor(model="crf", threshold=0.5),
    "victor-czech": _victor(model="czech"),
    "victor-0.5": _victor(threshold=0.5),
    "trafilatura": _trafilatura(),
    "trafilatura-fast": _trafilatura(fast=True),
    "trafilatura-recall": _trafilatura(favor_recall=True),
    "justext-english": _justext(by_language=False),
    "justext-language": _justext(by_language=True),
    "readability-lxml": _readability,
    "resiliparse": _resiliparse,
    "newspaper4k": _newspaper,
    "goose3": _goose,
    "boilerpy3-article": _boilerpy("ArticleExtractor"),
    "boilerpy3-default": _boilerpy("DefaultExtractor"),
    "magic-html": _magic_html,
}
