"""Web page multi-feature fusion text extraction, WFFTE (Wang, Wei).

The text of a page lies in containers: div, table and the like. A text belongs to the innermost
container around it, and every container has a unique path such as ``html/body/div[2]/div[1]``.
How much speaks for a container as the main text is its support ``SD = DSD * (TSD + PSD)``
(eq. 1), made of

* PSD (general): words outside links over words in links, times a step for punctuation;
* TSD (title): how often it says the two words of title and headings that the page says most;
* DSD (distance): how far from the title it stands, read off the numbers in its path.

Sibling containers of one look (class or style) are merged. The container with the greatest SD
and those of the best seven that lie near it on the tree are the main text, less copyright lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from operator import or_
from typing import ClassVar, Final, Literal, get_args

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.extractors.wffte_containers import (
    Containers,
    read_containers,
    siblings_of_one_look,
)
from scrapy_webtext.extractors.wffte_title import (
    Segmenter,
    check_segmenter,
    most_frequent,
    occurrences,
    title_words,
)
from scrapy_webtext.page import Page, count_words, tags
from scrapy_webtext.results import Extraction, Signal

#: Of a page's headings so many characters are read: segmenting Chinese takes 10 microseconds each.
MAX_HEADINGS_CHARS: Final = 20_000

#: Step 1 and Table I: elements removed with their content; the title is read all the same.
PAPER_NOISE: Final = frozenset({"head", "script", "style", "meta"})
#: Also controls, and elements that say they are no main text.
SEMANTIC_NOISE: Final = PAPER_NOISE | {"svg", "button", "nav", "footer", "aside"}
#: Step 6: so many containers are looked at.
TOP: Final = 7
#: Step 8: the lexicon of copyright lines, lower-cased.
COPYRIGHT_LEXICON: Final = (
    "copyright|©|all rights reserved|privacy|terms|disclaimer|imprint|contact us|about us|"
    "sitemap|版权|著作权|转载|备案|icp|许可证|公网安备|免责声明|法律声明|隐私|联系我们|关于我们|"
    "网站地图|广告服务"
).split("|")

_PUNCTUATION: Final = re.compile('[,.;:!?"()，。、；：？！“”（）《》…—]')

Noise = Literal["semantic", "paper"]
PathDistance = Literal["example", "equation"]


@dataclass(frozen=True, slots=True)
class Content:
    """What the containers hold: columns of equal length C, of text in no inner container."""

    chars: list[int]
    words: list[int]  #: NC: outside links
    link_words: list[int]  #: HC
    punctuation: list[int]  #: p
    title_words: tuple[list[int], list[int]]  #: FW and SW


@dataclass(frozen=True, slots=True)
class Candidate:
    """Containers that step 5 merged, or a single one."""

    rows: tuple[int, ...]
    support: float  #: SD, summed
    chars: int
    punctuation: int


@dataclass(frozen=True, slots=True)
class Findings:
    """What the paper's steps find on one page."""

    containers: Containers
    owner: list[int]  #: per run, the row of its container; -1 for noise
    candidates: list[Candidate]
    top: list[Candidate]  #: the best seven, the best first
    share: float  #: of the text of the best seven, what the best one has, in [0, 1]
    chosen: list[Candidate]


