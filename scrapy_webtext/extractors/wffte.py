"""Web page multi-feature fusion text extraction, WFFTE (Wang, Wei).

The text of a page lies in containers: div, table and the like. Every container has a unique
path such as ``html/body/div[2]/div[1]``. How much speaks for a container as the main text is its
support ``SD = DSD * (TSD + PSD)`` (eq. 1), made of

* PSD (general): words outside links over words in links, times a step for punctuation;
* TSD (title): how often it says the two words of title and headings that the page says most;
* DSD (distance): how far from the title it stands, read off the numbers in its path.

Containers side by side that look the same are merged. The container with the greatest SD and
those of the best seven that lie near it on the tree are the main text, less copyright lines.

What a container holds can be read in two ways: all that is contained in it, the paper's words,
which suits pages made of many containers; or its own text, less that of containers inside it,
which suits an article in one container. By the modern reading the page decides (`is_scattered`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import ClassVar, Final, NamedTuple, get_args

from scrapy_webtext.errors import check_choice
from scrapy_webtext.extractors.containers import Containers, read_containers
from scrapy_webtext.extractors.readings import (
    Reading,
    check_integer,
    check_number,
    check_reading,
    literal_extraction,
    read_literally,
)
from scrapy_webtext.extractors.title_words import (
    Segmenter,
    check_segmenter,
    title_counts,
    title_words,
)
from scrapy_webtext.page import Nodes, Page, count_words, either, tags
from scrapy_webtext.results import Extraction, Signal

#: Step 1 and Table I: elements removed with their content; the title is read all the same.
PAPER_NOISE: Final = frozenset({"head", "script", "style", "meta"})
#: Modern: also controls, and elements that say they are no main text.
MODERN_NOISE: Final = PAPER_NOISE | {"svg", "button", "nav", "footer", "aside"}
#: Eq. 4: HC counts as at least so many words. It is 0 in many containers; with 1, the letter as far
#: as it can be followed, a notice of two sentences without a link outdoes an article with one link
#: a paragraph. Modern is about one link.
MIN_LINK_WORDS: Final[dict[Reading, int]] = {"paper": 1, "modern": 5}
#: Of a page's headings so many characters are read: segmenting Chinese takes 10 microseconds each.
MAX_HEADINGS_CHARS: Final = 20_000
#: Step 6: so many containers are looked at.
TOP: Final = 7
#: Step 8: so many words of the lexicon make a copyright line.
COPYRIGHT_WORDS: Final = 3
#: Step 8: the lexicon of copyright lines, lower-cased.
COPYRIGHT_LEXICON: Final = (
    "copyright|©|all rights reserved|privacy|terms|disclaimer|imprint|contact us|about us|"
    "sitemap|版权|著作权|转载|备案|icp|许可证|公网安备|免责声明|法律声明|隐私|联系我们|关于我们|"
    "网站地图|广告服务"
).split("|")
#: The text is scattered over containers if, of the own text of the best seven, the best one has
#: less than this share (step 6 asks the same question with one half),
SCATTERED_SHARE: Final = 1 / 3
#: and less than this share of the page's characters are in links; else it is a page of links.
SCATTERED_LINKED: Final = 0.4

_MARK: Final = re.compile('[,.;:!?"()，。、；：？！“”（）《》…—]')

_Look = tuple[str, str]


# What the containers hold (steps 2 and 3)


@dataclass(frozen=True, slots=True)
class Content:
    """What the containers hold: columns of equal length C."""

    chars: list[int]
    words: list[int]  #: NC: outside links
    link_words: list[int]  #: HC
    punctuation: list[int]  #: p
    first: list[int]  #: FW
    second: list[int]  #: SW

    def with_inner(self, containers: Containers) -> Content:
        """Return the same with the content of inner containers; row 0 stays as it is."""
        columns = (
            self.chars, self.words, self.link_words, self.punctuation, self.first, self.second,
        )  # fmt: skip
        return Content(*(_summed(column, containers.parent) for column in columns))


def _summed(values: Sequence[int], parents: Sequence[int]) -> list[int]:
    sums = list(values)
    for row in range(len(sums) - 1, 0, -1):
        if parents[row] > 0:
            sums[parents[row]] += sums[row]
    return sums


def read_content(
    page: Page, containers: Containers, owner: Sequence[int], segmenter: Segmenter, reading: Reading
) -> Content:
    """Return what each container holds by itself, without inner containers.

    ``owner`` has the row of each run, -1 for noise. Which two title words count is decided by their
    occurrences in the text of all containers, by the letter in each container (step 3).
    """
    rows = len(containers.node)
    chars, words, link_words, punctuation, first, second = ([0] * rows for _ in range(6))
    is_link, node, texts = page.is_link, page.runs.node, page.runs.text
    kept = [k for k, row in enumerate(owner) if row >= 0]
    candidates = title_words(_titles(page, owner), segmenter)
    times = [1 if reading == "modern" else containers.depth[owner[k]] for k in kept]
    named = title_counts(candidates, [texts[k].lower() for k in kept], times)
    for k, of_first, of_second in zip(kept, *named, strict=True):
        row, text = owner[k], texts[k]
        chars[row] += len(text)
        (link_words if is_link[node[k]] else words)[row] += count_words(text, 1)
        punctuation[row] += len(_MARK.findall(text))
        first[row] += of_first
        second[row] += of_second
    return Content(chars, words, link_words, punctuation, first, second)


def _titles(page: Page, owner: Sequence[int]) -> list[str]:
    """Return the page's title and its headings, of which so many characters are read."""
    runs = page.runs
    titles, left = [page.title], MAX_HEADINGS_CHARS
    for i in page.nodes.tops(tags.HEADINGS):
        inside = range(runs.first[i], runs.end[i])
        heading = " ".join(runs.text[k] for k in inside if owner[k] >= 0)[:left]
        titles.append(heading)
        left -= len(heading)
    return titles


