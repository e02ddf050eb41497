"""Naive Bayes over web blocks (Wang, Wang, Gao, Yu, Cui 2013).

A page falls into web blocks at its table, tr, td and div elements
(:mod:`scrapy_webtext.extractors.naive_bayes_blocks`). Four things tell content from the rest:
content has more characters outside links, a smaller share of its characters in links, more
punctuation per character in links, and more <p>. Each is counted on labelled pages in a few
levels (6, 4, 3 and 3), once over content and once over everything else. A new block is content
if its levels together are at least as probable among content as among the rest, the four taken
to be independent: the product of the four probabilities given content (eq. 14) is no smaller
than the product given the rest (eq. 15). What is content, in page order, is the main text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, starmap
from math import exp, fsum, log
from os import PathLike
from typing import ClassVar, Final, Literal, NamedTuple, get_args

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.extractors.naive_bayes_blocks import (
    BLOCK_TAGS,
    LEVEL_COUNTS,
    BlockTags,
    Denoising,
    Levels,
    WebBlock,
    web_blocks,
)
from scrapy_webtext.models import ModelFile, load_model
from scrapy_webtext.page import Page, render_blocks
from scrapy_webtext.results import Extraction, Reason, Signal

KIND: Final = "naive_bayes"
VERSION: Final = 1

Observation = Literal["words", "blocks"]
Priors = Literal["equal", "trained"]
Fallback = Literal["best", "none"]

#: Of the levels below and at a block's own, the probabilities are summed (eqs. 4, 5, 8, 9).
CUMULATIVE: Final = frozenset({"unlinked_chars", "punctuation_ratio"})
#: How much less probable than the page's best block the others may be, in ``fallback="best"``.
FALLBACK_RATIO: Final = 7.5
#: Bound on counts in a model: what a double holds exactly.
_MAX_COUNT: Final = 2**53


class Odds(NamedTuple):
    """Natural logarithms of P(.|content) / P(.|rest): one of the priors, one per level."""

    prior: float
    levels: tuple[tuple[float, ...], ...]  #: per feature, in the order of `Levels`

    def of(self, levels: Levels) -> float:
        """Log odds of a block: at least 0 where eq. 14 is no smaller than eq. 15."""
        return fsum((self.prior, *self.effects(levels)))

    def effects(self, levels: Levels) -> tuple[float, float, float, float]:
        """What each feature adds to the log odds."""
        a, b, c, d = self.levels
        return a[levels[0]], b[levels[1]], c[levels[2]], d[levels[3]]


@dataclass(frozen=True)
class NaiveBayesExtractor:
    """Main text by naive Bayes.

    ``score`` is the mean posterior probability of the chosen text to be content, in [0, 1],
    each block weighing as many as it has characters; 0 for a page without text.

    ``block_tags``
        ``"more"`` (default) adds to the paper's four tags those that today's pages are built
        of, the authors' own proposal for future work; ``"paper"`` keeps to the four.
    ``denoising``
        ``"hidden"`` (default) also drops what a browser does not show, such as <noscript>,
        <template> and <select>; ``"paper"`` drops style, scripts and comments.
    ``observation``
        What was counted in training: ``"blocks"``, as the paper has it, or ``"words"``
        (default), so that a block counts as often as it has words. The menus of a page are a
        hundred blocks to the article's one; counted by blocks, the rest is mostly that, and
        whatever is longer than a menu entry passes.
    ``priors``
        ``"equal"`` (default) leaves P(c1) and P(c2) out, as eqs. 14 and 15 do; ``"trained"``
        multiplies by them (eq. 13).
    ``fallback``
        On a page where no block is content, ``"best"`` (default) takes those at most
        `FALLBACK_RATIO` times less probable than the best; ``"none"``, the paper, takes none.
    ``model``
        Path of a model file; None for the one of the package (models/naive_bayes.md).

    Readings: eqs. 6, 7, 10 and 11 give the features themselves as their probabilities, alike
    for both classes, so that they would cancel; taken is the frequency of the level in the
    class, as the sentences around them say. Eqs. 4 and 5 write linktextsum where 4.3.1 is
    about characters outside links. Counts are smoothed (Laplace), or a level never seen in
    training would decide alone. What each departure gains stands in
    docs/algorithms/naive_bayes.md. ModelError for a model that is missing or damaged.
    """

    name: ClassVar[str] = "naive_bayes"

    block_tags: BlockTags = "more"
    denoising: Denoising = "hidden"
    observation: Observation = "words"
    priors: Priors = "equal"
    fallback: Fallback = "best"
    model: str | PathLike[str] | None = None
    _odds: Odds = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_choice("block_tags", self.block_tags, get_args(BlockTags))
        check_choice("denoising", self.denoising, get_args(Denoising))
        check_choice("observation", self.observation, get_args(Observation))
        check_choice("priors", self.priors, get_args(Priors))
        check_choice("fallback", self.fallback, get_args(Fallback))
        if not isinstance(self.model, str | PathLike | None):
            raise SettingsError(f"model={self.model!r} is not allowed; give the path of a model")
        if self.model is None:
            odds = _shipped_odds(self.block_tags, self.observation)
        else:
            model = load_model(self.model, kind=KIND, version=VERSION)
            odds = read_odds(model, self.block_tags, self.observation)
        if self.priors == "equal":
            odds = odds._replace(prior=0.0)
        object.__setattr__(self, "_odds", odds)

    def extract(self, page: Page) -> Extraction:
        """Return the text of the blocks that are content, in page order."""
        blocks = web_blocks(page, BLOCK_TAGS[self.block_tags], self.denoising)
        odds = [self._odds.of(block.levels) for block in blocks]
        chosen = self._chosen(odds)
        parts = _parts(blocks, chosen)
        weights = [blocks[k].chars for k in chosen]
        score = fsum(
            weight * _probability(odds[k]) for k, weight in zip(chosen, weights, strict=True)
        ) / (sum(weights) or 1)
        return Extraction(render_blocks(page, parts), min(score, 1.0), self.name, parts)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the posterior probability per block of the page; selected are those taken.

        All blocks of text in one web block share one value and its reasons, the four features;
        noise has 0 and none.
        """
        blocks = web_blocks(page, BLOCK_TAGS[self.block_tags], self.denoising)
        odds = [self._odds.of(block.levels) for block in blocks]
        values = [0.0] * len(page.blocks)
        reasons: list[tuple[Reason, ...]] = [()] * len(page.blocks)
        for block, value in zip(blocks, odds, strict=True):
            why = self._reasons(block)
            for part in block.parts:
                values[part] = _probability(value)
                reasons[part] = why
        selected = _parts(blocks, self._chosen(odds))
        return (Signal("posterior", "block", tuple(values), 0.5, selected, reasons=tuple(reasons)),)

    def _reasons(self, block: WebBlock) -> tuple[Reason, ...]:
        """The four features of a block, that of the greatest effect first."""
        features = zip(
            Levels._fields, block.features, self._odds.effects(block.levels), strict=True
        )
        return tuple(sorted(starmap(Reason, features), key=lambda why: -abs(why.effect)))

    def _chosen(self, odds: Sequence[float]) -> list[int]:
        """Numbers of the web blocks that are content, given their log odds."""
        least = 0.0
        if self.fallback == "best" and odds:
            least = min(0.0, max(odds) - log(FALLBACK_RATIO))
        return [k for k, value in enumerate(odds) if value >= least]


