"""Text density selects candidates; a keep/discard model of character n-grams classifies them.

The density of a block is (N(text) + 1) / (N(markup) + N(text) + 1); dense blocks of at least 60
characters are candidates. A language model of what is kept and one of what is discarded, of
characters up to order 6, are compared on the text of a candidate.

Source: S. Pal (2009), Extracting Useful Text from HTML. As there, ``<`` and ``>`` are not counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Ints
from victor.base.errors import ConfigError, ModelError, VictorError
from victor.config.schema import Count, Flat, Limits, PositiveInt, Scope, Share, from_data
from victor.labelers.density.ngrams import LONGEST, MOST_CHARACTERS, CharacterModel
from victor.labelers.labeler import System
from victor.labelers.rules import Clue, RuleLabeler, certainty
from victor.model import archive
from victor.model.calibration import Calibration
from victor.page.parsing.events import LENGTH
from victor.page.parsing.source_lines import record_lines
from victor.page.parsing.tags import CUSTOM, NAMES, PAGE, SPLITTING, UNKNOWN, member_mask
from victor.page.table.blocks import BlockTable, Split
from victor.page.table.segment import read_pages, segment
from victor.page.verdict.verdict import marginals

FORMAT: Final = 1
_LABELER: Final = "density"


@dataclass(frozen=True, eq=False)
class DensityModel:
    """Turns the text of a block into its probability of being kept."""

    settings: Settings  # what the model was trained with
    characters: CharacterModel  # the two language models
    all_blocks: Calibration  # calibration of their log-odds for all blocks
    candidates: Calibration  # calibration for candidates
    prior: float = 0.0  # log-odds of a text before it is read; 0 where calibration takes care of it
    card: Mapping[str, Any] = field(default_factory=dict)  # facts about the training data

    def keep(self, table: BlockTable, blocks: Ints, *, are_candidates: bool) -> Floats:
        """(k,) float64 probability of being kept of k blocks, whose numbers are given."""
        probabilities = evidence(
            self.characters, table.chars, table.start[blocks], table.end[blocks], self.prior
        )
        calibration = self.candidates if are_candidates else self.all_blocks
        calibrated = calibration(marginals(probabilities, np.zeros(len(probabilities), dtype=bool)))
        return np.asarray(calibrated[:, :2].sum(axis=1))

    def save(self, path: Path) -> None:
        """Write the model file; an existing one is replaced only when all is written."""
        document = {
            "format": FORMAT,
            "labeler": _LABELER,
            "settings": {
                key: value for key, value in self.settings.to_data().items() if key != "model"
            },
            "calibration": {
                "all_blocks": self.all_blocks.to_json(),
                "candidates": self.candidates.to_json(),
                "prior": self.prior,
            },
            "card": dict(self.card),
        }
        archive.write(path, document, self.characters.to_arrays())

    @classmethod
    def load(cls, path: Path) -> DensityModel:
        """Read a model file.

        Raises:
            ModelError: the file is missing, damaged, of another format or of another labeler.
        """
        document, arrays = archive.read(path)
        if (document.get("labeler"), document.get("format")) != (_LABELER, FORMAT):
            raise ModelError(
                f"{path} is no model of the labeler {_LABELER} in format {FORMAT}; train it again"
            )
        try:
            settings = from_data(
                Settings, Settings.written_out(document["settings"], {}, ""), "its settings"
            )
            calibration = document["calibration"]
            return cls(
                settings=settings,
                characters=CharacterModel.from_arrays(
                    arrays, settings.ngram_order, settings.ngram_weight
                ),
                all_blocks=Calibration.from_json(calibration["all_blocks"]),
                candidates=Calibration.from_json(calibration["candidates"]),
                prior=_finite(calibration.get("prior", 0.0)),
                card=dict(document.get("card", {})),
            )
        except (
            *(AttributeError, LookupError, TypeError, ValueError),
            *(ArithmeticError, MemoryError, VictorError),
        ) as error:
            raise ModelError(f"{path} is damaged: {error}; restore it or train again") from None


def _finite(value: object) -> float:
    if not isinstance(value, int | float) or not abs(value) <= archive.LARGEST:
        raise ValueError("its prior is no number")
    return float(value)


def evidence(
    characters: CharacterModel,
    chars: NDArray[np.uint32],
    start: Ints,
    end: Ints,
    prior: float = 0.0,
) -> Floats:
    """(n,) probability of being kept of texts, by the language models alone.

    The log-odds of a text are divided by the square root of its length: neighbouring characters
    are not independent, so the plain sum would be too sure of every longer text.

    Args:
        characters: the two models.
        chars: (N,) code points.
        start: (n,) where every text begins in them.
        end: (n,) where it ends, one past its last character.
        prior: log-odds of every text before it is read.
    """
    odds = (characters.log_odds(chars, start, end) + prior) / np.sqrt(end - start + 1)
    return np.asarray(0.5 + 0.5 * np.tanh(odds / 2))


NAME: Final = "density"


@dataclass(frozen=True)
class DensityLabeler(RuleLabeler):
    """A rule labeler whose tables record the lengths of their tags, or the lines of the source."""

    split: Split = "block"  # what ends a block

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes."""
        if self.split == "line":
            return segment(record_lines(pages, attributes=self.attributes), "line")
        return measured(pages, self.split)


