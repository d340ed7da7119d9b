"""Configuration: one schema, shipped YAML files, files of the user, and ``a.b=c`` overrides.

A layer is put over the one below it as RFC 7386 (JSON merge patch) says: tables merge key by key,
lists and values replace, and null takes a key back to the default of the schema.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from importlib import resources
from itertools import product
from pathlib import Path
from reprlib import repr as shortened
from typing import Annotated, Any, Final, Literal, TypeGuard, TypeVar, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from victor.config import yaml12
from victor.errors import ConfigError

_CONFIGS: Final = "victor.configs"
_TEMPLATES: Final = "victor.templates"
_DISCRETIZERS: Final[tuple[str, ...]] = ("bool", "category", "edges", "quantiles", "scale")
"""The kinds; only the first two go without a parameter."""
_DISCRETIZER_FORMS: Final = "bool, category, edges: [..], scale: N, category: N, quantiles: N"


def _is_features(value: object) -> tuple[object, ...]:
    """Modules, each NAME or NAME: {parameter: value}; `victor.features` knows which there are."""
    if not isinstance(value, list | tuple):
        raise ValueError("should be a list of feature modules")
    for entry in value:
        pairs = [*entry.items()] if isinstance(entry, Mapping) else [(entry, None)]
        if len(pairs) != 1 or not isinstance(pairs[0][0], str):
            raise ValueError(f"wants NAME or NAME: {{parameter: value}}, got {shortened(entry)}")
        if not isinstance(pairs[0][1], Mapping | None):
            raise ValueError(f"wants parameters as {{parameter: value}}, got {shortened(entry)}")
    return tuple(value)


def _is_discretizer(value: object) -> object:
    """A kind, with its parameter if it has one; `victor.model.discretize` checks the parameter."""
    kind, known = value, _DISCRETIZERS[:2]
    if isinstance(value, Mapping) and len(value) == 1:
        (kind,), known = value, _DISCRETIZERS
    if kind not in known:
        raise ValueError(f"should be one of {_DISCRETIZER_FORMS}; got {shortened(value)}")
    return value


def _is_template(value: object) -> object:
    """A name, a path or the entries themselves; `victor.model.template` checks the entries."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list | tuple):
        raise ValueError("should be the name of a template, a path or a list of entries")
    for entry in value:
        if not isinstance(entry, Mapping | list):
            raise ValueError(f"wants entries such as {{column: NAME}}, got {shortened(entry)}")
    return tuple(value)


