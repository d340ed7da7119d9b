"""What the demo page of our own pages is made of is what it was when somebody last looked.

``pytest tests/explain/demo/test_data.py --update`` writes what comes out into `data.yaml`: of each
page and labeler a digest of every part of the data.
"""

import json
import re
from hashlib import blake2b
from pathlib import Path

import pytest

from victor.api import CleanerSpec

FILE = Path(__file__).with_name("data.yaml")
PAGES = ("loamhub-bed-six", "saltmarsh-oysters", "zpravy-lhota-sypka", "corvane-404")
_DATA = re.compile(r'<script id="data" type="application/json">(.*?)</script>')


@pytest.mark.parametrize("name", ["default", "crf", "kimatu", "density"])
def test_what_is_shown(name, annotated, held):
    cleaner = CleanerSpec.named(name).cleaner()
    found = {}
    for page in annotated:
        if page.id in PAGES:
            data = json.loads(_DATA.search(cleaner.clean(page.html).demo())[1])
            written = {part: json.dumps(value).encode() for part, value in data.items()}
            found[page.id] = {
                part: f"{len(value)} {blake2b(value, digest_size=4).hexdigest()}"
                for part, value in written.items()
            }
    assert found == held(FILE, name, found)