def labeler(settings: Settings, model: DensityModel | None = None) -> DensityLabeler:
    """The labeler with given constants.

    Args:
        settings: how blocks are cut and decided on; the model has its own n-grams.
        model: None for the one that the settings name, if they name one.

    Raises:
        ConfigError: the mode needs a model.
        ModelError: the model is missing or damaged.
    """
    if model is None and settings.model:
        model = DensityModel.load(Path(settings.model))
    if settings.mode == "ngram" and model is None:
        raise ConfigError(
            "mode ngram needs a model: train one and name it as `model`, or choose density"
        )
    keep = partial(probabilities, settings=settings, model=model)
    return DensityLabeler(
        NAME,
        keep,
        limits=settings.limits,
        scope=settings.scope,
        canonical=settings.split != "line",
        split=settings.split,
        find_clues=partial(clues, settings=settings, model=model),
    )


def probabilities(
    table: BlockTable, settings: Settings, model: DensityModel | None = None
) -> Floats:
    """(n,) probability of being kept.

    For candidates it is that of the model, or without a model 0.5 and more by density; for all
    other blocks half their density.
    """
    if settings.mode == "ngram" and model is not None:
        return model.keep(table, np.arange(len(table)), are_candidates=False)
    chunks = Chunks.of(table)
    are_candidates = chunks.candidates(settings)
    if settings.mode == "density" or model is None:
        return certainty(are_candidates, chunks.block_density)
    keep = certainty(np.zeros_like(are_candidates), chunks.block_density)
    candidate_rows = np.flatnonzero(are_candidates)
    keep[candidate_rows] = model.keep(table, candidate_rows, are_candidates=True)
    return keep


def clues(table: BlockTable, settings: Settings, model: DensityModel | None = None) -> list[Clue]:
    """The numbers that decide on every block."""
    by_model = [] if model is None else _by_model(table, settings, model)
    if settings.mode == "ngram" and model is not None:
        return by_model
    chunks = Chunks.of(table)
    return [
        Clue(
            "text density",
            "text over text and markup, in characters; the limit is that of the page",
            chunks.block_density,
            chunks.thresholds(settings)[table.page],
            "above",
        ),
        Clue(
            "characters",
            "of the block; shorter ones are no candidates",
            chunks.text[chunks.of_block],
            np.full(len(table), float(settings.density_characters)),
            "from",
        ),
        *([] if settings.mode == "density" else by_model),
    ]


def _by_model(table: BlockTable, settings: Settings, model: DensityModel) -> list[Clue]:
    are_candidates = settings.mode == "both"
    keep = model.keep(table, np.arange(len(table)), are_candidates=are_candidates)
    of_whom = "of candidates, " if are_candidates else ""
    meaning = f"{of_whom}how much the text looks like what is kept, by character n-grams"
    return [Clue("language", meaning, keep, np.full(len(table), 0.5), "above")]


# --- Chunks ---------------------------------------------------------------------------------------


class Settings(Flat, frozen=True):
    """The schema of ``configs/density.yaml``."""

    labeler: Literal["density"] = "density"
    mode: Literal["density", "ngram", "both"] = "both"
    model: str | None = None
    split: Split = "block"
    density_base: Share = 0.5
    density_deviations: float = 1.0
    density_characters: Count = 60
    ngram_order: Annotated[int, Meta(ge=1, le=LONGEST)] = 6
    ngram_weight: Annotated[float, Meta(gt=0, le=1000)] = 6.0
    ngram_alphabet: Annotated[int, Meta(ge=1, le=MOST_CHARACTERS)] = MOST_CHARACTERS
    ngram_least_count: PositiveInt = 2
    ngram_most_grams: Annotated[int, Meta(ge=1, le=900000)] = 800_000
    ngram_calibrated: bool = True
    ngram_folds: Annotated[int, Meta(ge=2)] = 3
    limits: Limits = Limits()
    scope: Scope = Scope()


_UNNAMED: Final = 10  # characters of a name that is not in the vocabulary, where names are counted


