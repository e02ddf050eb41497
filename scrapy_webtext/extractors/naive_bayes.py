"""Naive Bayes over web blocks (Wang, Wang, Gao, Yu, Cui 2013).

Table, tr, td and div elements divide a page into web blocks. Content differs from the rest in four
features: it has more characters outside links, a smaller share of characters in links, more
punctuation per character in links, and more <p>. Each feature is divided into levels (6, 4, 3 and
3). Training counts how often each level occurs in the content and in the rest of labelled pages. A
block is content if the product of its four probabilities given content (eq. 14) is at least their
product given the rest (eq. 15). The main text is the text of these blocks, in page order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, product, starmap
from math import exp, fsum, inf, isfinite, isnan, log, nan
from os import PathLike
from typing import ClassVar, Final, Literal, NamedTuple, get_args
from unicodedata import category

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.extractors import readings
from scrapy_webtext.extractors.readings import Reading
from scrapy_webtext.models import ModelFile, load_model
from scrapy_webtext.page import Page
from scrapy_webtext.page.nodes import prefix_sums
from scrapy_webtext.render import render_blocks
from scrapy_webtext.results import Extraction, Reason, Signal

KIND: Final = "naive_bayes"
VERSION: Final = 3

BlockTags = Literal["all", "table"]
Priors = Literal["equal", "trained"]

#: Tags of web blocks: the paper's four; in the modern reading also tags of today's pages, which the
#: authors propose for future work. Lists and headings would split an article, so they are left out.
BLOCK_TAGS: Final[dict[Reading, frozenset[str]]] = {
    "paper": frozenset({"table", "tr", "td", "div"}),
    "modern": frozenset(
        "table tr td div article section main aside nav header footer form figure figcaption "
        "button".split()
    ),
}
_TABLE: Final = frozenset({"table"})
_NOISE: Final = frozenset({"head", "script", "style"})
#: Modern reading: punctuation marks at the end of sentences and between their parts.
_ASCII_MARKS: Final = ",.;:!?"
_MARKS: Final = _ASCII_MARKS + "…，。；：！？、،؛؟۔।"
#: Features for which the probabilities of all levels up to the block's level are added (eqs. 4, 5,
#: 8, 9).
_SUMMED: Final = frozenset({"unlinked_chars", "punctuation_ratio"})
#: Maximum of a count in a model; a double represents all integers up to this number.
_MAX_COUNT: Final = 2**53
#: Modern reading: a block is chosen, too, if its odds are at least the odds of the best block
#: divided by this ratio. This matters only if the odds of the best block are less than this ratio.
FALLBACK_RATIO: Final = 7.5


class Blocking(NamedTuple):
    """A way to divide pages into web blocks; a model has a table of counts for each way."""

    reading: Reading = "modern"
    block_tags: BlockTags = "all"

    @property
    def tags(self) -> frozenset[str]:
        """The tags of web blocks."""
        return BLOCK_TAGS[self.reading] if self.block_tags == "all" else _TABLE

    @property
    def has_root(self) -> bool:
        """Whether text outside all of the tags is a block that belongs to the root.

        In the paper's reading, only if <table> is the only tag: otherwise a page without tables
        would be empty.
        """
        return self.reading == "modern" or self.block_tags == "table"

    @property
    def key(self) -> str:
        """The key of its table in a model."""
        return f"{self.reading}/{self.block_tags}"


BLOCKINGS: Final = tuple(starmap(Blocking, product(get_args(Reading), get_args(BlockTags))))


# Sections 4.2 and 4.3: four features and their levels


class Levels(NamedTuple):
    """The four features of a web block, each as a level counted from 0."""

    unlinked_chars: int  #: below 20, 40, 60, 80, 100; 100 or more
    link_ratio: int  #: below 10 %, below 50 %, up to 80 %, above 80 %
    punctuation_ratio: int  #: below 2 %, up to 10 %, above 10 %
    paragraphs: int  #: 0, 1 to 3, more than 3


#: The number of levels of each feature.
LEVEL_COUNTS: Final = Levels(6, 4, 3, 3)


class Counts(NamedTuple):
    """The counts of a web block from which its features are computed."""

    chars: int  #: the paper's textsum
    link_chars: int  #: the paper's linktextsum
    punctuation: int  #: the paper's puncsum
    paragraphs: int  #: the paper's psum

    @property
    def features(self) -> tuple[int, float, float, int]:
        """The values of the features, in the order of `Levels`, for the report.

        The divisor of the punctuation ratio is at least 1.
        """
        return (
            self.chars - self.link_chars,
            self.link_chars / self.chars,
            self.punctuation / (self.link_chars or 1),
            self.paragraphs,
        )

    @property
    def levels(self) -> Levels:
        """The features as levels (eqs. 2, 3; sections 4.3.1 to 4.3.4).

        If a block has no punctuation, eq. 3 is 0, even for 0/0. If it has punctuation and no links,
        eq. 3 is infinite.
        """
        chars, links, marks, paragraphs = self
        if 2 * links < chars:
            link_ratio = 0 if 10 * links < chars else 1
        else:
            link_ratio = 2 if 5 * links <= 4 * chars else 3
        return Levels(
            min((chars - links) // 20, 5),
            link_ratio,
            0 if not marks or 50 * marks < links else 1 if 10 * marks <= links else 2,
            0 if not paragraphs else 1 if paragraphs <= 3 else 2,
        )


def count_punctuation(text: str, reading: Reading) -> int:
    """Return the number of punctuation marks in a text, in any script.

    Paper: all punctuation of Unicode. Modern: only marks at the end of sentences and between their
    parts.
    """
    if reading == "modern":
        return sum(map(text.count, _ASCII_MARKS if text.isascii() else _MARKS))
    return sum(text.count(char) for char in set(text) if category(char).startswith("P"))


# Section 3, step 4: the page in web blocks


class WebBlock(NamedTuple):
    """The text of one table, tr, td or div element, or of several adjacent siblings.

    The tags of web blocks are block-level, so a web block consists of whole blocks of text
    (`Page.blocks`).
    """

    parts: list[int]  #: blocks of text outside inner web blocks, ascending
    held: list[range]  #: blocks of text that are counted; paper: inner web blocks, too
    counts: Counts


def page_as_read(page: Page, reading: Reading) -> Page:
    """Return the page as this reading sees it."""
    return readings.read_literally(page) if reading == "paper" else page


def noise_of(page: Page, reading: Reading) -> Sequence[int]:
    """Return a mask over the nodes of `page_as_read`: 1 for noise.

    Paper: <head>, styles and scripts (Table 1). Modern: hidden text (`Page.hidden`).
    """
    return page.hidden if reading == "modern" else page.nodes.inside(_NOISE)


def web_blocks(page: Page, blocking: Blocking) -> list[WebBlock]:
    """Return the web blocks of a page (`page_as_read`), in the order of their first leaf.

    Rules 1 to 3: each leaf belongs to the nearest element above it with one of the tags. The leaves
    of one element are a block. A block is merged with the block before it if their elements are
    siblings. <head> has no block. Paper: an element without content is a leaf, too; only elements
    with text have blocks; a block has all text in its "affiliated tags". Modern: leaves are texts;
    a block has its text without inner blocks, because otherwise a page of nested <div> would be one
    block.
    """
    names, reading = blocking.tags, blocking.reading
    noise, owners = noise_of(page, reading), _owners(page, names, reading)
    nodes, tag, parent = page.nodes, page.nodes.tag, page.nodes.parent
    number: dict[int, int] = {}  # owner -> index of its web block
    parts: list[list[int]] = []
    elements: list[list[int]] = []
    before = -1
    for block, node in _leaves(page, noise, reading):
        owner = owners[node]
        if tag[owner] not in names and not (block >= 0 and blocking.has_root):
            continue
        if owner not in number:
            if before >= 0 and parent[before] == parent[owner]:
                number[owner] = number[before]
            else:
                number[owner] = len(parts)
                parts.append([])
                elements.append([])
            if reading == "paper" and tag[owner] in names:
                elements[number[owner]].append(owner)
        if block >= 0:
            parts[number[owner]].append(block)
        before = owner
    paragraphs = [0] * len(parts)
    if reading == "modern":
        for i, name in enumerate(tag):
            if name == "p" and owners[i] in number:
                paragraphs[number[owners[i]]] += 1
    columns, paragraphs_before = _columns(page, noise, reading), prefix_sums(t == "p" for t in tag)
    found = []
    for own, affiliated, n in zip(parts, elements, paragraphs, strict=True):
        held = list(map(page.blocks_in, affiliated)) or [range(k, k + 1) for k in own]
        chars, links, marks = (sum(c[r.stop] - c[r.start] for r in held) for c in columns)
        n += sum(paragraphs_before[nodes.end[i]] - paragraphs_before[i] for i in affiliated)
        found.append(WebBlock(own, held, Counts(chars, links, marks, n)))
    return found


def _owners(page: Page, names: frozenset[str], reading: Reading) -> Sequence[int]:
    """Return, per node, the nearest node at or above it with one of the tags, or the root.

    In the paper's reading this node must contain text.
    """
    if reading == "modern":
        return page.nodes.nearest(names)
    owners: list[int] = []
    texts = zip(page.runs.first, page.runs.end, strict=True)
    for i, (up, (first, end)) in enumerate(zip(page.nodes.parent, texts, strict=True)):
        is_owner = up < 0 or (first < end and page.nodes.tag[i] in names)
        owners.append(i if is_owner else owners[up])
    return owners


def _columns(page: Page, noise: Sequence[int], reading: Reading) -> list[list[int]]:
    """Return prefix sums over blocks: of characters, characters in links, punctuation marks."""
    blocks = page.blocks
    marks = [count_punctuation(text, reading) for text in blocks.text]
    return [
        prefix_sums(0 if noise[node] else n for n, node in zip(column, blocks.node, strict=True))
        for column in (blocks.chars, blocks.link_chars, marks)
    ]


def _leaves(page: Page, noise: Sequence[int], reading: Reading) -> Iterator[tuple[int, int]]:
    """Yield (block, node) for each text that is no noise, in document order.

    Paper: also yield (-1, node) for each element without content (rules 1 and 2).
    """
    texts = [(b, node) for b, node in enumerate(page.blocks.node) if not noise[node]]
    if reading == "modern":
        yield from texts
        return
    nodes, first, end = page.nodes, page.runs.first, page.runs.end
    has_child = bytearray(len(nodes))
    for i, up in enumerate(nodes.parent):
        if up >= 0 and not noise[i]:
            has_child[up] = 1
    done = 0
    for i in range(len(nodes)):
        while done < len(texts) and page.blocks.first_run[texts[done][0]] < first[i]:
            yield texts[done]
            done += 1
        if first[i] == end[i] and not has_child[i] and not noise[i]:
            yield -1, i
    yield from texts[done:]


def parts_of(page: Page, blocks: Iterable[WebBlock], reading: Reading) -> list[int]:
    """Return the blocks of text in these web blocks, each once, ascending."""
    noise, is_held = noise_of(page, reading), bytearray(len(page.blocks))
    for held in (held for block in blocks for held in block.held):
        is_held[held.start : held.stop] = b"\x01" * len(held)
    return [b for b, node in enumerate(page.blocks.node) if is_held[b] and not noise[node]]


# Equations 4 to 15: the odds of a web block, from the counts of a model


class Odds(NamedTuple):
    """Natural logarithms of P(.|content) / P(.|rest), for the priors and for each level.

    Without smoothing, a count of 0 gives an infinite value, and 0/0 gives NaN.
    """

    prior: float
    levels: tuple[tuple[float, ...], ...]  #: per feature, in the order of `Levels`

    def of(self, levels: Levels) -> float:
        """Return the log odds of a block: at least 0 if eq. 14 >= eq. 15; 0 if both are 0."""
        values = (self.prior, *self.effects(levels))
        total = sum(values)  # NaN if both products are 0
        if isfinite(total):
            return fsum(values)
        return 0.0 if isnan(total) else total

    def effects(self, levels: Levels) -> tuple[float, float, float, float]:
        """Return the log odds of each feature."""
        a, b, c, d = self.levels
        return a[levels[0]], b[levels[1]], c[levels[2]], d[levels[3]]


def read_odds(model: ModelFile, blocking: Blocking) -> Odds:
    """Return the log odds of one table of a model (eqs. 4 to 11).

    The modern reading adds 1 to every count. Raise ModelError if a count is missing, negative or no
    number.
    """
    table = model.section("tables").section(blocking.key)
    added = 1.0 if blocking.reading == "modern" else 0.0
    content, rest = table.section("content"), table.section("rest")
    prior = _log_ratio(*(c.integer("total", 0, _MAX_COUNT) + added for c in (content, rest)))
    levels = []
    for feature, length in LEVEL_COUNTS._asdict().items():
        given = [
            _probabilities(
                [n + added for n in c.integers(feature, length, 0, _MAX_COUNT)], feature in _SUMMED
            )
            for c in (content, rest)
        ]
        levels.append(tuple(map(_log_ratio, *given)))
    return Odds(prior, tuple(levels))


@cache
def shipped_odds(blocking: Blocking) -> Odds:
    """Return the log odds of the package's own model."""
    return read_odds(load_model(None, kind=KIND, version=VERSION), blocking)