# Equations 1 and 3 to 5


def text_support(dsd: float, tsd: float, psd: float) -> float:
    """Return SD (eq. 1)."""
    return dsd * (tsd + psd)


def title_support(first: int, second: int, alpha: float = 0.5, beta: float = 1.0) -> float:
    """Return TSD (eq. 3) from FW and SW."""
    return alpha * first + beta * second


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


# Step 5: containers that look the same become one


def groups_of_one_look(
    nodes: Nodes, containers: Containers, rows: Sequence[int], reading: Reading = "modern"
) -> list[list[int]]:
    """Return these rows, given ascending, in groups of equal look; groups by their first row.

    Merged are siblings; by the letter all that is at path distance 1 by eq. 6, which are also
    grandparent and grandchild. Two containers look the same if they share one of `_looks`, or
    both look like a third.
    """
    group_of: dict[int, int] = {}  # row -> a row of its group, the first one in the end
    known: dict[tuple[int, _Look], int] = {}  # parent and look -> a row that has them
    by_row = {row: _looks(nodes.attributes[containers.node[row]]) for row in rows}

    def first_of(row: int) -> int:
        while group_of[row] != row:
            group_of[row] = group_of[group_of[row]]
            row = group_of[row]
        return row

    def join(one: int, other: int) -> None:
        first, last = sorted((first_of(one), first_of(other)))
        group_of[last] = first

    for row, own in by_row.items():
        group_of[row] = row
        parent = containers.parent[row]
        for look in own:
            join(known.setdefault((parent, look), row), row)
        if reading == "paper" and parent > 0:
            above = containers.parent[parent]
            if not own.isdisjoint(by_row.get(above, ())):
                join(above, row)
    groups: dict[int, list[int]] = {}
    for row in rows:
        groups.setdefault(first_of(row), []).append(row)
    return list(groups.values())


def _looks(attributes: list[tuple[str, str]]) -> frozenset[_Look]:
    """What an element may share with another: its class, and its other attributes together.

    An element without any has one look, that of having none.
    """
    own: list[str] = []
    others: list[str] = []
    for name, value in attributes:
        if words := value.split():
            if name == "class":
                own = sorted(words)
            else:
                others.append(f"{name}={' '.join(words)}")
    found = {("class", " ".join(own)), ("others", "\n".join(sorted(others)))}
    return frozenset(look for look in found if look[1]) or frozenset({("", "")})


# Steps 6 to 8: the best are chosen


