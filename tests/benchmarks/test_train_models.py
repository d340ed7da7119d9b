"""`benchmarks/train_models.sh` gives the files that ship, and says what it needs."""

import hashlib
import subprocess
from pathlib import Path

from victor.labelers.load import load_model

ROOT = Path(__file__).resolve().parents[2]


def test_the_model_card_names_the_files_that_ship():
    card = (ROOT / "docs/reports/model-card.md").read_text(encoding="utf-8")
    files = sorted((ROOT / "victor/models").glob("*.victor"))
    assert len(files) == 3
    for path in files:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        fingerprint = load_model(path.stem).card["fingerprint"]
        assert f"| `{path.stem}` | `{fingerprint}` | `{digest}` |" in card


def test_the_script_names_every_corpus_that_is_absent(tmp_path):
    (tmp_path / "corpora/canola").mkdir(parents=True)
    script = ROOT / "benchmarks/train_models.sh"
    command = ["bash", script, tmp_path / "work", tmp_path / "corpora"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    absent = "wcxb-dev news424-dev harvest-dev fundus-dev threads-dev magic-dev"
    assert f"lacks {absent}: docs/reports/data.md says" in run.stderr
    assert not (tmp_path / "work").exists()
