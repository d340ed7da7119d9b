"""DOM + named entities: filters and removers, the article's subtree, and the images that fit it.

Source: Agarwal, Chheda, Shah, Narvekar: Content extraction using document object model and natural
language processing for web. IJCSE 3(2), 2014; filters and removers are those of Gupta, Kaiser,
Neistadt, Grimm: DOM-based content extraction of HTML documents. WWW 2003.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from victor.config import Limits
from victor.labelers.dom import ads, images
from victor.labelers.dom.ads import AdHosts
from victor.labelers.dom.entities import Recogniser, load_recogniser
from victor.labelers.dom.findings import Findings
from victor.labelers.dom.images import Extras
from victor.labelers.dom.native_output import output
from victor.labelers.dom.removal import ATTRIBUTES
from victor.labelers.dom.settings import Settings
from victor.model.decide import Decision, decide
from victor.page.blocks import BlockTable
from victor.page.events import record
from victor.page.segment import segment
from victor.page.verdict import Verdict, marginals

NAME: Final = "dom"


def labeler(settings: Settings) -> DomLabeler:
    """The labeler with given constants.

    Raises:
        ConfigError: a list or model that they name is missing.
    """
    named = settings.entities
    return DomLabeler(
        settings,
        ads.load(settings.ads.lists),
        load_recogniser(named.recogniser, model=named.model, lemmas=named.lemmas),
    )


@dataclass(frozen=True)
class DomLabeler:
    """The system as a `Labeler`; its verdicts also hold images and links.

    Pages are cut at block-level tags. Threshold 0.5 gives what the steps decide; a lower one keeps
    only the densest of these blocks, a higher one adds the densest of the others. Kept headings h1
    to h6 are labelled header, all other kept blocks text.

    Attributes:
        settings: the constants.
        hosts: ad servers.
        recogniser: finds named entities.
        name: ``dom``.
        canonical: its segments are those that labels of annotated pages belong to.
        decision: threshold 0.5.
        presets: none.
    """

    settings: Settings
    hosts: AdHosts
    recogniser: Recogniser
    name: str = NAME
    canonical: bool = True
    decision: Decision = field(default_factory=Decision)
    presets: Mapping[str, float] = field(default_factory=dict)

    @property
    def limits(self) -> Limits:
        """Bounds of one page."""
        return self.settings.limits

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes."""
        return segment(record(pages, attributes=ATTRIBUTES), "block")

    def find(self, table: BlockTable) -> Findings:
        """The findings of the steps on the pages of a batch."""
        return Findings.of(table, self.settings, self.hosts)

    def label(self, table: BlockTable, decision: Decision | None = None) -> Verdict:
        """Marginals and labels of every block of a batch.

        Raises:
            ConfigError: the decision wants a sequence model.
        """
        findings = self.find(table)
        probabilities = marginals(findings.keep(), table.heading_level > 0)
        chosen = decision or self.decision
        labels = decide(probabilities, table, chosen)
        method = decision.method if decision else self.name
        more = partial(self._more, findings)
        return Verdict(table, labels, probabilities, method, more, self.output)

    def extras(self, findings: Findings, verdict: Verdict, page: int) -> Extras:
        """The images of a page that stay and the removed links; see `dom.images`."""
        kept = images.images(findings, verdict, page, self.recogniser, self.settings)
        return Extras((*kept,), (*images.removed_links(findings, verdict, page),))

    def output(self, verdict: Verdict, page: int, markup: bytes | None = None) -> str:
        """A page in the form of the settings; see `dom.native_output`.

        Raises:
            ConfigError: the form is HTML and there is no markup of the page.
        """
        findings = self.find(verdict.table)
        extras = self.extras(findings, verdict, page)
        return output(findings, verdict, page, self.settings, markup=markup, extras=extras)

    def _more(self, findings: Findings, verdict: Verdict, page: int) -> Mapping[str, Any]:
        """Images that stay, and removed links if the settings list them, as plain data."""
        extras = self.extras(findings, verdict, page)
        images = [
            {"url": one.url, "alt": one.alt, "caption": one.caption, "relevance": one.relevance}
            for one in extras.images
        ]
        links = [{"url": link.url, "text": link.text} for link in extras.removed_links]
        listed = {"removed_links": links} if self.settings.output.removed_links else {}
        return {"images": images, **listed}
