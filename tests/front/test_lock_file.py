"""The lock file of the front end's tools."""

from pathlib import Path


def test_it_names_no_host():
    """Whoever installs uses their own registry."""
    text = (Path(__file__).parents[2] / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity"' in text
    assert "://" not in text, "delete the `resolved` and `funding` entries of package-lock.json"