@dataclass(frozen=True)
class WffteExtractor:
    """Main text by support of containers.

    ``score``, in [0, 1], is the share that step 6 looks at: of the text of the seven containers
    with the greatest SD, how much stands in the first. Near 1 all the text is in one place;
    a page of many equal boxes has one seventh. It is 0 for a page without text.

    ``min_link_words``
        HC counts as at least so many words (default 5, about one link). Eq. 4 divides by HC,
        which is 0 in many containers; with 1, the letter as far as it can be followed, a notice
        of two sentences without a link outdoes an article with one link a paragraph.
    ``noise``
        ``"paper"`` removes what step 1 and Table I name; ``"semantic"`` (default) also what
        browsers do not show (`Page.hidden`), form controls, and nav, footer and aside, HTML5's
        own names for what is no main text.
    ``path_distance``
        ``"example"`` (default) measures the limits of step 6 as the paper's example does, where
        html/body/div[1]/div[1]/div[0] and html/body/div[1]/div[1]/div[2]/div[1] are 3 apart;
        by ``"equation"`` (6) they are 2 apart.
    ``segmenter``
        ``"jieba"`` for the words of Chinese titles (extra ``zh``, imported on use), ``"bigrams"``
        of characters, or ``"auto"`` (default): jieba where it is installed, else bigrams.

    Source: Wang, Wei, eqs. 1 to 6 and steps 1 to 8. The first three parameters' defaults depart
    from the letter; docs/algorithms/wffte.md has what each changes, and how the paper is read
    where it leaves things open.
    """

    name: ClassVar[str] = "wffte"

    min_link_words: int = 5
    noise: Noise = "semantic"
    path_distance: PathDistance = "example"
    segmenter: Segmenter = "auto"

    def __post_init__(self) -> None:
        if type(self.min_link_words) is not int or self.min_link_words < 1:
            raise SettingsError(
                f"min_link_words={self.min_link_words!r} is not allowed; "
                f"use a whole number from 1 on"
            )
        check_choice("noise", self.noise, get_args(Noise))
        check_choice("path_distance", self.path_distance, get_args(PathDistance))
        check_choice("segmenter", self.segmenter, get_args(Segmenter))
        check_segmenter(self.segmenter)

    def extract(self, page: Page) -> Extraction:
        """Return the text of the best container and of those near it, in page order."""
        found = self.find(page)
        rows = {row for candidate in found.chosen for row in candidate.rows}
        runs = [k for k, row in enumerate(found.owner) if row in rows]
        return Extraction.of_runs(page, runs, found.share, self.name)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return SD per node, 0 where no container begins; selected are the best seven.

        Containers that were merged have their sum, each.
        """
        found = self.find(page)
        node = found.containers.node
        values = [0.0] * len(page.nodes)
        for candidate in found.candidates:
            for row in candidate.rows:
                values[node[row]] = candidate.support
        selected = sorted(node[row] for candidate in found.top for row in candidate.rows)
        return (Signal("text_support", "node", tuple(values), None, tuple(selected)),)

    def find(self, page: Page) -> Findings:
        """Return what steps 1 to 8 find, in time linear in the page."""
        removed = self._noise(page)
        containers, nearest = read_containers(page.nodes, removed)
        owner = [-1 if removed[i] else nearest[i] for i in page.runs.node]
        content = read_content(page, owner, len(containers.node), self.segmenter)
        candidates = self._candidates(page, containers, content)
        top = sorted(candidates, key=lambda candidate: -candidate.support)[:TOP]
        if not top:
            return Findings(containers, owner, [], [], 0.0, [])
        share = top[0].chars / sum(candidate.chars for candidate in top)
        limit = distance_limit(share) - (self.path_distance == "example")
        near = [c for c in top if c is top[0] or _path_distance(containers, c, top[0]) <= limit]
        if len(near) > 1:
            near = [c for c in near if not _is_copyright(page, owner, c)]
        return Findings(containers, owner, candidates, top, share, near)

    def _noise(self, page: Page) -> bytearray:
        """Mask over nodes: 1 for what is removed first (step 1)."""
        if self.noise == "paper":
            return page.nodes.inside(PAPER_NOISE)
        return bytearray(map(or_, page.nodes.inside(SEMANTIC_NOISE), page.hidden))

    def _candidates(self, page: Page, containers: Containers, content: Content) -> list[Candidate]:
        """SD of every container that has text (steps 2 to 4), siblings of one look merged."""
        support: dict[int, float] = {}
        for row, chars in enumerate(content.chars):
            if chars:
                psd = general_support(
                    content.words[row],
                    max(content.link_words[row], self.min_link_words),
                    content.punctuation[row],
                )
                first, second = content.title_words
                tsd = title_support(first[row], second[row])
                support[row] = text_support(containers.distance_support(row), tsd, psd)
        return [
            Candidate(
                tuple(rows),
                fsum(support[row] for row in rows),
                sum(content.chars[row] for row in rows),
                sum(content.punctuation[row] for row in rows),
            )
            for rows in siblings_of_one_look(page.nodes, containers, list(support))
        ]


def text_support(dsd: float, tsd: float, psd: float) -> float:
    """Return SD (eq. 1)."""
    return dsd * (tsd + psd)


def title_support(first: int, second: int) -> float:
    """Return TSD (eq. 3) from FW and SW, with alpha = 0.5 and beta = 1."""
    return 0.5 * first + 1.0 * second


def general_support(words: int, link_words: int, punctuation: int) -> float:
    """Return PSD (eq. 4) from NC, HC (at least 1) and p."""
    return punctuation_support(punctuation) * words / link_words


def punctuation_support(punctuation: int) -> float:
    """Return FP (eq. 5), the step for a number of punctuation marks."""
    if punctuation < 3:
        return 0.001
    return 0.1 if punctuation < 6 else 0.5


def distance_limit(share: float) -> int:
    """Return JULI (step 6) from the share of the best container in the text of the best seven."""
    return 2 if share >= 0.5 else 4


def read_content(page: Page, owner: Sequence[int], rows: int, segmenter: Segmenter) -> Content:
    """Return what each container holds; ``owner`` has the row of each run, -1 for noise."""
    chars, words, link_words, punctuation, first, second = ([0] * rows for _ in range(6))
    columns = list(zip((first, second), _title_words(page, owner, segmenter), strict=False))
    is_link, node = page.is_link, page.runs.node
    for text, row, i in zip(page.runs.text, owner, node, strict=True):
        if row < 0:
            continue
        chars[row] += len(text)
        (link_words if is_link[i] else words)[row] += count_words(text, 1)
        punctuation[row] += len(_PUNCTUATION.findall(text))
        if columns:
            lowered = text.lower()
            for column, word in columns:
                if word in lowered:
                    column[row] += occurrences(word, lowered)
    return Content(chars, words, link_words, punctuation, (first, second))


def _title_words(page: Page, owner: Sequence[int], segmenter: Segmenter) -> list[str]:
    """FirstWord and SecondWord (step 3), as far as the page has them."""
    runs = page.runs
    titles, left = [page.title], MAX_HEADINGS_CHARS
    for i in page.nodes.tops(tags.HEADINGS):
        inside = range(runs.first[i], runs.end[i])
        heading = " ".join(runs.text[k] for k in inside if owner[k] >= 0)[:left]
        titles.append(heading)
        left -= len(heading)
    kept = (text for text, row in zip(runs.text, owner, strict=True) if row >= 0)
    return most_frequent(title_words(titles, segmenter), "\n".join(kept).lower())


def _path_distance(containers: Containers, one: Candidate, other: Candidate) -> int:
    """Path distance (eq. 6) of two candidates.

    Merged containers are siblings and equally far from any other container, save one inside
    one of them: then that one counts.
    """
    inner, outer = one, other
    if containers.depth[inner.rows[0]] < containers.depth[outer.rows[0]]:
        inner, outer = outer, inner
    around = containers.above(inner.rows[0], containers.depth[outer.rows[0]])
    nearest = around if around in outer.rows else outer.rows[0]
    return containers.path_distance(inner.rows[0], nearest)


def _is_copyright(page: Page, owner: Sequence[int], candidate: Candidate) -> bool:
    """Whether a candidate has three words of the lexicon or more and no punctuation (step 8)."""
    if candidate.punctuation:
        return False
    rows = set(candidate.rows)
    own = (text for text, row in zip(page.runs.text, owner, strict=True) if row in rows)
    text = " ".join(own).lower()
    return sum(word in text for word in COPYRIGHT_LEXICON) >= 3
