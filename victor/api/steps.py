"""A page from its bytes to its result: the whole of Victor in one file, a step a room.

`ready` decodes a page (`victor.page`). `finished` reads the pages of a batch into one block table,
labels its blocks (`victor.labelers`: features, trees, a chain and a decision), and judges what the
labels leave open (`victor.kinds`: whole lists and tables, headlines, comments, copies). `result`
says what became of a page, and looks into the scripts of one that shows nearly nothing. Text and
other forms of a result are written when they are asked for (`victor.render`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec.structs import replace

from victor.api.result import Described, Result
from victor.base.errors import PageError
from victor.page.allowance import Allowance, Within, check_blocks, check_bytes
from victor.page.decoding.decode import Decoded, decode, utf8
from victor.page.parsing.tags import IDS
from victor.page.source import Source, checked, refuse_other_formats, with_paragraphs
from victor.page.table.blocks import NEARLY_EMPTY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from victor.config.schema import Limits, Scope
    from victor.explain.demo_steps import Cleaned
    from victor.kinds.finish import Finished
    from victor.labelers.labeler import Labeler
    from victor.model.decide import Decision
    from victor.page.table.blocks import BlockTable
    from victor.page.verdict.verdict import Verdict


class How(NamedTuple):
    """How pages are cleaned."""

    labeler: Labeler
    decision: Decision | None  # None leaves it to the labeler
    limits: Limits
    scope: Scope

    def cleaned(self, markup: bytes, url: str | None) -> Cleaned:
        """What a demo shows: a page, and how it was cleaned."""
        from victor.explain.demo_steps import Cleaned  # few ask for it

        return Cleaned(markup, url, self.labeler, self.decision, self.scope)


class Ready(NamedTuple):
    """A page in UTF-8, and how its bytes were read."""

    source: Source
    decoded: Decoded
    markup: bytes


def ready(source: Source, limits: Limits) -> Ready:
    """Decode a page.

    Raises:
        PageError: it is none, it is another format, or it is beyond the limits.
    """
    page = checked(source.page)
    check_bytes(len(page), limits.bytes)
    refuse_other_formats(page)
    decoded = decode(page, declared=source.charset)
    markup = with_paragraphs(utf8(page, decoded))
    if isinstance(page, str):  # its bytes are more than its characters
        check_bytes(len(markup), limits.bytes)
    return Ready(source, decoded, markup)


def finished(how: How, markups: Sequence[bytes]) -> list[Finished]:
    """Read, label and judge the pages of a batch."""
    from victor.kinds.finish import finish  # `import victor` needs little

    allowance = Allowance(seconds=how.limits.seconds)
    table = how.labeler.table(markups)
    check_table(table, how.limits)
    allowance.check()
    with Within(table.allowances, allowance):
        labelled = how.labeler.label(table, how.decision)
        verdicts = finish(labelled, markups, how.scope)
    allowance.check()
    return verdicts


def check_table(table: BlockTable, limits: Limits) -> None:
    """Hold a batch against the limit; a batch with a page over it is tried page by page."""
    if len(table) > limits.blocks:
        check_blocks(int(np.diff(table.page_starts).max(initial=0)), limits.blocks)


def result(how: How, page: Ready, finished: Finished) -> Result:
    """What became of a page; of one that shows nearly nothing, what its scripts hold."""
    verdict, number, n_kept, n_characters = finished
    table, decoded = verdict.table, page.decoded
    read = (decoded.encoding, decoded.reason, decoded.is_whole)
    described = Described(table, number, page.markup, *read)
    if n_characters < NEARLY_EMPTY and (found := _recovered(how, page, described)):
        return found
    if n_kept:
        reason = "ok"
    elif table.page_starts[number] < table.page_starts[number + 1]:
        reason = verdict.why_nothing(number)
    else:
        has_frames = (table.elements.tag[table.page_of_element == number] == IDS["frameset"]).any()
        reason = "frames" if has_frames else "no-text"
    return _of_verdict(how, page, verdict, number, described, reason)


def _recovered(how: How, page: Ready, described: Described) -> Result | None:
    """The result of the content that a page embeds; None where nothing of it is kept."""
    from victor.page.markup.embedded import recovered  # few pages need it

    content = recovered(page.markup, lambda: described.table.heads[described.number])
    if content is None:
        return None
    try:
        ((verdict, number, n_kept, _),) = finished(how, [content.markup])
    except PageError:  # the page itself is within the limits
        return None
    if not n_kept:
        return None
    described = replace(described, recovered=content.source)
    page = page._replace(markup=content.markup)
    return _of_verdict(how, page, verdict, number, described, "ok")


def _of_verdict(
    how: How, page: Ready, verdict: Verdict, number: int, described: Described, reason: str
) -> Result:
    return Result(
        page.source.url, reason, _verdict=verdict, _number=number, _markup=page.markup,
        _headline=how.scope.headline, _limits=how.limits, _cleaned=how.cleaned,
        _described=described,
    )  # fmt: skip
