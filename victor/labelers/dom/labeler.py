"""DOM + named entities: filters and removers, the article's subtree, and the images that fit it.

Source: Agarwal, Chheda, Shah, Narvekar: Content extraction using document object model and natural
language processing for web. IJCSE 3(2), 2014; filters and removers are those of Gupta, Kaiser,
Neistadt, Grimm: DOM-based content extraction of HTML documents. WWW 2003.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from msgspec import structs

from victor.labelers.dom.findings import Findings, clues
from victor.labelers.dom.native_output import output
from victor.labelers.dom.relevance import (
    CAPITALS,
    Extras,
    Recogniser,
    images,
    load_recogniser,
    removed_links,
    unrelated,
)
from victor.labelers.dom.removal import AdHosts, Settings, ad_hosts, blocks_of, shows_alternatives
from victor.labelers.labeler import System
from victor.labelers.rules import Clue, RuleLabeler
from victor.model.decide import Decision
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import Verdict

NAME: Final = "dom"
_OF_IMAGES: Final = ("url", "alt", "caption", "relevance")


def labeler(settings: Settings) -> DomLabeler:
    """The labeler with given constants.

    Raises:
        ConfigError: a list or function that they name is missing.
    """
    hosts, recogniser = ad_hosts(settings.ads_lists), load_recogniser(settings.entities_recogniser)
    find = partial(findings, settings=settings, hosts=hosts, recogniser=recogniser)
    return DomLabeler(
        NAME,
        lambda table: find(table).keep(),
        limits=settings.limits,
        scope=settings.scope,
        canonical=not shows_alternatives(settings),
        settings=settings,
        find=find,
        recogniser=recogniser,
    )


def code_of(settings: Settings) -> str | None:
    """The function that recognises entities, which is code."""
    named = settings.entities_recogniser
    return None if named == CAPITALS else named


SYSTEM: Final = System(Settings, labeler, code_of=code_of)


def findings(
    table: BlockTable, settings: Settings, hosts: AdHosts, recogniser: Recogniser
) -> Findings:
    """The findings of all steps on the pages of a batch."""
    steps = Findings.of(table, settings, hosts)
    return replace(steps, unrelated=unrelated(steps, recogniser, settings))


@dataclass(frozen=True, kw_only=True)
class DomLabeler(RuleLabeler):
    """A rule labeler whose verdicts also hold images and links.

    Threshold 0.5 gives what the steps decide; a lower one keeps only the densest of these blocks, a
    higher one adds the densest of the others.
    """

    settings: Settings  # the constants
    # table to the findings of the steps on the pages of a batch
    find: Callable[[BlockTable], Findings]
    recogniser: Recogniser  # finds named entities

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes."""
        return blocks_of(pages, self.settings)

    def clues(self, table: BlockTable) -> Sequence[Clue]:
        """What the steps found of the blocks of a batch."""
        return clues(self.find(table))

    def label(self, table: BlockTable, decision: Decision | None = None) -> Verdict:
        """Marginals and labels of every block of a batch.

        Raises:
            ConfigError: the decision wants a sequence model.
        """
        findings = self.find(table)
        verdict = self.verdict(table, findings.keep(), decision)
        return structs.replace(
            verdict, extras=partial(self._more, findings), native=self.output, cut=findings.cut
        )

    def extras(self, findings: Findings, verdict: Verdict, page: int) -> Extras:
        """The images of a page that stay and the removed links; see `dom.relevance`."""
        kept = images(findings, verdict, page, self.recogniser, self.settings)
        return Extras((*kept,), (*removed_links(findings, verdict, page),))

    def output(self, verdict: Verdict, page: int, markup: bytes | None = None) -> str:
        """A page in the form of the settings; see `dom.native_output`.

        Raises:
            ConfigError: the form is HTML and there is no markup of the page.
        """
        findings = self.find(verdict.table)
        extras = self.extras(findings, verdict, page)
        return output(findings, verdict, page, self.settings, extras, markup)

    def _more(self, findings: Findings, verdict: Verdict, page: int) -> Mapping[str, Any]:
        extras = self.extras(findings, verdict, page)
        shown = [{key: getattr(one, key) for key in _OF_IMAGES} for one in extras.images]
        links = [{"url": link.url, "text": link.text} for link in extras.removed_links]
        listed = {"removed_links": links} if self.settings.output_removed_links else {}
        removed = findings.removed_words(verdict, page)
        return {"images": shown, "removed_words": removed, **listed}
