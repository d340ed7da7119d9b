"""`benchmarks/train_models.sh` gives the files that ship, and says what it needs."""

import hashlib
from pathlib import Path

from victor.labelers.crf import load_model

ROOT = Path(__file__).resolve().parents[2]


def test_the_model_card_names_the_files_that_ship():
    card = (ROOT / "docs/reports/model-card.md").read_text(encoding="utf-8")
    files = sorted((ROOT / "victor/models").glob("*.victor"))
    assert len(files) == 3
    for path in files:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        fingerprint = load_model(path.stem).card["fingerprint"]
        assert f"| `{path.stem}` | `{fingerprint}` | `{digest}` |" in card
