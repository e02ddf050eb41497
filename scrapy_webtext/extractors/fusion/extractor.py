"""The extractor ``fusion`` and the judge ``learned``: one model, two uses.

Both use the same prediction of a page, which is computed once and kept with the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import ClassVar, Final, TypeVar

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.fusion.features.context import best_threshold, expected_f1
from scrapy_webtext.extractors.fusion.features.declared import structured_data
from scrapy_webtext.extractors.fusion.model import FusionModel, load_fusion
from scrapy_webtext.extractors.fusion.prediction import (
    IS_ARTICLE,
    PagePrediction,
    block_reasons,
    predict,
)
from scrapy_webtext.extractors.fusion.rules import (
    comment_mask,
    comment_texts,
    with_standfirst,
    without_duplicates,
    without_empty_headings,
    without_next_articles,
    without_teasers,
)
from scrapy_webtext.extractors.notice import find_notice
from scrapy_webtext.page import Page, parse, tags
from scrapy_webtext.page.script_text import find_script_text
from scrapy_webtext.page.size_limits import has_more_elements
from scrapy_webtext.render.outline import blocks_in_tables
from scrapy_webtext.render.text import render_blocks
from scrapy_webtext.results import Extraction, Judgement, Signal

T = TypeVar("T")

#: ``favour`` -> how many times recall counts as much as precision.
BETAS: Final[Mapping[str | None, float]] = {None: 1.0, "precision": 0.5, "recall": 2.0}

#: At most these are the score and the probability of a page that is sent in an article's place.
NOTICE_SCORE: Final = 0.2
NOTICE_PROBABILITY: Final = 0.05
#: Score of a text that comes from JSON-LD: the model knows nothing about it.
JSON_LD_SCORE: Final = 0.5


@dataclass(frozen=True)
class FusionExtractor:
    """Main text by a model of all signals. ``score`` is the expected word F1, in [0, 1].

    ``favour``
        None (default) chooses the blocks with the greatest expected F1. "precision" chooses fewer,
        those with the greatest expected F0.5; "recall" chooses more, by F2. ``score`` is still the
        expected F1 of what is chosen.
    ``headline``
        False (default) leaves out the headline, which is the result's ``title``. True adds it.
    ``tables``
        True (default). False leaves out blocks in tables, but for those that lay out the page.
    ``links``
        True (default). False: Markdown and HTML have the words of links, and not where they lead.
    ``copies``
        False (default) leaves out longer texts that the page has a second time. True keeps them.
    ``comments``
        False (default) leaves out readers' comments below articles. True adds them; ``score``
        is still that of the text without comments. Posts of a forum are text, not comments.
    ``model``
        Path of a model file; None (default) is the model in the package.
    """

    name: ClassVar[str] = "fusion"

    favour: str | None = None
    headline: bool = False
    tables: bool = True
    links: bool = True
    copies: bool = False
    comments: bool = False
    model: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        if self.favour not in tuple(BETAS):
            known = ", ".join(map(repr, BETAS))
            raise SettingsError(f"favour={self.favour!r} is not allowed; use one of: {known}")
        for name in ("headline", "tables", "links", "copies", "comments"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise SettingsError(f"{name}={value!r} is not allowed; use True or False")
        if self.model is not None and not isinstance(self.model, str | PathLike):
            raise SettingsError(f"model={self.model!r} is not allowed; give a path or None")
        load_fusion(self.model)  # a bad model fails here, not on the first page

    def extract(self, page: Page) -> Extraction:
        """Return the chosen blocks, one line each, and the model's article probability.

        If the page shows hardly any text but has an ``articleBody`` in JSON-LD, or an article in
        the data of its scripts, the result is that text, without blocks and with the score 0.5.
        """
        model = load_fusion(self.model)
        prediction = predict(page, model)
        probability = _article_probability(page, model, prediction)
        texts = prediction.table.texts
        beta = BETAS[self.favour]
        inside, numbers = (
            select(page, prediction, beta, self.copies) if texts.n else [],
            texts.numbers,
        )
        chosen = [numbers[k] for k in inside]
        if self.comments:
            chosen = sorted({*chosen, *comment_texts(page, prediction)})
        if not self.tables:
            chosen = without_tables(page, chosen)
        chosen = (with_headline if self.headline else without_headline)(page, chosen)
        text = render_blocks(page, chosen)
        from_json_ld = json_ld_text(page, text, texts.text)
        if from_json_ld:
            return Extraction(
                from_json_ld, JSON_LD_SCORE, self.name, article_probability=probability
            )
        expected = expected_f1(prediction.probabilities, texts.words, inside)
        score = model.score(expected) if inside else 0.0
        if find_notice(page):
            score = min(score, NOTICE_SCORE)
        return Extraction(
            text,
            score,
            self.name,
            tuple(chosen),
            links=self.links,
            article_probability=probability,
        )

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return two signals with reasons: the probabilities of the blocks, and the first pass'.

        Blocks that are no candidates have the probability 0 and no reasons.
        """
        model = load_fusion(self.model)
        prediction = predict(page, model)
        numbers = prediction.table.texts.numbers
        if not numbers:
            return ()
        chosen = self.extract(page).chosen
        threshold = page_threshold(prediction, BETAS[self.favour])
        second, first = (
            _over_page(page, numbers, values, 0.0)
            for values in (prediction.probabilities, prediction.first_pass)
        )
        why_second, why_first = (
            _over_page(page, numbers, why, ()) for why in block_reasons(model, prediction)
        )
        return (
            Signal("fusion", "block", second, threshold, chosen, reasons=why_second),
            Signal("first_pass", "block", first, None, chosen, reasons=why_first),
        )


