"""Feature modules of users in model files: a text for each, its SHA-256 in the document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from victor.config.own_modules import OwnModule, check_name, names
from victor.errors import ModelError

_FOLDER: Final = "features/"
"""Of the members that hold sources."""
_HASH: Final = "sha256"


def parted(config: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """A configuration as plain data with hashes in the place of sources, and these by member."""
    entries, sources = [], {}
    for entry in config["features"]:
        module = OwnModule.of(entry)
        if module is not None:
            sources[_FOLDER + module.name] = module.source
            kept = {key: value for key, value in module.entry().items() if key != "source"}
            entries.append({**kept, _HASH: module.sha256})
        else:
            entries.append(entry)
    return {**config, "features": entries}, sources


def joined(path: Path, config: object, read: Callable[[Path, str], str]) -> object:
    """The configuration with the sources in the place of their hashes.

    Args:
        path: the model file.
        config: what `parted` made; whatever else it is is given back as it is.
        read: reads a member of the file.

    Raises:
        ModelError: a source is missing or is another one than was stored.
    """
    if not isinstance(config, Mapping) or not isinstance(config.get("features"), list):
        return config
    try:
        features = [_joined(path, entry, read) for entry in config["features"]]
    except ValueError as error:
        raise ModelError(f"{path} is damaged: features: {error}; restore it") from None
    return {**config, "features": features}


def _joined(path: Path, entry: object, read: Callable[[Path, str], str]) -> object:
    """One entry with its source, if it has one.

    Raises:
        ValueError: its name is none.
    """
    if not isinstance(entry, Mapping) or _HASH not in entry:
        for name in names([entry]):
            raise ModelError(
                f"{path} names the feature module {name} and does not hold its source: train again"
            )
        return entry
    name = str(entry.get("module"))
    check_name(name)
    source = read(path, _FOLDER + name)
    if sha256(source.encode()).hexdigest() != entry[_HASH]:
        raise ModelError(
            f"{path}: the source of the feature module {name} is not the one that the model was "
            "trained with (its SHA-256 is another one); get the model again"
        )
    kept = {key: value for key, value in entry.items() if key != _HASH}
    return {**kept, "source": source}
