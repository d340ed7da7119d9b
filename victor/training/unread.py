"""Columns of feature modules of users that a configuration measures and its model never reads."""

from __future__ import annotations

from victor.config.own_modules import OwnModule, module_name
from victor.model.extractor import FeatureExtractor
from victor.model.template import Template


def unread_modules(extractor: FeatureExtractor) -> list[str]:
    """What to do about modules that are files and none of whose columns is read, one line for each.

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
    advice = []
    for entry, feature in zip(config.features, extractor.features.features, strict=True):
        columns = tuple(column.name for column in feature.columns)
        if OwnModule.of(entry) and not read & {*columns}:
            advice.append(
                f"the model reads no column of {module_name(entry)}: add one to the template, e.g. "
                f"`template+: [{{column: {columns[0]}}}]`"
            )
    return advice