def read_odds(model: ModelFile, block_tags: str, observation: str) -> Odds:
    """Return the log odds of one table of a model (eqs. 4 to 11), smoothed.

    ModelError where a count is missing, negative or no number.
    """
    smoothing = model.number("smoothing", 1e-6, 1e6)
    table = model.section("tables").section(block_tags).section(observation)
    content, rest = table.section("content"), table.section("rest")
    priors = [c.integer("total", 0, _MAX_COUNT) + smoothing for c in (content, rest)]
    return Odds(
        log(priors[0] / priors[1]),
        tuple(
            tuple(
                log(given_content / given_rest)
                for given_content, given_rest in zip(
                    _probabilities(content, feature, length, smoothing),
                    _probabilities(rest, feature, length, smoothing),
                    strict=True,
                )
            )
            for feature, length in LEVEL_COUNTS._asdict().items()
        ),
    )


def _probabilities(
    counts: ModelFile, feature: str, length: int, smoothing: float
) -> Iterable[float]:
    """P(level|class) per level of one feature, summed up to the level where the paper does."""
    smoothed = [n + smoothing for n in counts.integers(feature, length, 0, _MAX_COUNT)]
    total = fsum(smoothed)
    return [n / total for n in (accumulate(smoothed) if feature in CUMULATIVE else smoothed)]


@cache
def _shipped_odds(block_tags: str, observation: str) -> Odds:
    """Log odds of the package's own model, which cannot change while it is used."""
    return read_odds(load_model(None, kind=KIND, version=VERSION), block_tags, observation)


def _probability(log_odds: float) -> float:
    """Posterior probability, in (0, 1); the odds of a checked model are far from overflow."""
    return 1.0 / (1.0 + exp(-log_odds))


def _parts(blocks: Sequence[WebBlock], chosen: Iterable[int]) -> tuple[int, ...]:
    """Numbers of the page's blocks of text in these web blocks, ascending."""
    return tuple(sorted(part for k in chosen for part in blocks[k].parts))