@dataclass(frozen=True, slots=True)
class Held:
    """The containers of a page and what each is taken to hold."""

    page: Page
    containers: Containers
    owner: list[int]  #: per run, the row of its container; -1 for noise
    content: Content
    has_inner: bool  #: whether a container holds what is inside the containers in it

    def with_inner(self) -> Held:
        """Return the same with containers that hold what is inside them."""
        return replace(self, content=self.content.with_inner(self.containers), has_inner=True)

    def runs_of(self, rows: Sequence[int]) -> list[int]:
        """Return the runs that these rows hold, ascending."""
        inside: set[int] = set()
        for row in rows:
            if row not in inside:  # else so are those inside it
                is_alone = not self.has_inner or row == 0
                inside.update(range(row, row + 1 if is_alone else self.containers.end[row]))
        return [k for k, row in enumerate(self.owner) if row in inside]


class Candidate(NamedTuple):
    """Containers that step 5 merged, or a single one."""

    rows: tuple[int, ...]  #: ascending
    support: float  #: SD, summed
    chars: int
    punctuation: int


@dataclass(frozen=True, slots=True)
class Findings:
    """What steps 5 to 8 find on one page."""

    held: Held
    candidates: list[Candidate]
    top: list[Candidate]  #: the best seven, the best first
    share: float  #: of the text of the best seven, what the best one has, in [0, 1]
    chosen: list[Candidate]
    runs: list[int]  #: of the chosen, ascending


def choose(held: Held, candidates: list[Candidate], reading: Reading) -> Findings:
    """Return the best candidate and those of the best seven near it (steps 6 to 8).

    The limits of step 6 are by the letter counted by eq. 6. Modern they are counted as in the
    paper's example, where html/body/div[1]/div[1]/div[0] and
    html/body/div[1]/div[1]/div[2]/div[1] are 3 apart: one more. If all are copyright lines, modern
    the best one stays.
    """
    top = sorted(candidates, key=lambda candidate: -candidate.support)[:TOP]
    if not top:
        return Findings(held, [], [], 0.0, [], [])
    share = top[0].chars / sum(candidate.chars for candidate in top)
    limit = distance_limit(share) - (1 if reading == "modern" else 0)
    rows, distance = top[0].rows, held.containers.path_distance  # of merged ones the nearest
    near = [top[0], *(c for c in top[1:] if distance(c.rows, rows) <= limit)]
    if len(near) > 1:
        last = top[:1] if reading == "modern" else []
        near = [c for c in near if not _is_copyright(held, c)] or last
    runs = held.runs_of([row for candidate in near for row in candidate.rows])
    return Findings(held, candidates, top, share, near, runs)


def _is_copyright(held: Held, candidate: Candidate) -> bool:
    """Whether a candidate has three words of the lexicon or more and no punctuation (step 8)."""
    if candidate.punctuation:
        return False
    text = " ".join(held.page.runs.text[k] for k in held.runs_of(candidate.rows)).lower()
    return sum(word in text for word in COPYRIGHT_LEXICON) >= COPYRIGHT_WORDS


def is_scattered(own: Findings) -> bool:
    """Return whether a page's text is scattered over containers, given what their own texts find.

    It is if the best one has less than a third of the text of the best seven
    (`SCATTERED_SHARE`), and the page is no page of links (`SCATTERED_LINKED`).
    """
    if not 0 < own.share < SCATTERED_SHARE:
        return False
    page = own.held.page
    linked = [0, 0]  # characters outside links and in them
    for text, row, node in zip(page.runs.text, own.held.owner, page.runs.node, strict=True):
        if row >= 0:
            linked[page.is_link[node]] += len(text)
    return linked[1] < SCATTERED_LINKED * sum(linked)


# The extractor


