"""The modules of the package, features and configurations with it."""

from pathlib import Path

ROOT = Path(__file__).parents[1]


def modules() -> dict[str, str]:
    """Name to source of every module, by the name as which it is imported."""
    found = {}
    for folder, above in (("victor", "victor"), ("features", "victor.features")):
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = [above, *file.relative_to(ROOT / folder).with_suffix("").parts]
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = file.read_text("utf-8")
    return found
