"""Columns of feature modules of users that a configuration measures and its model never reads."""

from __future__ import annotations

from victor.config.own_modules import OwnModule, module_name
from victor.model.extractor import FeatureExtractor
from victor.model.template import Template


def unread_modules(extractor: FeatureExtractor) -> dict[str, tuple[str, ...]]:
    """Modules that are files and none of whose columns is read, each with its columns.

    Shipped modules are left out: most templates read but some of their columns.

    Args:
        extractor: holds the configuration and its features.

    Raises:
        TemplateError: the template does not fit the columns.
    """
    config, kinds = extractor.config, extractor.kinds
    bags = [name for name, kind in kinds.items() if kind == "bag"]
    numbers = [name for name, kind in kinds.items() if kind != "bag"]
    template = Template.from_config(config.template, columns=numbers, bags=bags)
    read = {*template.names, config.crf.edges}
    unread = {}
    for entry, feature in zip(config.features, extractor.features.features, strict=True):
        columns = tuple(column.name for column in feature.columns)
        if OwnModule.of(entry) and not read & {*columns}:
            unread[module_name(entry)] = columns
    return unread