def _is_codes(value: object) -> tuple[object, ...]:
    """A list of language codes; one alone may stand for itself."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple):
        raise ValueError("should be a list of language codes, e.g. [cs, sk]")
    return tuple(value)


_LANGUAGE_CODE: Final = r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$"
Language = Annotated[str, Field(pattern=_LANGUAGE_CODE)]
Languages = Annotated[tuple[Language, ...], BeforeValidator(_is_codes)]
Discretizer = Annotated[str | Mapping[str, Any], BeforeValidator(_is_discretizer)]
Features = Annotated[tuple[str | Mapping[str, Any], ...], BeforeValidator(_is_features)]
Template = Annotated[str | tuple[Any, ...], BeforeValidator(_is_template)]


class Section(BaseModel):
    """What all schemas and their parts have in common."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @classmethod
    def read_in(cls, data: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """The same keys, checked, with what they name read in.

        Args:
            data: keys of a whole configuration.
            directory: paths among the values are relative to it.
            where: what to name in messages.

        Raises:
            ConfigError: the data do not fit the schema, or what they name cannot be read.
        """
        _validated(cls, data, where)
        return dict(data)

    def dump(self) -> str:
        """The configuration as YAML that is read again."""
        return yaml12.dump(self.model_dump(mode="json"))


AnySection = TypeVar("AnySection", bound=Section)


class Segment(Section):
    """Details of cutting pages into blocks."""

    alt_text: bool = Field(default=False, description="Alternative texts of images become blocks.")
    pre_lines: bool = Field(default=False, description="Every line inside <pre> is a block.")


class Crf(Section):
    """Training."""

    algorithm: Literal["lbfgs", "l2sgd"] = Field(
        default="lbfgs", description="Optimiser of CRFsuite."
    )
    c1: float = Field(default=0.0, ge=0, description="Strength of L1 regularisation; lbfgs only.")
    c2: float = Field(default=1.0, ge=0, description="Strength of L2 regularisation.")
    max_iterations: int = Field(default=60, ge=1, description="Most iterations of the optimiser.")
    transitions: bool = Field(
        default=True, description="A label depends on that of the block before."
    )
    drop_reference: bool = Field(
        default=True, description="The most frequent code of a template entry gives no attribute."
    )
    bag_min_sites: int = Field(
        default=15, ge=1, description="Fewest sites on which a bag token occurs."
    )
    scale: Mapping[str, Annotated[float, Field(gt=0)]] = Field(
        default={}, description="Column to attribute value v: regularised v^-2 times as strongly."
    )
    max_blocks: int = Field(
        default=1000, ge=1, description="Pages with more blocks are not trained on."
    )


class Trees(Section):
    """Boosted trees that say which blocks are kept; the chain then tells header from text."""

    count: int = Field(default=0, ge=0, description="Trees; 0 leaves all to the chain.")
    depth: int = Field(default=6, ge=1, le=8, description="Questions that a tree asks.")
    learning_rate: float = Field(
        default=0.08, gt=0, le=1, description="What the leaves of a tree are multiplied with."
    )
    l2: float = Field(default=10.0, ge=0, description="Strength of L2 regularisation of leaves.")
    share: float = Field(
        default=0.25, gt=0, le=1, description="Inputs that a level may ask about, at random."
    )
    bins: int = Field(default=48, ge=3, le=250, description="Bins of a column, by quantiles.")
    max_blocks: int = Field(
        default=200, ge=1, description="Of longer pages so many blocks are learnt from, at random."
    )
    inputs: Template = Field(
        default=(), description="What the trees read: a template, by name, path or its entries."
    )


class Decide(Section):
    """From probabilities to labels."""

    method: Literal["threshold", "viterbi", "expected-f"] = Field(
        default="threshold", description="How labels are chosen, see `victor.model.decide`."
    )
    threshold: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="threshold: a block is kept while p(other) is below this.",
    )
    temperature: float = Field(
        default=1.0, gt=0, description="expected-f: log-odds are divided by this first."
    )
    nothing_below: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="expected-f: a page without a block as probable gives nothing.",
    )
    without_prose: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="expected-f: the same for pages of ten blocks or more without running text.",
    )


class Limits(Section):
    """Bounds of one page; a page beyond them is an error of that page."""

    bytes: int = Field(default=20_000_000, ge=1, description="Bytes of markup.")
    blocks: int = Field(default=200_000, ge=1, description="Blocks.")
    seconds: float = Field(default=60.0, gt=0, description="Seconds of work.")


class Filter(Section):
    """Which pages of a crawl are kept; `victor.crawl.documents.filters` names the reasons."""

    identifier: Literal["none", "beesley", "cavnar", "fasttext"] = Field(
        default="none", description="What tells the language of the kept text."
    )
    model: str | None = Field(
        default=None, description="Path of fastText's model; null for that of an installed package."
    )
    languages: Languages = Field(
        default=(), description="Codes of the languages to keep; empty for all."
    )
    least_probability: float = Field(
        default=0.0, ge=0, le=1, description="Least score of the language that was identified."
    )
    least_words: int = Field(default=0, ge=0, description="Fewest words kept of a page.")
    least_confidence: float = Field(
        default=0.0, ge=0, le=1, description="Least mean probability of the kept words."
    )
    most_invalid: float = Field(
        default=0.01,
        ge=0,
        le=1,
        description="Largest share of U+FFFD and control characters in the visible text.",
    )

    @model_validator(mode="after")
    def _can_tell(self) -> Filter:
        if self.identifier == "none" and (self.languages or self.least_probability):
            raise ValueError(
                "languages and least_probability need an identifier: beesley, cavnar or fasttext"
            )
        return self