def _over_page(
    page: Page, numbers: Sequence[int], values: Sequence[T], otherwise: T
) -> tuple[T, ...]:
    """Return one value per block of the page: those of the blocks ``numbers``, else another."""
    over_page = [otherwise] * len(page.blocks)
    for k, value in zip(numbers, values, strict=True):
        over_page[k] = value
    return tuple(over_page)


def _article_probability(page: Page, model: FusionModel, prediction: PagePrediction) -> float:
    """Return the article probability, computed once; low for a page in an article's place."""

    def find() -> float:
        probability = prediction.article_with_url
        return min(probability, NOTICE_PROBABILITY) if find_notice(page) else probability

    return page.cached(("article", model), find)


@dataclass(frozen=True)
class LearnedJudge:
    """A page has an article if its article probability is at least the threshold.

    ``probability`` is calibrated: of the pages with 0.8, four in five are articles. It uses the
    page's URL if there is one. ``model`` is a path, or None for the model in the package.
    """

    name: ClassVar[str] = "learned"

    model: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        load_fusion(self.model)

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:  # noqa: ARG002
        """Return the judgement of a page; one without text has no article."""
        model = load_fusion(self.model)
        prediction = predict(page, model)
        probability = _article_probability(page, model, prediction)
        has_article = None if prediction.probabilities else False
        return Judgement(has_article, probability, prediction.table.p.page, probability)


# From probabilities to the chosen blocks and their text: threshold, rules, parts, JSON-LD.


def select(
    page: Page, prediction: PagePrediction, beta: float = 1.0, copies: bool = False
) -> list[int]:
    """Return the positions of the chosen blocks among the candidate blocks, ascending.

    ``beta`` above 1 favours recall, below 1 precision. ``copies`` keeps what the page has twice.
    """
    threshold = page_threshold(prediction, beta)
    chosen = [k for k, p in enumerate(prediction.probabilities) if p >= threshold]
    if not copies:
        chosen = without_duplicates(page, prediction, chosen)
    comments = comment_mask(page, prediction)
    chosen = [k for k in chosen if not comments[k]] or chosen
    chosen = without_next_articles(page, prediction.table.texts, chosen)
    chosen = without_teasers(prediction, chosen)
    if prediction.article >= IS_ARTICLE:
        chosen = without_empty_headings(prediction.table, chosen) or chosen
        chosen = with_standfirst(page, prediction.table.texts, chosen)
    return chosen


