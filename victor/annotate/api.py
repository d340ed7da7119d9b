"""The answers of the server: a method for every route, which returns plain data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from starlette.datastructures import QueryParams

from victor.annotate.adapting import Adapting
from victor.annotate.blocks import prepare_page, prepare_style_sheet
from victor.annotate.revisions import FINISHED, STATES, Conflict, Save, checked_name
from victor.annotate.store import Row, Store, StoredPage, View
from victor.annotate.suggestions import SuggestionWorker
from victor.base.errors import ConfigError, CorpusError, PageError
from victor.base.files import package_folder
from victor.base.processes import Calls
from victor.corpus.pages import unmarked
from victor.page.safe_page import asset

if TYPE_CHECKING:
    from markdown_it.token import Token

_ANY: Final = "all"  # the state of a query for pages of any state
_MOST: Final = 10_000  # pages of one answer, at most
_SHORT_WAIT: Final = 0.5
"""Seconds that a page waits for its suggestion; the front end asks for a later one again."""
_LONG_WAIT: Final = 10.0

Answer = dict[str, Any]


class Api:
    """The routes of one store.

    Args:
        store: pages and revisions.
        worker: computes suggestions.
        adapting: adapts the model to the pages that are done.
        processes: prepare pages and style sheets.
        guidelines: what the tool shows of how to label, as HTML.
    """

    def __init__(
        self,
        store: Store,
        worker: SuggestionWorker,
        adapting: Adapting,
        processes: Calls,
        guidelines: str = "",
    ) -> None:
        self.store, self._worker, self._adapting = store, worker, adapting
        self._processes, self._guidelines = processes, guidelines

    def session(self) -> Answer:
        """What the front end needs at its start."""
        return {
            "annotators": self.store.revisions.annotators(),
            "pages": self.store.pages.count(),
            "states": list(STATES),
            "store": str(self.store.path),
        }

    def guidelines(self) -> Answer:
        """How to label, as HTML."""
        return {"html": self._guidelines}

    def queue(self, query: QueryParams) -> Answer:
        """The pages in the order in which they were added, as one annotator sees them."""
        view = self._view(query)
        offset, limit = _number(query, "offset", 0), min(_number(query, "limit", 100), _MOST)
        rows = self.store.queue.rows(view, offset, limit)
        return {
            "pages": [_in_list(row, view.annotator) for row in rows],
            "total": self.store.queue.count(view),
            "states": self.store.queue.states(view.annotator),
            "labelled": self.store.queue.finished(),
        }

    def page(self, page_id: str, query: QueryParams) -> Answer:
        """The labels of a page and the suggestion for it."""
        annotator = checked_name(query.get("annotator"))
        page = self.store.pages.get(page_id)
        suggestion = self._suggestion(page_id, _SHORT_WAIT)
        following = self.store.queue.next_to_do(annotator, page)
        if following is not None:
            self._worker.prepare(following.id)
        return {**_described(page), **self._newest(page, annotator), **suggestion}

    def suggestion(self, page_id: str) -> Answer:
        """The suggestion for a page, once it is known."""
        self.store.pages.get(page_id)
        return self._suggestion(page_id, _LONG_WAIT)

    def save(self, page_id: str, save: Save) -> Answer:
        """Store a revision of the labels of an annotator."""
        if save.base is None and save.changes:
            raise CorpusError("changes need the revision they are made from; 0 before the first")
        if save.labels is not None:
            raise CorpusError("a save has changes, not labels")
        revision = self.store.revisions.save(page_id, save)
        if save.state in FINISHED:
            self._adapting.page_finished()
        return {"revision": revision}

    def adapt(self) -> Answer:
        """Begin to adapt, unless it has begun."""
        self._adapting.start()
        return self.adapted()

    def adapted(self) -> Answer:
        """Whether adapting is at an end, and what came of it."""
        return self._adapting.status._asdict()

    def conflict(self, error: Conflict) -> Answer:
        """The revision that is newer than the base of a save."""
        head = error.head
        page = self.store.pages.get(head.page)
        return {"annotator": head.annotator, **self._newest(page, head.annotator)}

    def shown(self, page_id: str) -> bytes:
        """A page without anything alive, in UTF-8, if its blocks are those that were labelled."""
        page, html = self.store.pages.get(page_id), self.store.pages.html(page_id)
        asset_base = "" if page.file is None else f"/page/{quote(page_id, safe='')}/asset"
        content, cut = self._processes.call(prepare_page, html, asset_base)
        if cut != page.cut:
            raise CorpusError(
                f"page {page_id} has other blocks now than when it was added, its labels would "
                "shift; open this store with the Victor that made it"
            )
        return content

    def asset(self, page_id: str, path: str) -> tuple[bytes, str]:
        """A file beside the page, and its media type."""
        page = self.store.pages.get(page_id)
        if page.file is None:
            raise PageError("no-asset", f"page {page_id} came without a file")
        content, media_type = asset(Path(page.file), path)
        if media_type.startswith("text/css"):
            content = self._processes.call(prepare_style_sheet, content)
        return content, media_type

    def _suggestion(self, page_id: str, seconds: float) -> Answer:
        """The suggestion for a page, waiting for it so many seconds."""
        known = self._worker.suggestion(page_id, seconds)
        if known is None:
            return {"suggestion": None, "suggesting": self._worker.is_coming(page_id)}
        name, (labels, confidence) = known
        suggestion = {"labeler": name, "labels": labels, "confidence": confidence.tolist()}
        return {"suggestion": suggestion, "suggesting": False}

    def _newest(self, page: StoredPage, annotator: str) -> Answer:
        head = self.store.revisions.head(page.id, annotator)
        if head is None:
            labels = unmarked(page.n_blocks)
            return {"revision": 0, "state": "todo", "labels": labels, "decided": []}
        return {
            "revision": head.revision,
            "state": head.state,
            "labels": self.store.revisions.labels_at(head.revision),
            "decided": self.store.revisions.decided(head.revision),
        }

    def _view(self, query: QueryParams) -> View:
        annotator = checked_name(query.get("annotator"))
        state = query.get("state") or _ANY
        if state not in (_ANY, *STATES):
            raise CorpusError(f"state has to be {_ANY} or one of {', '.join(STATES)}")
        return View(annotator, None if state == _ANY else state)


def _described(page: StoredPage) -> Answer:
    name = PurePosixPath(page.file).name if page.file is not None else page.id
    return {
        "id": page.id,
        "number": page.number,
        "title": page.title or name,
        "url": page.url,
        "n_blocks": page.n_blocks,
    }


def _in_list(row: Row, annotator: str) -> Answer:
    state = row.states.get(annotator, "todo")
    return {**_described(row.page), "state": state, "annotators": [*row.states]}


def _number(query: QueryParams, name: str, default: int) -> int:
    value = query.get(name, str(default))
    if not value.isdecimal() or len(value) > 9:
        raise CorpusError(f"{name} has to be a number")
    return int(value)


OURS: Final = package_folder("victor.annotate") / "front" / "guidelines.md"
_TOP: Final = 4  # level of the largest heading in a text, below those of the help
_LOWEST: Final = 6
_LINKED: Final = re.compile(r"(?:https?|mailto):", re.IGNORECASE)


def guidelines(file: Path | None = None) -> str:
    """Guidelines as HTML without anything that runs, loads or submits.

    Args:
        file: in Markdown; None for the short ones that come with the tool.

    Raises:
        ConfigError: the file cannot be read, or is not in UTF-8.
    """
    file = file or OURS
    try:
        return rendered(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not UTF-8 ({error.reason}); write it in UTF-8") from None


def rendered(markdown: str) -> str:
    """Markdown (CommonMark and tables) as HTML.

    Tags in it are text, pictures become links, links lead to http, https and mail addresses only
    and open a new tab. No element has a style of its own, which the policy of the tool forbids.
    """
    from markdown_it import MarkdownIt  # of an extra

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.validateLink = lambda url: bool(_LINKED.match(url))  # type: ignore[method-assign]
    tokens = parser.parse(markdown)
    _make_harmless(tokens)
    return str(parser.renderer.render(tokens, parser.options, {}))


def _make_harmless(tokens: Sequence[Token]) -> None:
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    shift = _TOP - min(levels, default=_TOP)
    for token in tokens:
        token.attrs.pop("style", None)  # of aligned cells
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + shift, _LOWEST)}"
        for inline in token.children or ():
            if inline.type == "link_open":
                inline.attrs |= {"target": "_blank", "rel": "noopener noreferrer"}