def _probabilities(counts: Sequence[float], is_summed: bool) -> list[float]:
    """Return P(level|class) for each level of a feature; 0 without counts.

    If ``is_summed``, the probability of a level includes the levels below it.
    """
    total = fsum(counts) or 1.0
    return [n / total for n in (accumulate(counts) if is_summed else counts)]


def _log_ratio(content: float, rest: float) -> float:
    if content and rest:
        return log(content / rest)
    return inf if content else -inf if rest else nan


# The extractor


@dataclass(frozen=True)
class NaiveBayesExtractor:
    """Main text by naive Bayes.

    ``score`` is the mean posterior probability of the chosen blocks, weighted by their characters,
    in [0, 1]; 0 for a page without text.

    ``reading``
        ``"paper"`` follows the paper to the letter. Only table, tr, td and div have blocks. An
        outer block has the text of its inner blocks, too. Text outside these tags has no block.
        Quotation marks, brackets and dashes are punctuation. Training counted blocks, and no count
        is smoothed. If no block is content, the text is empty.
        ``"modern"`` (default) adds tags of today's pages. A block does not have the text of inner
        blocks. Text outside all tags is a block of the root. Hidden text is noise. Training counted
        words, because menus have many blocks and an article often has one. 1 is added to every
        count. A block is chosen, too, if its odds are at least the odds of the best block divided
        by `FALLBACK_RATIO`.
    ``block_tags``
        ``"all"`` (default): all tags of the reading; ``"table"``: only <table> (Table 3).
    ``priors``
        ``"equal"`` (default) leaves P(c1) and P(c2) out (eqs. 14, 15); ``"trained"`` multiplies
        by them (eq. 13).
    ``model``
        Path of a model file; None for the model of the package (models/naive_bayes.md).

    Departures: eqs. 6, 7, 10 and 11 use the features themselves as probabilities, which are then
    equal for both classes. Here the frequency of the level in the class is used, as the paper's
    text next to these equations says. Eqs. 4 and 5 use linktextsum, but section 4.3.1 describes
    characters outside links, which are used here. Raise ModelError if the model is missing or
    damaged.
    """

    name: ClassVar[str] = "naive_bayes"

    reading: Reading = "modern"
    block_tags: BlockTags = "all"
    priors: Priors = "equal"
    model: str | PathLike[str] | None = None
    _odds: Odds = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        readings.check_reading(self.reading)
        check_choice("block_tags", self.block_tags, get_args(BlockTags))
        check_choice("priors", self.priors, get_args(Priors))
        if not isinstance(self.model, str | PathLike | None):
            raise SettingsError(f"model={self.model!r} is not allowed; give the path of a model")
        if self.model is None:
            odds = shipped_odds(self.blocking)
        else:
            odds = read_odds(load_model(self.model, kind=KIND, version=VERSION), self.blocking)
        if self.priors == "equal":
            odds = odds._replace(prior=0.0)
        object.__setattr__(self, "_odds", odds)

    @property
    def blocking(self) -> Blocking:
        """How this extractor divides pages into web blocks."""
        return Blocking(self.reading, self.block_tags)

    def extract(self, page: Page) -> Extraction:
        """Return the text of the blocks that are content, in page order."""
        read = page_as_read(page, self.reading)
        judged, least = self._judged(read), 0.0
        if self.reading == "modern" and judged:
            least = min(0.0, max(odds for _, odds in judged) - log(FALLBACK_RATIO))
        content = [(block, odds) for block, odds in judged if odds >= least]
        chars = sum(block.counts.chars for block, _ in content)
        weighted = fsum(block.counts.chars * _probability(odds) for block, odds in content)
        score = min(weighted / (chars or 1), 1.0)
        parts = parts_of(read, [block for block, _ in content], self.reading)
        if self.reading == "paper":
            runs = [k for part in parts for k in read.blocks.runs(part)]
            return readings.literal_extraction(page, read.runs, runs, score, self.name)
        return Extraction(render_blocks(page, parts), score, self.name, tuple(parts))

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the posterior probability of each block; the chosen blocks are selected.

        Each block of text has the probability of its web block; its reasons are the four features
        of the web block. Noise has probability 0.
        """
        read = page_as_read(page, self.reading)
        values = [0.0] * len(read.blocks)
        reasons: list[tuple[Reason, ...]] = [()] * len(read.blocks)
        for block, odds in self._judged(read):
            why = self._reasons(block)
            for part in block.parts:
                values[part] = _probability(odds)
                reasons[part] = why
        if self.reading == "paper":
            known = dict(_same_blocks(page, read))
            values = [values[known[b]] if b in known else 0.0 for b in range(len(page.blocks))]
            reasons = [reasons[known[b]] if b in known else () for b in range(len(page.blocks))]
        selected = self.extract(page).chosen
        return (Signal("posterior", "block", tuple(values), 0.5, selected, reasons=tuple(reasons)),)

    def _judged(self, page: Page) -> list[tuple[WebBlock, float]]:
        """Return the web blocks of a page (`page_as_read`), each with its log odds."""
        blocks = web_blocks(page, self.blocking)
        return [(block, self._odds.of(block.counts.levels)) for block in blocks]

    def _reasons(self, block: WebBlock) -> tuple[Reason, ...]:
        """Return the effects of the four features of a web block, the strongest first."""
        counts = block.counts
        features = zip(
            Levels._fields, counts.features, self._odds.effects(counts.levels), strict=True
        )
        return tuple(sorted(starmap(Reason, features), key=lambda why: -abs(why.effect)))


def _same_blocks(page: Page, literal: Page) -> Iterator[tuple[int, int]]:
    """Yield each pair of a block of ``page`` and a block of ``literal`` that share text."""
    same = readings.same_runs(page, literal.runs)
    for b, (first, end) in enumerate(
        zip(literal.blocks.first_run, literal.blocks.end_run, strict=True)
    ):
        for own in page.blocks_of_runs(sorted(same[k] for k in range(first, end) if same[k] >= 0)):
            yield own, b


def _probability(log_odds: float) -> float:
    """Return the posterior probability for log odds, in [0, 1]."""
    return 1.0 / (1.0 + exp(min(-log_odds, 700.0)))  # e^710 overflows a double