def page_threshold(prediction: PagePrediction, beta: float = 1.0) -> float:
    """Return the lowest probability of a chosen block, where the expected F-beta is greatest.

    At least the most likely block of a page is chosen.
    """
    probabilities = prediction.probabilities
    threshold = best_threshold(probabilities, prediction.table.texts.words, beta)
    return min([p for p in probabilities if p > threshold] or [max(probabilities)])


# Parts of an article that a user asks for or asks to leave out: its headline, its tables.

#: Without a heading's element, the headline is one of the first lines, and a short one.
_LINES_ABOVE: Final = 2
_MAX_HEADLINE: Final = 200


def with_headline(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` with that of the headline, the block of the ``title``."""
    from scrapy_webtext.metadata import find_shown_headline  # only if asked

    # Its words are looked for in the blocks, not in the text.
    block = find_shown_headline(page, Extraction("", 0.0, "fusion", tuple(chosen)))[1]
    return sorted({block, *chosen} - {-1}) if chosen else []


def without_headline(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` without that of the headline; all where nothing else is left."""
    if not _has_heading(page, chosen):
        return list(chosen)
    from scrapy_webtext.metadata import find_chosen_headline  # of many pages it is not needed

    block = find_chosen_headline(page, chosen)
    return [b for b in chosen if b != block] or list(chosen)


def _has_heading(page: Page, chosen: Sequence[int]) -> bool:
    """Return whether one of the first blocks may be a headline, or any is in a heading."""
    texts, node, tag, parent = page.blocks.text, page.blocks.node, page.nodes.tag, page.nodes.parent
    for block in chosen[:_LINES_ABOVE]:
        if len(texts[block]) <= _MAX_HEADLINE and texts[block][-1] not in ".。":
            return True
    for block in chosen:
        i = node[block]
        if tag[i] in tags.HEADINGS or (parent[i] >= 0 and tag[parent[i]] in tags.HEADINGS):
            return True
    return False


def without_tables(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` that are in no table; all where nothing else is left.

    A table that lays out the page is none: it is the one that Markdown has no table for.
    """
    inside = blocks_in_tables(page, chosen)
    return [b for b in chosen if b not in inside] or list(chosen)


# The text of JSON-LD's ``articleBody``, a last resort for pages that show hardly any text. Pages
# that scripts fill in the browser often have their article in JSON-LD for search engines. Readers
# do not see JSON-LD, and it can hold anything; so it is only used if the page itself shows almost
# nothing.

MIN_CHARS: Final = 400
#: An ``articleBody`` is used if it is this many times longer than the text of the page.
LONGER: Final = 2
#: The ``articleBody`` is not used if the page shows this many characters.
MAX_SHOWN_CHARS: Final = 500
#: An ``articleBody`` of HTML with more elements is not used.
MAX_ELEMENTS: Final = 5_000


def json_ld_text(page: Page, found: str, visible: Sequence[str]) -> str:
    """Return an article that the page does not show, if it shows hardly any text, else "".

    It is the longest ``articleBody``, or what the data of scripts hold.

    ``found`` is the main text that was chosen from the ``visible`` blocks.
    """
    if sum(map(len, visible)) >= MAX_SHOWN_CHARS:
        return ""
    body = max(structured_data(page).bodies, key=len, default="")
    if not body:
        body = find_script_text(page)
        return body if len(body) >= LONGER * len(found) else ""
    if len(body) < max(MIN_CHARS, LONGER * len(found)):
        return ""
    if "<" not in body:
        return "\n".join(filter(None, (" ".join(row.split()) for row in body.split("\n"))))
    if has_more_elements(body.encode("utf-8", "replace"), MAX_ELEMENTS):
        return ""
    return "\n".join(parse(body).blocks.text)