def measured(pages: Sequence[bytes], split: Split = "block") -> BlockTable:
    """Block table of a batch of pages given as UTF-8 bytes, with the lengths of attributes.

    Tags that the parser adds count like all others.
    """
    return read_pages(pages, split, attributes=("class", LENGTH))


def tag_lengths(table: BlockTable) -> Ints:
    """(T,) int64 characters of every tag; of its name alone if the table was not measured."""
    is_end = (table.tags.step < 0).astype(np.int64)
    lengths = _of_names()[is_end, table.tags.id]
    if LENGTH in table.attributes:
        has_attributes = table.tags.bundle >= 0
        of_bundle = np.array([int(value or 0) for value in table.attribute(LENGTH)], dtype=np.int64)
        lengths[has_attributes] += of_bundle[table.tags.bundle[has_attributes]]
    return lengths


def block_markup(table: BlockTable) -> Ints:
    """(n,) int64 characters of the markup of every block.

    It reaches from the last tag before the block that ends blocks to the first one after it, both
    included, and never into another block.
    """
    if not len(table):
        return np.zeros(0, dtype=np.int64)
    total = np.concatenate(([0], np.cumsum(tag_lengths(table))))
    positions = np.arange(len(table.tags.id))
    ends = member_mask(SPLITTING)[table.tags.id] if table.split == "block" else positions >= 0
    before = np.maximum.accumulate(np.where(ends, positions, 0))[table.tag]
    after = np.minimum.accumulate(np.where(ends, positions, len(positions))[::-1])[::-1][
        table.last_tag + 1
    ]
    first_tag = np.maximum(before, np.append(-1, table.last_tag[:-1]) + 1)
    # Without such a tag before the next block, line breaks separate the two.
    last_tag = np.where(after <= np.append(table.tag[1:], len(positions)), after, table.last_tag)
    return np.asarray(total[last_tag + 1] - total[first_tag])


@cache
def _of_names() -> NDArray[np.int64]:
    """(2, len(NAMES)) characters of start and end tags; the element around a page has none."""
    unnamed = {UNKNOWN, CUSTOM}
    names = np.array([_UNNAMED if name in unnamed else len(name) for name in NAMES])
    lengths = np.stack([names, names + len("/")])
    lengths[:, NAMES.index(PAGE)] = 0
    return lengths


@dataclass(frozen=True, eq=False)
class Chunks:
    """The C chunks of P pages with n blocks.

    They are the blocks themselves, or all lines of the source where blocks are lines. A line
    without visible text, such as one of a script, is a chunk without a block.
    """

    text: Ints  # (C,) int64 characters of the text
    markup: Ints  # (C,) int64 characters of the markup
    page_starts: Ints  # (P + 1,) int64 first chunk of each page
    of_block: Ints  # (n,) int64 chunk of each block

    @classmethod
    def of(cls, table: BlockTable) -> Chunks:
        """The chunks of a table."""
        if table.lines is not None:
            return cls(table.lines.text, table.lines.markup, table.lines.page_starts, table.line)
        text, blocks = table.end - table.start, np.arange(len(table))
        return cls(text, block_markup(table), table.page_starts, blocks)

    @property
    def density(self) -> Floats:
        """(C,) (N(text) + 1) / (N(markup) + N(text) + 1); above 0, at most 1."""
        return np.asarray((self.text + 1) / (self.markup + self.text + 1))

    @property
    def block_density(self) -> Floats:
        """(n,) density of the chunk of each block."""
        return self.density[self.of_block]

    def candidates(self, settings: Settings) -> Bools:
        """(n,) bool; has the chunk of a block enough characters, and is it dense enough."""
        page = np.repeat(np.arange(len(self.page_starts) - 1), np.diff(self.page_starts))
        passing = (self.text >= settings.density_characters) & (
            self.density > self.thresholds(settings)[page]
        )
        return np.asarray(passing[self.of_block])

    def thresholds(self, settings: Settings) -> Floats:
        """(P,) the base less some standard deviations of the densities of each page.

        The deviation is that of a sample (n - 1), of chunks with enough characters only. It is 0
        on pages with fewer than two of them.
        """
        page = np.repeat(np.arange(len(self.page_starts) - 1), np.diff(self.page_starts))
        long_enough = self.text >= settings.density_characters
        page, density = page[long_enough], self.density[long_enough]
        n_pages = len(self.page_starts) - 1
        count = np.bincount(page, minlength=n_pages)
        mean = np.bincount(page, density, n_pages) / np.maximum(count, 1)
        squares = np.bincount(page, (density - mean[page]) ** 2, n_pages)
        deviation = np.sqrt(squares / np.maximum(count - 1, 1))
        return np.asarray(settings.density_base - settings.density_deviations * deviation)


SYSTEM: Final = System(Settings, labeler)
