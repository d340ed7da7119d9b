"""The schema of configurations: every key with its type, bounds, default and meaning.

Sections are tables of keys, which msgspec reads and checks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from reprlib import repr as shortened
from typing import Annotated, Any, Final, Literal, Self, TypeGuard, TypeVar, get_args, get_origin

import msgspec
from msgspec import Meta

from victor.base.errors import ConfigError, hint
from victor.config import modules, plain_yaml
from victor.config.plain_yaml import TEMPLATES, locate

Count = Annotated[int, msgspec.Meta(ge=0)]
PositiveInt = Annotated[int, msgspec.Meta(ge=1)]
NonNegative = Annotated[float, msgspec.Meta(ge=0)]
Positive = Annotated[float, msgspec.Meta(gt=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""Numbers with their bounds."""


class _WrongValueError(ConfigError, ValueError):
    """A wrong value; msgspec adds the path of a ValueError."""


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all schemas and their parts have in common: immutable, and checked when made.

    A field says its type and bounds as ``Annotated[int, Meta(ge=1)]``; a function beside the type
    raises ValueError for what it refuses. The string below a field says what it means.

    Raises:
        ConfigError: a value is of another type or out of bounds.
    """

    def __post_init__(self) -> None:
        for name, kind in fields_of(type(self)).items():
            given = getattr(self, name)
            try:
                if isinstance(given, float) and not math.isfinite(given):
                    raise ValueError(f"should be a finite number, got {given}")
                value = msgspec.convert(_value(type(self), name, given, ""), kind)
                for check in getattr(kind, "__metadata__", ()):
                    if callable(check):
                        check(value)
            except _WrongValueError:
                raise
            except (msgspec.ValidationError, ValueError) as error:
                raise _WrongValueError(f"{name}: {error}") from None
            if value is not given:
                msgspec.structs.force_setattr(self, name, value)

    @classmethod
    def written_out(
        cls, layer: Mapping[str, Any], below: Mapping[str, Any], where: str
    ) -> dict[str, Any]:
        """The keys of a file or override, what changes values below as the values it makes."""
        return dict(layer)

    @classmethod
    def read_in(cls, layer: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """The keys with what they name by path read in; paths are relative to a directory."""
        return dict(layer)

    def replace(self, **changes: Any) -> Self:  # noqa: ANN401  (values of any field)
        """The same section but for some of its keys; raises as the section itself."""
        return msgspec.structs.replace(self, **changes)

    def to_data(self) -> dict[str, Any]:
        """Plain data that JSON and YAML can hold, keys in the order of the schema."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def dump(self) -> str:
        """The configuration as YAML that is read again."""
        return plain_yaml.dump(self.to_data())


