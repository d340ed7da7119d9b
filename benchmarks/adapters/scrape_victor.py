"""Victor in fundus-evaluation.

Copy this file into `src/fundus_evaluation/` of its checkout and import `scrape_victor` in
`scrapers.py`, which finds scrapers by the start of their names.
"""

import sys

import victor


def scrape_victor(*, url, html, publisher_identifier, crawl_date):
    """Paragraphs of the article; none if the page cannot be cleaned."""
    try:
        text = victor.clean(html, url).text.strip()
        return text.split("\n\n") if text else []
    except victor.PageError as error:
        print(f"{publisher_identifier} {url}: {error}", file=sys.stderr)
        return []
