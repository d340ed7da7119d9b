"""Pages of sites, sighted and counted."""

from typing import NamedTuple

import numpy as np
import pytest

from victor.page.parsing.events import record
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import segment
from victor.sites.columns import SitePages
from victor.sites.counts import SIGHTS, SiteCounts, Totals, count_sites
from victor.sites.sightings import Pages, sight, sighting


class Counted(NamedTuple):
    """Pages that were sighted and counted."""

    totals: Totals
    counts: SiteCounts
    table: BlockTable
    marginals: np.ndarray
    pages: Pages
    known: SitePages
    rows: list


@pytest.fixture
def count(tmp_path_factory):
    """Function: markup of pages and their addresses to what was counted."""

    def run(pages, urls, marginals=None, parts=1):
        folder = tmp_path_factory.mktemp("sights")
        markup = [page.encode() for page in pages]
        table = segment(record(markup, attributes=("class",)), "block")
        if marginals is None:
            marginals = np.random.default_rng(2).dirichlet((1, 2, 3), len(table))
        sources = Pages.of_urls(urls)
        data = sight(table, marginals, sources)
        for part in range(parts):
            name = folder / f"part-{part:05d}{SIGHTS}"
            bounds = np.linspace(0, len(data), parts + 1).astype(int)
            name.write_bytes(b"".join(data[bounds[part] : bounds[part + 1]]))
        totals = count_sites(folder)
        counts = SiteCounts(folder)
        known = SitePages.of(counts, table, sources)
        rows = [sighting(np.frombuffer(each, np.uint8), 0) for each in data]
        return Counted(totals, counts, table, marginals, sources, known, rows)

    return run