class Flat(Section, frozen=True):
    """A schema in one table, whose keys users may write with dots or as tables.

    What each key means stands beside its default in the shipped YAML file.
    """

    @classmethod
    def written_out(
        cls, layer: Mapping[str, Any], below: Mapping[str, Any], where: str
    ) -> dict[str, Any]:
        """The keys, parts of their names joined by underscores."""
        return dict(_joined(layer, "", fields_of(cls)))

    @classmethod
    def read_in(cls, layer: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """As `written_out`, for keys whose lists are added to."""
        return cls.written_out(layer, {}, where)


def _joined(
    layer: Mapping[str, Any], above: str, known: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    for key, value in layer.items():
        name = above + str(key).replace(".", "_")
        if isinstance(value, Mapping) and name not in known:
            yield from _joined(value, f"{name}_", known)
        else:
            yield name, value


AnySection = TypeVar("AnySection", bound=Section)


def from_data(schema: type[AnySection], data: object, where: str) -> AnySection:
    """A section of plain data; one text may stand for a list of itself.

    Args:
        schema: the section.
        data: what YAML or JSON held.
        where: what to name in messages.

    Raises:
        ConfigError: the data do not fit the schema; it says where, and what may be meant.
    """
    try:
        return msgspec.convert(_read(schema, data, "", schema), schema)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        path = f"{path.strip('.`')}: " if path else ""
        raise ConfigError(f"{where}: {path}{message}") from None
    except _WrongValueError as error:
        raise ConfigError(f"{where}: {error}") from None


def _read(schema: type[Section], data: object, path: str, top: type[Section]) -> object:
    """The data as msgspec takes them, their keys and choices checked."""
    if not isinstance(data, Mapping):
        return data
    read = {}
    for key, value in data.items():
        inner = inner_section(schema, key)
        if key not in fields_of(schema):
            guess = _guess(top, schema, str(key))
            raise _WrongValueError(f"{path}{key}: unknown key{guess}")
        if inner is not None:
            read[key] = _read(inner, value, f"{path}{key}.", top)
        else:
            read[key] = _value(schema, key, value, path)
    return read


def _value(schema: type[Section], key: object, value: object, path: str) -> object:
    """A value as msgspec takes it, one of the choices; one text may stand for a list of itself."""
    kind = _bare(schema, key)
    if isinstance(value, str) and get_origin(kind) is tuple:
        return [value]
    if get_origin(kind) is Literal and value not in get_args(kind):
        choices = " or ".join(map(repr, get_args(kind)))
        raise _WrongValueError(f"{path}{key}: should be {choices}, got {shortened(value)}")
    return _plain(value)


def _bare(schema: type[Section], key: object) -> object:
    """The type of a key without what is noted beside it; None if there is no such key."""
    kind = fields_of(schema).get(str(key))
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _plain(value: object) -> object:
    """A number without the type that NumPy gives it, which msgspec refuses."""
    return float(value) if isinstance(value, float) else value


def _guess(top: type[Section], schema: type[Section], key: str) -> str:
    """The path of a key of that name elsewhere, else the nearest key of the same section."""
    name, plus, _ = key.partition("+")
    if plus and name in fields_of(schema):
        return f": {name} is no list; {name} alone changes it"
    inner = {name: inner_section(top, name) for name in fields_of(top)}
    for above, section in inner.items():
        if section is not None and section is not schema and name in fields_of(section):
            return f", did you mean {above}.{name}{plus}?"
    if name in inner and schema is not top:
        return f", did you mean {name}{plus}?"
    known = [n for n in fields_of(schema) if not plus or default_list(schema, n) is not None]
    return hint(key, [*(n + plus for n in known), *(["base"] if schema is top else [])])


@lru_cache(maxsize=256)
def fields_of(schema: type[Section]) -> dict[str, Any]:
    """Name to type of the keys of a section."""
    return {field.name: field.type for field in msgspec.structs.fields(schema)}


def inner_section(schema: type[Section], key: object) -> type[Section] | None:
    """The section that a key leads to; None if there is no such key or it holds a value."""
    kind = fields_of(schema).get(str(key))
    return kind if is_section(kind) else None


def is_section(kind: object) -> TypeGuard[type[Section]]:
    """Is a type a section."""
    return isinstance(kind, type) and issubclass(kind, Section)


def is_table(schema: type[Section], key: object) -> bool:
    """Does a key hold a table whose keys are free, such as one of columns."""
    return get_origin(_bare(schema, key)) is Mapping


def default_list(schema: type[Section], key: object) -> tuple[Any, ...] | None:
    """What a key that holds a list has by default; None for any other key."""
    defaults = {field.name: field.default for field in msgspec.structs.fields(schema)}
    default = defaults.get(str(key))
    return default if isinstance(default, tuple) else None


# --- The sections of a configuration --------------------------------------------------------------

_DISCRETIZERS: Final[tuple[str, ...]] = ("bool", "category", "edges", "quantiles", "scale")
"""The kinds; only the first two go without a parameter."""
_DISCRETIZER_FORMS: Final = "bool, category, edges: [..], scale: N, category: N, quantiles: N"
_LANGUAGE_CODE: Final = r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$"
Language = Annotated[str, Meta(pattern=_LANGUAGE_CODE)]
Method = Literal["threshold", "viterbi", "expected-f"]
METHODS: Final[tuple[str, ...]] = get_args(Method)
"""How labels can be chosen."""
ScopeName = Literal["main", "article", "full", "labels"]
SCOPES: Final[tuple[str, ...]] = get_args(ScopeName)
"""Which parts of pages can be kept."""


class Segment(Section, frozen=True):
    """Details of cutting pages into blocks."""

    alt_text: bool = False
    """Alternative texts of images become blocks."""
    pre_lines: bool = False
    """Every line inside <pre> is a block."""


class Crf(Section, frozen=True):
    """Training of the chain."""

    algorithm: Literal["lbfgs", "l2sgd"] = "lbfgs"
    """Optimiser of CRFsuite."""
    c1: NonNegative = 0.0
    """Strength of L1 regularisation; lbfgs only."""
    c2: NonNegative = 1.0
    """Strength of L2 regularisation."""
    max_iterations: PositiveInt = 60
    """Most iterations of the optimiser."""
    transitions: bool = True
    """A label depends on that of the block before; without, every block is a sequence of its own,
    as in the original Victor."""
    pooling: Share = 0.0
    """How far the log-odds of the blocks of one template path, as those of posts or cards, go
    towards their mean (`victor.model.chain`); 0 leaves them."""
    edges: str | None = None
    """Column that edges of trees read, e.g. relation.before; `{edge: COLUMN}` in the template."""
    drop_reference: bool = True
    """The most frequent code of a template entry gives no attribute, which saves about a third of
    the time; a bias attribute takes its place."""
    scale: Mapping[str, Positive] = {}
    """Column to attribute value v: regularised v^-2 times as strongly. Values of the columns of a
    conjunction multiply."""
    max_blocks: PositiveInt = 1000
    """Pages with more blocks are not trained on."""
    draw: NonNegative = 0.0
    """Of linear models: above 0, stretches of ten blocks are drawn. The probability is so many
    times the mean weight of a block, which trees learn with and CRFsuite lacks. 0 takes all."""


class Trees(Section, frozen=True):
    """Node potentials of boosted trees in place of linear ones."""

    count: Count = 0
    """Trees; with 0 the potentials are linear."""
    depth: Annotated[int, Meta(ge=1, le=8)] = 8
    """Questions that a tree asks."""
    learning_rate: Annotated[float, Meta(gt=0, le=1)] = 0.09
    """What the leaves of a tree are multiplied with."""
    l2: NonNegative = 12.0
    """Strength of L2 regularisation of leaves."""
    share: Annotated[float, Meta(gt=0, le=1)] = 0.25
    """Inputs that a level may ask about, at random."""
    bins: Annotated[int, Meta(ge=3, le=250)] = 48
    """Bins of a column, by quantiles."""
    max_blocks: PositiveInt = 200
    """Of longer pages so many blocks are learnt from, at random."""
    seed: Count = 1
    """What all that is drawn at random begins with."""


class Decision(Section, frozen=True):
    """How labels are chosen: from probabilities to labels.

    ``threshold`` keeps a block while p(other) is below the threshold (the paper); 0 keeps nothing,
    1 all that is not surely other. ``viterbi`` takes the most probable sequence of labels.
    ``expected-f`` keeps, page by page, what maximises the expected word F-measure. There, a
    `temperature` above 1 softens the marginals and keeps more, and a page gives nothing if the
    model holds it for one without content (`victor.model.page_head`).
    """

    method: Method = "threshold"
    """How labels are chosen, see `victor.model.decide`."""
    threshold: Share = 0.5
    """threshold: a block is kept while p(other) is below this."""
    temperature: Positive = 1.0
    """expected-f: log-odds are divided by this first."""
    no_content: Share = 0.45
    """A page gives nothing if the probability that it has no content is above this; with 1 every
    page gives something. threshold: only of pages on which a server or a wall speaks."""

    @classmethod
    def at(cls, threshold: float | str, presets: Mapping[str, float]) -> Decision:
        """The plain threshold, given as a number, by the name of a preset, or as ``p0.98``.

        Raises:
            ConfigError: there is no such preset, the presets do not reach the precision, or the
                number is out of range.
        """
        if isinstance(threshold, str):
            try:
                threshold = presets[threshold]
            except KeyError:
                raise ConfigError(_no_preset(str(threshold), presets)) from None
        return cls(threshold=threshold)

    @property
    def on_marginals(self) -> Decision:
        """The same decision; the plain threshold for one that needs more than marginals."""
        return self.replace(method="threshold") if self.method == "viterbi" else self


def _no_preset(name: str, presets: Mapping[str, float]) -> str:
    """What is said of a preset that a model does not have."""
    if presets:
        return f"the model has no preset {name!r}{hint(name, presets)}"
    return f"no preset {name!r}: the model has none; `victor sweep --store` adds them"


class Limits(Section, frozen=True):
    """Bounds of one page; a page beyond them is an error of that page."""

    bytes: PositiveInt = 20_000_000
    """Bytes of markup."""
    blocks: PositiveInt = 200_000
    """Blocks."""
    seconds: Positive = 60.0
    """Seconds of work; each form of a page has as many again."""
    output: PositiveInt = 100_000_000
    """Characters of one form: five for every byte of the largest page. Only pages that make a form
    repeat itself have more."""


class Scope(Section, frozen=True):
    """Which parts of a page are kept beside or of its text; see `docs/how-to/scope.md`.

    ``main`` is what the labeler keeps, without the headline if it is a model. ``article`` is what
    the labeler keeps with the headline and without comments of readers, ``full`` with headline and
    comments. ``labels`` is the labeler's own word on every block, whatever unit or copy it is part
    of. A switch that is true or false decides its part in any scope.
    """

    name: ScopeName = "main"
    """Which parts: main, article, full or labels."""
    headline: bool | None = None
    """Keep the headline; null leaves it to the scope."""
    comments: bool | None = None
    """Keep comments of readers; null leaves it to the scope."""
    keep: tuple[str, ...] = ()
    """CSS selectors of elements that are kept, whatever the labeler thinks of them."""
    drop: tuple[str, ...] = ()
    """CSS selectors of elements that are dropped, also from what `keep` selects."""


class Filter(Section, frozen=True):
    """Which pages of a crawl are kept; `victor.documents.page_filter` names the reasons."""

    identifier: Literal["none", "beesley", "cavnar", "fasttext"] = "none"
    """What tells the language of the kept text."""
    model: str | None = None
    """Path of fastText's model; null for that of an installed package."""
    languages: tuple[Language, ...] = ()
    """Codes of the languages to keep; empty for all."""
    screen: bool = False
    """Pages whose visible text is in another language go before they are labelled, which is
    quicker; what is kept of the others is held against the languages as well."""
    paragraphs: Literal["keep", "mark", "drop"] = "keep"
    """Paragraphs that are long enough to tell their language: all stay as they are, rows say the
    language, or those in another language than `languages` (without any: than the page) go."""
    least_probability: Share = 0.0
    """Least score of the language that was identified."""
    least_words: Count = 0
    """Fewest words kept of a page."""
    most_invalid: Share = 0.01
    """Largest share of U+FFFD and control characters in the visible text."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.identifier == "none" and (self.languages or self.least_probability):
            raise ValueError(
                "languages and least_probability need an identifier: beesley, cavnar or fasttext"
            )


# --- Templates and discretizers -------------------------------------------------------------------


def check_entries(entries: Iterable[object]) -> None:
    """Raise ValueError unless entries are tables or lists; `victor.model.template` checks them."""
    for entry in () if isinstance(entries, str) else entries:
        if not isinstance(entry, Mapping | list):
            raise ValueError(f"wants entries such as {{column: NAME}}, got {shortened(entry)}")


def template_entries(
    template: str | tuple[Any, ...], base_dir: Path, where: str, *, above: tuple[Path, ...] = ()
) -> list[Any]:
    """Entries, those of other templates in the place of ``{template: NAME or path}``.

    Paths are relative to a directory; `where` is named in messages, `above` are the files that lead
    here.
    """
    if not isinstance(template, str):
        entries: list[Any] = []
        for entry in template:
            included = entry.get("template") if isinstance(entry, Mapping) else None
            if included is None:
                entries.append(entry)
            elif len(entry) > 1 or not isinstance(included, str):
                raise ConfigError(f"{where}: want {{template: NAME or path}}, got {entry}")
            else:
                entries += template_entries(included, base_dir, where, above=above)
        return entries
    path = locate(template, TEMPLATES, base_dir, where)
    if path.resolve() in above:
        raise ConfigError(f"{path}: leads back to itself; remove the entry `template`")
    entries = plain_yaml.read(path)
    if not isinstance(entries, list):
        raise ConfigError(f"{path}: a template is a list of entries, got {shortened(entries)}")
    try:
        check_entries(entries)
    except ValueError as error:
        raise ConfigError(f"{path}: template: {error}") from None
    return template_entries(tuple(entries), path.parent, str(path), above=(*above, path.resolve()))


def _check_discretizers(discretize: Mapping[str, object]) -> None:
    """Each is a kind, with a parameter if it has one, which `victor.model.discretize` checks."""
    for column, value in discretize.items():
        kind, kinds = value, _DISCRETIZERS[:2]
        if isinstance(value, Mapping) and len(value) == 1:
            (kind,), kinds = value, _DISCRETIZERS
        if kind not in kinds:
            raise ValueError(
                f"{column}: should be one of {_DISCRETIZER_FORMS}; got {shortened(value)}"
            )


class Config(Section, frozen=True):
    """The schema.

    `load` gives a configuration that holds the entries of its template; one that is made directly
    may still name its template.
    """

    language: Language | None = None
    """Code of the target language, e.g. cs; null for any."""
    split: Literal["tag", "block", "line"] = "tag"
    """What ends a block: every tag (the paper), block-level tags, or the line of the source."""
    segment: Segment = Segment()
    """Details of cutting pages into blocks."""
    features: Annotated[tuple[Any, ...], modules.check] = ()
    """Feature modules in order, NAME or NAME: {parameter: value}; NAME of a shipped module, or the
    path of a file of yours, relative to the file that says so. `features+:` adds modules to those
    of the base, `features-:` switches some of these off, and a table {NAME: on, off or
    {parameter: value}} does either."""
    added: tuple[str, ...] = ()
    """Modules of this list that are read at offset 0 if nothing else reads a column of theirs;
    `features+:` names what it adds."""
    discretize: Annotated[Mapping[str, Any], _check_discretizers] = {}
    """Column or `default` to discretizer; {a,b} in a column is either of two."""
    template: Annotated[str | tuple[Any, ...], check_entries] = ()
    """What the potentials read: name of a shipped template, path of a YAML file, or entries;
    {template: NAME or path} among these stands for all of that template, and {edge: ENTRY} is read
    by the edge to the block before."""
    page_edge: Literal["one", "distance"] = "one"
    """Places outside the page: one value, or one for every distance."""
    crf: Crf = Crf()
    """Training."""
    trees: Trees = Trees()
    """Potentials of trees."""
    decide: Decision = Decision()
    """From probabilities to labels."""
    scope: Scope = Scope()
    """Which parts of a page are kept."""
    limits: Limits = Limits()
    """Bounds of one page."""
    filter: Filter = Filter()
    """Which pages of a crawl are kept."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.split == "line" and self.segment.alt_text:
            raise ValueError("split: line has no blocks of segment.alt_text; set one of them back")

    def with_sources(self) -> Config:
        """The same with the source of modules by path; raises as `modules.with_sources`."""
        return self.replace(features=tuple(modules.with_sources(self.features, Path())))

    def to_data(self) -> dict[str, Any]:
        """Plain data; the key `added` only where it names a module, which no trained model does."""
        data = super().to_data()
        return data if self.added else {k: v for k, v in data.items() if k != "added"}

    def to_json(self) -> dict[str, Any]:
        """Plain data for a model file, templates with entries and modules with their source.

        Raises:
            ConfigError, FeatureError: a template or a module is only named and cannot be found.
        """
        data = self.to_data()
        data["template"] = resolve_template(self, Path())
        data["features"] = [*self.with_sources().features]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Config:
        """The configuration that `to_json` wrote; raises as `from_data`."""
        return from_data(cls, data, "the stored configuration")

    @classmethod
    def written_out(
        cls, layer: Mapping[str, Any], below: Mapping[str, Any], where: str
    ) -> dict[str, Any]:
        """The keys, the whole list of feature modules for what changes the list below."""
        return modules.changed(layer, below, where)

    @classmethod
    def read_in(cls, layer: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """The keys, templates as entries and feature modules that are files with source."""
        resolved = dict(layer)
        for key in ("features", "features+"):
            value = layer.get(key)
            if value is not None and not (key == "features" and isinstance(value, Mapping)):
                resolved[key] = modules.with_sources(modules.as_list(value), directory)
        for key in ("template", "template+"):
            value = layer.get(key)
            if value is not None:
                content = (value,) if isinstance(value, Mapping) else value
                resolved[key] = template_entries(content, directory, f"{where}: {key}")
        return resolved

    def dump(self) -> str:
        """The configuration as YAML that `load` reads and that needs no other file."""
        return plain_yaml.dump(self.to_json())


def resolve_template(config: Config, base_dir: Path) -> list[Any]:
    """The entries of a configuration's template.

    Args:
        config: its template is a shipped name, a path, or already the entries.
        base_dir: directory that a path is relative to.

    Raises:
        ConfigError: there is no such template, or it is not a list of entries.
    """
    return template_entries(config.template, base_dir, "template")