@dataclass(frozen=True)
class WffteExtractor:
    """Main text by support of containers.

    ``score``, in [0, 1], is the share that step 6 looks at: of the text of the seven containers
    with the greatest SD, how much stands in the first. Near 1 all the text is in one place;
    a page of many equal boxes has one seventh. It is 0 for a page without text.

    ``reading``
        ``"paper"`` is the letter: a container holds all that is in it; HC is at least one word;
        noise is what step 1 and Table I name; text in no container is lost; all that is at path
        distance 1 is merged. ``"modern"`` (default): a container holds all that is in it where
        the page's text is scattered over containers (`is_scattered`), else its text less that of
        containers in it; HC is at least five words; noise is also what browsers do not show
        (`Page.hidden`), form controls, and nav, footer and aside; text in no container belongs to
        the body; siblings alone are merged.
    ``q``, ``alpha``, ``beta``
        The constants of eqs. 2 and 3 (10, 0.5, 1).
    ``segmenter``
        ``"jieba"`` for the words of Chinese titles (extra ``zh``, imported on use), ``"bigrams"``
        of characters, or ``"auto"`` (default): jieba where it is installed, else bigrams.

    Source: Wang, Wei, eqs. 1 to 6 and steps 1 to 8; docs/algorithms/wffte.md has how the paper is
    read where it leaves things open.
    """

    name: ClassVar[str] = "wffte"

    reading: Reading = "modern"
    q: int = 10
    alpha: float = 0.5
    beta: float = 1.0
    segmenter: Segmenter = "auto"

    def __post_init__(self) -> None:
        check_reading(self.reading)
        check_integer("q", self.q, 1)
        check_number("alpha", self.alpha)
        check_number("beta", self.beta)
        check_choice("segmenter", self.segmenter, get_args(Segmenter))
        check_segmenter(self.segmenter)

    def extract(self, page: Page) -> Extraction:
        """Return the text of the best container and of those near it, in page order."""
        found = self.find(page)
        if self.reading == "paper":
            runs = found.held.page.runs
            return literal_extraction(page, runs, found.runs, found.share, self.name)
        return Extraction.of_runs(page, found.runs, found.share, self.name)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return SD per node, 0 where no container begins; selected are the best seven.

        Containers that were merged have their sum, each. Empty by the letter where scripts with
        markup were read as elements of the page.
        """
        found = self.find(page)
        if len(found.held.page.nodes) != len(page.nodes):
            return ()
        node = found.held.containers.node
        values = [0.0] * len(page.nodes)
        for candidate in found.candidates:
            for row in candidate.rows:
                values[node[row]] = candidate.support
        selected = sorted(node[row] for candidate in found.top for row in candidate.rows)
        return (Signal("text_support", "node", tuple(values), None, tuple(selected)),)

    def find(self, page: Page) -> Findings:
        """Return what steps 1 to 8 find, in time linear in the page."""
        held = self.held(page)
        if self.reading == "modern":
            own = self.choose(held)
            if not is_scattered(own):
                return own
        return self.choose(held.with_inner())

    def held(self, page: Page) -> Held:
        """Return the containers and their own content (steps 1 to 3)."""
        if self.reading == "modern":
            removed = either(page.nodes.inside(MODERN_NOISE), page.hidden)
        else:
            page = read_literally(page)
            removed = page.nodes.inside(PAPER_NOISE)
        containers, nearest = read_containers(page.nodes, removed, self.q)
        owner = [-1 if removed[i] else nearest[i] for i in page.runs.node]
        if self.reading == "paper":  # the body is no container
            owner = [row or -1 for row in owner]
        content = read_content(page, containers, owner, self.segmenter, self.reading)
        return Held(page, containers, owner, content, has_inner=False)

    def choose(self, held: Held) -> Findings:
        """Return what steps 4 to 8 choose: SD of the containers that have text, the best."""
        content = held.content
        support = self.supports(held)
        groups = groups_of_one_look(held.page.nodes, held.containers, list(support), self.reading)
        candidates = [
            Candidate(
                tuple(rows),
                fsum(support[row] for row in rows),
                sum(content.chars[row] for row in rows),
                sum(content.punctuation[row] for row in rows),
            )
            for rows in groups
        ]
        return choose(held, candidates, self.reading)

    def supports(self, held: Held) -> dict[int, float]:
        """Return SD of the containers that have text, by row, ascending (step 4)."""
        content, least = held.content, MIN_LINK_WORDS[self.reading]
        found: dict[int, float] = {}
        for row, chars in enumerate(content.chars):
            if chars:
                link_words = max(content.link_words[row], least)
                psd = general_support(content.words[row], link_words, content.punctuation[row])
                tsd = title_support(content.first[row], content.second[row], self.alpha, self.beta)
                found[row] = text_support(held.containers.distance_support(row), tsd, psd)
        return found
