"""The extractor `naive_bayes`: its parameters, and which web blocks are the main text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import starmap
from math import exp, fsum, inf, log
from os import PathLike
from typing import ClassVar, Final, Literal, get_args

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.extractors.naive_bayes.blocks import (
    Blocking,
    BlockTags,
    Denoising,
    Nested,
    Outside,
    WebBlock,
    parts_of,
    web_blocks,
)
from scrapy_webtext.extractors.naive_bayes.levels import Levels, Punctuation
from scrapy_webtext.extractors.naive_bayes.odds import (
    KIND,
    VERSION,
    Observation,
    Odds,
    Sums,
    log_odds,
    read_odds,
    shipped_odds,
)
from scrapy_webtext.extractors.readings import BY_READING, PerReading, Reading, settle
from scrapy_webtext.models import load_model
from scrapy_webtext.page import Page
from scrapy_webtext.render import render_blocks
from scrapy_webtext.results import Extraction, Reason, Signal

Priors = Literal["equal", "trained"]
Fallback = Literal["best", "none"]

#: How much less probable than the page's best block the others may be, in ``fallback="best"``.
FALLBACK_RATIO: Final = 7.5

#: What the two readings set; the rest of the parameters are the paper's in both.
READINGS: Final = {
    "block_tags": PerReading(paper="paper", modern="more"),
    "denoising": PerReading(paper="paper", modern="hidden"),
    "nested": PerReading(paper="affiliated", modern="own"),
    "outside": PerReading(paper="none", modern="block"),
    "punctuation": PerReading(paper="all", modern="sentence"),
    "observation": PerReading(paper="blocks", modern="words"),
    "smoothing": PerReading(paper=0.0, modern=1.0),
    "fallback": PerReading(paper="none", modern="best"),
}

_CHOICES: Final = {
    "block_tags": get_args(BlockTags),
    "denoising": get_args(Denoising),
    "nested": get_args(Nested),
    "outside": get_args(Outside),
    "punctuation": get_args(Punctuation),
    "observation": get_args(Observation),
    "levels": get_args(Sums),
    "priors": get_args(Priors),
    "fallback": get_args(Fallback),
}


@dataclass(frozen=True)
class NaiveBayesExtractor:
    """Main text by naive Bayes.

    ``score`` is the mean posterior probability of the chosen text to be content, in [0, 1],
    each block weighing as many as it has characters; 0 for a page without text.

    ``reading``
        ``"paper"`` is the letter of the paper in all that follows, ``"modern"`` (default) what
        suits today's pages; a parameter that is given wins over both.
    ``block_tags``
        ``"paper"`` keeps to the four; ``"more"``, modern, adds those that today's pages are
        built of, the authors' own proposal for future work; ``"table"`` is <table> alone, what
        the authors compare with.
    ``denoising``
        ``"paper"`` drops style, scripts and comments; ``"hidden"``, modern, also what a browser
        does not show, such as <noscript>, <template> and <select>.
    ``nested``
        A block around others has all that its ``"affiliated"`` tags hold, the letter, or its
        ``"own"`` text, modern: with theirs a page of nested <div> is one block.
    ``outside``
        Text in none of the tags makes no block (``"none"``), the letter, or a ``"block"`` of the
        root, modern: else pages of <p> in <body> would be empty.
    ``punctuation``
        ``"all"``, the letter, counts quotation marks, brackets and dashes as well as what ends
        and parts sentences, Chinese ones too; ``"sentence"``, modern, the latter alone.
    ``observation``
        What was counted in training: ``"blocks"``, the letter, or ``"words"``, modern, so that
        a block counts as often as it has words. The menus of a page are a hundred blocks to the
        article's one; counted by blocks, the rest is mostly that, and whatever is longer than a
        menu entry passes.
    ``levels``
        Eqs. 4, 5, 8 and 9 sum the probabilities of the levels up to a block's own (``"summed"``,
        default); ``"single"`` takes that of its own level alone.
    ``smoothing``
        Added to every count, so that a level never seen in training does not decide alone
        (modern 1; the letter has none).
    ``priors``
        ``"equal"`` (default) leaves P(c1) and P(c2) out, as eqs. 14 and 15 do; ``"trained"``
        multiplies by them (eq. 13).
    ``fallback``
        On a page where no block is content, ``"none"``, the letter, takes none; ``"best"``,
        modern, those at most `FALLBACK_RATIO` times less probable than the best.
    ``model``
        Path of a model file; None for the one of the package (models/naive_bayes.md).

    Where the paper must be read: eqs. 6, 7, 10 and 11 give the features themselves as their
    probabilities, alike for both classes, so that they would cancel; taken is the frequency of
    the level in the class, as the sentences around them say. Eqs. 4 and 5 write linktextsum where
    4.3.1 is about characters outside links. What each departure gains stands in
    docs/algorithms/naive_bayes.md. ModelError for a model that is missing or damaged.
    """

    name: ClassVar[str] = "naive_bayes"

    reading: Reading = "modern"
    block_tags: BlockTags = BY_READING
    denoising: Denoising = BY_READING
    nested: Nested = BY_READING
    outside: Outside = BY_READING
    punctuation: Punctuation = BY_READING
    observation: Observation = BY_READING
    levels: Sums = "summed"
    smoothing: float = BY_READING
    priors: Priors = "equal"
    fallback: Fallback = BY_READING
    model: str | PathLike[str] | None = None
    _odds: Odds = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        settle(self, READINGS)
        for name, choices in _CHOICES.items():
            check_choice(name, getattr(self, name), choices)
        if type(self.smoothing) not in (int, float) or not 0 <= self.smoothing < inf:
            raise SettingsError(
                f"smoothing={self.smoothing!r} is not allowed; use a number from 0 on"
            )
        if not isinstance(self.model, str | PathLike | None):
            raise SettingsError(f"model={self.model!r} is not allowed; give the path of a model")
        object.__setattr__(self, "_odds", self._read_odds())

    @property
    def blocking(self) -> Blocking:
        """How pages fall into web blocks."""
        return Blocking(
            self.block_tags, self.denoising, self.nested, self.outside, self.punctuation
        )

    def extract(self, page: Page) -> Extraction:
        """Return the text of the blocks that are content, in page order."""
        blocks = web_blocks(page, self.blocking)
        odds = log_odds(self._odds, blocks)
        chosen = self._chosen(odds)
        parts = parts_of(page, [blocks[k] for k in chosen], self.denoising)
        weights = [blocks[k].counts.chars for k in chosen]
        score = fsum(
            weight * _probability(odds[k]) for k, weight in zip(chosen, weights, strict=True)
        ) / (sum(weights) or 1)
        return Extraction(render_blocks(page, parts), min(score, 1.0), self.name, tuple(parts))

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the posterior probability per block of the page; selected are those taken.

        All blocks of text in one web block, and in no inner one, share one value and its reasons,
        the four features; noise has 0 and none.
        """
        blocks = web_blocks(page, self.blocking)
        odds = log_odds(self._odds, blocks)
        values = [0.0] * len(page.blocks)
        reasons: list[tuple[Reason, ...]] = [()] * len(page.blocks)
        for block, value in zip(blocks, odds, strict=True):
            why = self._reasons(block)
            for part in block.parts:
                values[part] = _probability(value)
                reasons[part] = why
        chosen = [blocks[k] for k in self._chosen(odds)]
        selected = tuple(parts_of(page, chosen, self.denoising))
        return (Signal("posterior", "block", tuple(values), 0.5, selected, reasons=tuple(reasons)),)

    def _read_odds(self) -> Odds:
        if self.model is None:
            odds = shipped_odds(self.blocking, self.observation, self.levels, self.smoothing)
        else:
            model = load_model(self.model, kind=KIND, version=VERSION)
            odds = read_odds(model, self.blocking, self.observation, self.levels, self.smoothing)
        return odds._replace(prior=0.0) if self.priors == "equal" else odds

    def _reasons(self, block: WebBlock) -> tuple[Reason, ...]:
        """The four features of a block, that of the greatest effect first."""
        counts = block.counts
        features = zip(
            Levels._fields, counts.features, self._odds.effects(counts.levels), strict=True
        )
        return tuple(sorted(starmap(Reason, features), key=lambda why: -abs(why.effect)))

    def _chosen(self, odds: Sequence[float]) -> list[int]:
        """Numbers of the web blocks that are content, given their log odds."""
        least = 0.0
        if self.fallback == "best" and odds:
            least = min(0.0, max(odds) - log(FALLBACK_RATIO))
        return [k for k, value in enumerate(odds) if value >= least]


def _probability(log_odds: float) -> float:
    """Posterior probability, in [0, 1]."""
    return 1.0 / (1.0 + exp(min(-log_odds, 700.0)))  # e^710 is more than a double holds