class Config(Section):
    """The schema.

    `load` gives a configuration that holds the entries of its template; one that is made directly
    may still name its template.
    """

    language: str | None = Field(
        default=None,
        pattern=_LANGUAGE_CODE,
        description="Code of the target language, e.g. cs; null for any.",
    )
    split: Literal["tag", "block"] = Field(
        default="tag", description="What ends a block: every tag (the paper), or block-level tags."
    )
    segment: Segment = Field(default=Segment(), description="Details of cutting pages into blocks.")
    features: Features = Field(
        default=(), description="Feature modules in order, NAME or NAME: {parameter: value}."
    )
    discretize: Mapping[str, Discretizer] = Field(
        default={},
        description="Column or `default` to discretizer; {a,b} in a column is either of two.",
    )
    template: Template = Field(
        default=(),
        description="Name of a shipped template, path of a YAML file, or entries; "
        "{template: NAME or path} among these stands for all of that template.",
    )
    page_edge: Literal["one", "distance"] = Field(
        default="one", description="Places outside the page: one value, or one for every distance."
    )
    crf: Crf = Field(default=Crf(), description="Training.")
    trees: Trees = Field(default=Trees(), description="Boosted trees beside the chain.")
    decide: Decide = Field(default=Decide(), description="From probabilities to labels.")
    limits: Limits = Field(default=Limits(), description="Bounds of one page.")
    filter: Filter = Field(default=Filter(), description="Which pages of a crawl are kept.")

    def to_json(self) -> dict[str, Any]:
        """Plain data for a model file, the templates with their entries.

        Raises:
            ConfigError: a template is only named and cannot be found.
        """
        data = self.model_dump(mode="json")
        data["template"] = resolve_template(self, Path())
        data["trees"]["inputs"] = _template_entries(self.trees.inputs, Path(), "trees.inputs")
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Config:
        """The configuration that `to_json` wrote.

        Raises:
            ConfigError: the data do not fit the schema.
        """
        return _validated(cls, data, "the stored configuration")

    @classmethod
    def read_in(cls, data: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """The same keys, checked, the template as entries; arguments are those of `Section`."""
        config = _validated(cls, data, where)
        found = dict(data)
        found["template"] = _template_entries(config.template, directory, f"{where}: template")
        if config.trees.inputs:
            inputs = _template_entries(config.trees.inputs, directory, f"{where}: trees.inputs")
            found["trees"] = {**data["trees"], "inputs": inputs}
        return found

    def dump(self) -> str:
        """The configuration as YAML that `load` reads, the template with its entries."""
        return yaml12.dump(self.to_json())


def names() -> tuple[str, ...]:
    """Names of the shipped configurations of models, sorted; those of other labelers left out."""
    folder = Path(str(resources.files(_CONFIGS)))
    files = {name: yaml12.read(folder / f"{name}.yaml") for name in _shipped(_CONFIGS)}
    return tuple(name for name, data in files.items() if "labeler" not in data)


def load(source: str | Path | None, overrides: Sequence[str] = ()) -> Config:
    """Load a configuration and resolve its template.

    Args:
        source: name of a shipped configuration (`names`) or path of a YAML file, which may say
            ``base: NAME or path`` (relative to the file) to change another one; None for the
            defaults of the schema, which have neither features nor a template.
        overrides: ``key=value``, the value in YAML, e.g. ``"crf.c2=5"`` or
            ``"discretize.char.alpha-rel={scale: 10}"``; later ones win.

    Raises:
        ConfigError: a file is missing or malformed, or a key or value is wrong; it names every
            wrong key of the file or of the overrides.

    >>> load(None, ["crf.c2=5"]).crf.c2
    5.0
    """
    return load_as(Config, source, overrides)


def load_as(
    schema: type[AnySection], source: str | Path | None, overrides: Sequence[str] = ()
) -> AnySection:
    """Load what another schema describes, by the same rules as `load`.

    Args:
        schema: the top of the schema.
        source: as for `load`.
        overrides: as for `load`.

    Raises:
        ConfigError: as `load`.
    """
    data = {}
    if source is not None:
        data = _read_layers(schema, source, Path(), where="configuration")
    for override in overrides:
        data = _merge(schema, data, _parsed_override(schema, override))
    return schema.model_validate(schema.read_in(data, Path(), "--set"))


def resolve_template(config: Config, base_dir: Path) -> list[Any]:
    """The entries of a configuration's template.

    Args:
        config: its template is a shipped name, a path, or already the entries.
        base_dir: directory that a path is relative to.

    Raises:
        ConfigError: there is no such template, or it is not a list of entries.
    """
    return _template_entries(config.template, base_dir, "template")


def _template_entries(
    template: str | tuple[Any, ...], base_dir: Path, where: str, *, above: tuple[Path, ...] = ()
) -> list[Any]:
    """Entries, those of other templates in the place of ``{template: NAME or path}``.

    Args:
        template: the entries, or the name or path of a template.
        base_dir: directory that a path is relative to.
        where: what to name in messages.
        above: the files that lead here.
    """
    if not isinstance(template, str):
        found = []
        for entry in template:
            included = entry.get("template") if isinstance(entry, Mapping) else None
            if included is None:
                found.append(entry)
            elif len(entry) > 1 or not isinstance(included, str):
                raise ConfigError(f"{where}: want {{template: NAME or path}}, got {entry}")
            else:
                found += _template_entries(included, base_dir, where, above=above)
        return found
    path = _locate(template, _TEMPLATES, base_dir, where)
    if path.resolve() in above:
        raise ConfigError(f"{path}: leads back to itself; remove the entry `template`")
    entries = yaml12.read(path)
    if not isinstance(entries, list):
        raise ConfigError(f"{path}: a template is a list of entries, got {shortened(entries)}")
    own = _validated(Config, {"template": entries}, str(path)).template
    return _template_entries(own, path.parent, str(path), above=(*above, path.resolve()))


def expand_discretizers(
    discretize: Mapping[str, Any], columns: Collection[str]
) -> dict[str, str | Mapping[str, Any]]:
    """One discretizer per column, the alternatives in braces written out; later entries win.

    Args:
        discretize: `Config.discretize`; its entry ``default`` is left out.
        columns: the columns that the configured features give.

    Raises:
        ConfigError: entries name columns that no configured feature gives.

    >>> expand_discretizers({"char.{alpha,num}": "bool"}, ["char.alpha", "char.num"])
    {'char.alpha': 'bool', 'char.num': 'bool'}
    """
    expanded = {
        name: discretizer
        for key, discretizer in discretize.items()
        if key != "default"
        for name in _alternatives(key)
    }
    unknown = [name for name in expanded if name not in columns]
    if unknown:
        remedy = "correct the name, configure its feature module, or set the entry to null"
        lines = [f"{name}{_hint(name, columns)}" for name in unknown]
        raise ConfigError(f"discretize: no feature gives these columns; {remedy}{_listed(lines)}")
    return expanded


def _alternatives(name: str) -> list[str]:
    """All names that ``a.{b,c}`` stands for."""
    parts = re.split(r"\{([^{}]*)\}", name)  # what stood between braces is at odd places
    choices = [part.split(",") if place % 2 else [part] for place, part in enumerate(parts)]
    return ["".join(choice) for choice in product(*choices)]


def _read_layers(
    schema: type[Section],
    source: object,
    directory: Path,
    *,
    where: str,
    seen: tuple[Path, ...] = (),
) -> dict[str, Any]:
    """Keys of a file over those of its base; `where` is the place that names the file.

    Every layer is checked before the next is put over it, so whatever is wrong is wrong in the
    uppermost one, which the message names.
    """
    path = _locate(source, _CONFIGS, directory, where)
    if path.resolve() in seen:
        raise ConfigError(f"{path}: its `base` leads back to itself; remove the key")
    found = yaml12.read(path)
    data = {} if found is None else found
    if not isinstance(data, Mapping):
        raise ConfigError(f"{path}: a configuration is a table of keys, got {shortened(data)}")
    own = {key: value for key, value in data.items() if key != "base"}
    base = data.get("base")
    below = {}
    if base is not None:
        seen = (*seen, path.resolve())
        below = _read_layers(schema, base, path.parent, where=f"{path}: base", seen=seen)
    return schema.read_in(_merge(schema, below, own), path.parent, str(path))


def _merge(schema: object, old: Any, new: Any) -> Any:  # noqa: ANN401  (YAML values)
    """Put `new` over `old`, key by key as far as the schema has tables."""
    if schema is None or not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    merged = dict(old)
    for key, value in new.items():
        if value is None and (not _is_section(schema) or key in schema.model_fields):
            merged.pop(key, None)
        else:
            merged[key] = _merge(_below(schema, key), merged.get(key, {}), value)
    return merged


def _below(schema: object, key: object) -> object:
    """What a key leads to: a section, `Mapping` for a table of columns, None for a value."""
    field = schema.model_fields.get(str(key)) if _is_section(schema) else None
    if field is None:
        return None
    if _is_section(field.annotation):
        return field.annotation
    return Mapping if get_origin(field.annotation) is Mapping else None


def _is_section(schema: object) -> TypeGuard[type[Section]]:
    return isinstance(schema, type) and issubclass(schema, Section)


def _parsed_override(top: type[Section], override: str) -> dict[str, Any]:
    """``a.b=c`` as the tables it stands for; below a table of columns, dots belong to the name."""
    path, equals, text = override.partition("=")
    if not (path and equals):
        raise ConfigError(f"--set {override}: want KEY=VALUE, e.g. --set crf.c2=5")
    value = yaml12.parse(text, f"--set {override}")
    keys = []
    schema: object = top
    while _is_section(schema) and "." in path:
        key, _, path = path.partition(".")
        schema = _below(schema, key)
        keys.append(key)
    for key in (path, *reversed(keys)):
        value = {key: value}
    return dict(value)


def _validated(schema: type[AnySection], data: Mapping[str, Any], where: str) -> AnySection:
    try:
        return schema.model_validate(data)
    except ValidationError as error:
        lines = [_described(schema, details) for details in error.errors()]
        raise ConfigError(f"{where}{_listed(lines)}") from None


def _described(schema: type[Section], error: ErrorDetails) -> str:
    """One line: the dotted path of the key and what is wrong with it."""
    path = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"{path}: unknown key{_hint_for_key(schema, error['loc'])}"
    if error["type"] == "model_type":
        return f"{path}: should be a table of keys, got {shortened(error['input'])}"
    if error["type"] == "value_error":
        return f"{path}: {error['msg'].removeprefix('Value error, ')}"
    said = error["msg"].removeprefix("Input ").removeprefix("String ")
    return f"{path}: {said}, got {shortened(error['input'])}"


def _hint_for_key(schema: type[Section], place: tuple[int | str, ...]) -> str:
    """The place of a key of that name elsewhere, else the nearest key of the same section."""
    *above, key = map(str, place)
    elsewhere = [path for path in _paths(schema) if path.split(".")[-1] == key]
    if elsewhere:
        return f", did you mean {elsewhere[0]}?"
    section = _below(schema, above[0]) if above else schema
    assert _is_section(section), "only sections refuse keys"
    return _hint(key, [*section.model_fields, *([] if above else ["base"])])


def _paths(schema: type[Section]) -> list[str]:
    """Dotted paths of all keys."""
    sections = {name: _below(schema, name) for name in schema.model_fields}
    inner = [f"{n}.{key}" for n, s in sections.items() if _is_section(s) for key in s.model_fields]
    return [*sections, *inner]


def _hint(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    if near:
        return f", did you mean {near[0]}?"
    return f"; known are: {', '.join(sorted(known)) or 'none'}"


def _listed(lines: Sequence[str]) -> str:
    """One error after a colon, more below each other."""
    return f": {lines[0]}" if len(lines) == 1 else "".join(f"\n  {line}" for line in lines)


def _shipped(package: str) -> tuple[str, ...]:
    files = [Path(file.name) for file in resources.files(package).iterdir()]
    return tuple(sorted(file.stem for file in files if file.suffix == ".yaml"))


def _locate(source: object, package: str, directory: Path, where: str) -> Path:
    """The file of a shipped name, or of a path relative to a directory."""
    if not isinstance(source, str | Path):
        raise ConfigError(f"{where}: should be a shipped name or a path, got {shortened(source)}")
    shipped = _shipped(package)
    if source in shipped:
        return Path(str(resources.files(package))) / f"{source}.yaml"
    path = directory / source
    if not path.is_file():
        raise ConfigError(f"{where}: there is no file {path}{_hint(str(source), shipped)}")
    return path
