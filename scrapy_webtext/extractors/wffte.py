"""Web page multi-feature fusion text extraction, WFFTE (Wang, Wei).

Containers are div, table and similar elements; together they hold the text of a page. Each has a
unique path such as ``html/body/div[2]/div[1]``. The support of a container is ``SD = DSD * (TSD +
PSD)`` (eq. 1):

* PSD (general): words outside links divided by words in links, times a factor for punctuation;
* TSD (title): how often its text has the two most frequent words of title and headings;
* DSD (distance): how near it is to the title, computed from the numbers in its path.

Sibling containers that look the same are merged. The main text is the text of the container with
the greatest SD, and of those of the best seven containers that are near it in the tree. Copyright
lines are removed.

The content of a container can be counted in two ways. The paper counts the text of inner
containers, too, which is right for a text that is spread over many containers. An article in one
container is found better without the text of inner containers. The modern reading chooses the way
for each page (`is_scattered`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import ClassVar, Final, NamedTuple, get_args

from scrapy_webtext.core.words import count_words
from scrapy_webtext.errors import check_choice
from scrapy_webtext.extractors import readings
from scrapy_webtext.extractors.readings import Reading
from scrapy_webtext.extractors.title_words import (
    Segmenter,
    check_segmenter,
    title_counts,
    title_words,
)
from scrapy_webtext.page import Nodes, Page, tags
from scrapy_webtext.page.nodes import either
from scrapy_webtext.results import Extraction, Signal

#: Step 1 and Table I: elements that are removed with their content, except the title.
PAPER_NOISE: Final = frozenset({"head", "script", "style", "meta"})
#: Modern reading: also controls, and elements whose names say that they have no main text.
MODERN_NOISE: Final = PAPER_NOISE | {"svg", "button", "nav", "footer", "aside"}
#: Elements that structure a page. A paragraph is text and no container.
CONTAINERS: Final = frozenset(
    "div table tbody tr td th section article main ul ol dl li dd dt blockquote center form "
    "fieldset header footer nav aside".split()
)
#: Eq. 4 divides by HC, the number of words in links. This is the minimum of HC. HC is 0 in many
#: containers, for which the paper gives no rule. With 1, a notice of two sentences without a link
#: gets more support than an article with a link per paragraph. 5 is
#: about the number of words of one link.
MIN_LINK_WORDS: Final[dict[Reading, int]] = {"paper": 1, "modern": 5}
#: Maximum number of characters of a page's headings: segmenting Chinese takes 10 microseconds per
#: character.
MAX_HEADINGS_CHARS: Final = 20_000
#: Step 6: number of containers with the greatest SD that are compared.
TOP: Final = 7
#: Step 8: a copyright line has at least this many words of the lexicon.
COPYRIGHT_WORDS: Final = 3
#: Step 8: the lexicon of copyright lines, lower-cased.
COPYRIGHT_LEXICON: Final = (
    "copyright|©|all rights reserved|privacy|terms|disclaimer|imprint|contact us|about us|"
    "sitemap|版权|著作权|转载|备案|icp|许可证|公网安备|免责声明|法律声明|隐私|联系我们|关于我们|"
    "网站地图|广告服务"
).split("|")
#: Text is scattered over containers if the best container has less than this share of the text of
#: the best seven, counted without inner containers. (Step 6 compares the same share with one half.)
SCATTERED_SHARE: Final = 1 / 3
#: A page with at least this share of its characters in links is a page of links, not scattered
#: text.
SCATTERED_LINKED: Final = 0.4

_MARK: Final = re.compile('[,.;:!?"()，。、；：？！“”（）《》…—]')

_Look = tuple[str, str]


# Step 2: the containers and their paths


@dataclass(frozen=True, slots=True)
class Containers:
    """The containers of a page: columns of equal length, one row per container.

    Rows are in document order. Row 0 is the body, for text that is in no other container.
    """

    node: list[int]
    parent: list[int]  #: row of the parent container; -1 for row 0
    depth: list[int]  #: number of containers above it, including row 0
    coordinate: list[float]  #: the sum of eq. 2; 0 for row 0

    def path_distance(self, one: Iterable[int], other: Iterable[int]) -> int:
        """Return the smallest juli(i, j) (eq. 6) of a row i in ``one`` and a row j in ``other``.

        juli(i, j) = len(i) - pre(i, j) + len(j) - pre(i, j) - 1, where len is the number of nodes
        on a path and pre the number of nodes that both paths share. It is 1 for siblings, 0 for
        parent and child. Both arguments are ascending.
        """
        up, also_up = self._levels_up(one), self._levels_up(other)
        return min(up[row] + also_up[row] for row in up.keys() & also_up.keys()) - 1

    def _levels_up(self, rows: Iterable[int]) -> dict[int, int]:
        """Return row -> levels down to the nearest of ``rows``, for these and all rows above."""
        levels: dict[int, int] = {}
        for row in rows:
            n = 0
            while row >= 0 and levels.get(row, n + 1) > n:
                levels[row] = n
                row, n = self.parent[row], n + 1
        return levels


def read_containers(nodes: Nodes, removed: Sequence[int], q: int) -> tuple[Containers, list[int]]:
    """Return the containers of a page and, per node, the row of its innermost container.

    ``removed`` is 1 for nodes that are noise. rd is the number of a container among the containers
    of its parent, from 1 on, whatever their tags are. The sum of eq. 2 is the parent's sum plus one
    term. As in the paper's example, it is rd_1 + rd_2 / q + rd_3 / q^2 + ..., so
    html/body/div[1]/div[1] has 1.1.
    """
    body = nodes.tag.index("body") if "body" in nodes.tag else 0
    found = Containers([body], [-1], [0], [0.0])
    weights = [0.0, 1.0]  # per depth, the weight of rd
    children = [0]  # per row, the number of containers found below it
    nearest: list[int] = []
    for i, (tag, outer) in enumerate(zip(nodes.tag, nodes.parent, strict=True)):
        row = nearest[outer] if outer >= 0 else 0
        if tag in CONTAINERS and not removed[i]:
            children[row] += 1
            depth = found.depth[row] + 1
            if depth == len(weights):
                weights.append(weights[-1] / q)
            found.node.append(i)
            found.parent.append(row)
            found.depth.append(depth)
            found.coordinate.append(found.coordinate[row] + children[row] * weights[depth])
            row = len(children)
            children.append(0)
        nearest.append(row)
    return found, nearest


# Steps 2 and 3: the content of the containers


class Content(NamedTuple):
    """Counts of the content of containers: columns with one row per container."""

    chars: list[int]
    words: list[int]  #: NC: words outside links
    link_words: list[int]  #: HC: words in links
    punctuation: list[int]  #: p: punctuation marks
    first: list[int]  #: FW: occurrences of FirstWord
    second: list[int]  #: SW: occurrences of SecondWord


@dataclass(frozen=True, slots=True)
class Held:
    """The containers of a page and their content."""

    page: Page
    containers: Containers
    owner: list[int]  #: per run, the row of its container; -1 for noise
    content: Content
    has_inner: bool  #: whether the content of inner containers counts

    def with_inner(self) -> Held:
        """Return a copy in which content includes inner containers, except for row 0."""
        parent = self.containers.parent
        columns = [list(column) for column in self.content]
        for column in columns:
            for row in range(len(parent) - 1, 0, -1):
                if parent[row] > 0:
                    column[parent[row]] += column[row]
        return replace(self, content=Content(*columns), has_inner=True)

    def runs_of(self, rows: Iterable[int]) -> list[int]:
        """Return the runs of text in these rows, ascending."""
        inside = set(rows)
        for row, up in enumerate(self.containers.parent):
            if self.has_inner and up > 0 and up in inside:
                inside.add(row)
        return [k for k, row in enumerate(self.owner) if row in inside]


def read_content(
    page: Page, containers: Containers, owner: Sequence[int], segmenter: Segmenter, reading: Reading
) -> Content:
    """Return the content of each container, without inner containers.

    ``owner`` has the row of each run, -1 for noise. FirstWord and SecondWord are the most frequent
    words in the text of all containers. In the paper's reading an occurrence counts once for each
    container that it is in (step 3).
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
    """Return the page's title and its headings; these are cut at `MAX_HEADINGS_CHARS`."""
    runs = page.runs
    titles, left = [page.title], MAX_HEADINGS_CHARS
    for i in page.nodes.tops(tags.HEADINGS):
        inside = range(runs.first[i], runs.end[i])
        heading = " ".join(runs.text[k] for k in inside if owner[k] >= 0)[:left]
        titles.append(heading)
        left -= len(heading)
    return titles


# Step 4: equations 1 to 5


def general_support(words: int, link_words: int, punctuation: int) -> float:
    """Return PSD (eq. 4) from NC, HC (at least 1) and p."""
    return punctuation_support(punctuation) * words / link_words


def punctuation_support(punctuation: int) -> float:
    """Return FP (eq. 5) for a number of punctuation marks."""
    if punctuation < 3:
        return 0.001
    return 0.1 if punctuation < 6 else 0.5


# Step 5: containers that look the same become one


class Candidate(NamedTuple):
    """Containers that step 5 merged, or a single one."""

    rows: tuple[int, ...]  #: ascending
    support: float  #: SD, summed
    chars: int
    punctuation: int


def groups_of_equal_look(
    nodes: Nodes, containers: Containers, rows: Iterable[int], reading: Reading
) -> list[list[int]]:
    """Divide rows into groups of equal look; ``rows`` ascends, groups are ordered by first row.

    Modern: siblings can be in a group. Paper: all containers at path distance 1 by eq. 6 can, which
    includes grandparent and grandchild. Two containers look the same if they share one of `_looks`,
    or if both look the same as a third one.
    """
    groups: dict[int, list[int]] = {}  # row -> rows of its group (one list per group)
    known: dict[tuple[int, _Look], int] = {}  # (parent, look) -> a row that has both
    looks = {row: _looks(nodes.attributes[containers.node[row]]) for row in rows}
    for row, own in looks.items():
        groups[row] = [row]
        parent = containers.parent[row]
        similar = [known.setdefault((parent, look), row) for look in own]
        if reading == "paper" and parent > 0:
            above = containers.parent[parent]
            if not own.isdisjoint(looks.get(above, ())):
                similar.append(above)
        for other in similar:
            small, large = sorted((groups[row], groups[other]), key=len)
            if small is not large:
                large.extend(small)
                groups.update(dict.fromkeys(small, large))
    unique = {id(group): group for group in groups.values()}
    return sorted(map(sorted, unique.values()))


def _looks(attributes: list[tuple[str, str]]) -> frozenset[_Look]:
    """Return the keys by which elements look alike: the class; all other attributes together.

    All elements without attributes have the same look.
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
class Findings:
    """Results of steps 4 to 8 on one page."""

    held: Held
    candidates: list[Candidate]
    top: list[Candidate]  #: the best seven, the best first
    share: float  #: share of the best candidate in the text of the best seven, in [0, 1]
    runs: list[int]  #: runs of the main text, ascending


def _is_copyright(held: Held, candidate: Candidate) -> bool:
    """Return whether a candidate has three words of the lexicon and no punctuation (step 8)."""
    if candidate.punctuation:
        return False
    text = " ".join(held.page.runs.text[k] for k in held.runs_of(candidate.rows)).lower()
    return sum(word in text for word in COPYRIGHT_LEXICON) >= COPYRIGHT_WORDS


def is_scattered(own: Findings) -> bool:
    """Return whether the text of a page is scattered over containers.

    ``own`` are the findings when content is counted without inner containers. The text is scattered
    if the best candidate has less than a third of the text of the best seven (`SCATTERED_SHARE`)
    and the page is no page of links (`SCATTERED_LINKED`).
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

    ``score``, in [0, 1], is the share of step 6: the share of the best container in the text of the
    seven containers with the greatest SD. Near 1, almost all text is in one container; a page of
    many equal boxes has one seventh. It is 0 for a page without text.

    ``reading``
        ``"paper"`` follows the paper to the letter. The content of a container includes inner
        containers. HC is at least one word. Noise is what step 1 and Table I remove. Text in no
        container is lost. All containers at path distance 1 can be merged. ``"modern"`` (default):
        the content of a container includes inner containers only if the page's text is scattered
        over containers (`is_scattered`). HC is at least five words. Noise is also text that
        browsers do not show (`Page.hidden`), form controls, nav, footer and aside. Text in no
        container belongs to the body. Only siblings can be merged.
    ``q``, ``alpha``, ``beta``
        The constants of eqs. 2 and 3 (10, 0.5, 1).
    ``segmenter``
        ``"jieba"`` for the words of Chinese titles (extra ``zh``, imported on use), ``"bigrams"``
        of characters, or ``"auto"`` (default): jieba if it is installed, else bigrams.

    Source: Wang, Wei, eqs. 1 to 6 and steps 1 to 8. docs/algorithms/wffte.md says how this class
    decides what the paper leaves open.
    """

    name: ClassVar[str] = "wffte"

    reading: Reading = "modern"
    q: int = 10
    alpha: float = 0.5
    beta: float = 1.0
    segmenter: Segmenter = "auto"

    def __post_init__(self) -> None:
        readings.check_reading(self.reading)
        readings.check_integer("q", self.q, 1)
        readings.check_number("alpha", self.alpha)
        readings.check_number("beta", self.beta)
        check_choice("segmenter", self.segmenter, get_args(Segmenter))
        check_segmenter(self.segmenter)

    def extract(self, page: Page) -> Extraction:
        """Return the text of the best container and of the containers near it, in page order."""
        found = self.find(page)
        if self.reading == "paper":
            runs = found.held.page.runs
            return readings.literal_extraction(page, runs, found.runs, found.share, self.name)
        return Extraction.of_runs(page, found.runs, found.share, self.name)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return SD per node, 0 for nodes that are no containers; the best seven are selected.

        Merged containers each have the sum of their SD. In the paper's reading, return no signal if
        the page has scripts with markup that the parser read as elements, because its nodes then
        differ.
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
        """Return the results of all steps, in time linear in the page."""
        held = self.held(page)
        if self.reading == "modern":
            own = self.choose(held)
            if not is_scattered(own):
                return own
        return self.choose(held.with_inner())

    def held(self, page: Page) -> Held:
        """Return the containers and their content without inner containers (steps 1 to 3)."""
        if self.reading == "modern":
            removed = either(page.nodes.inside(MODERN_NOISE), page.hidden)
        else:
            page = readings.read_literally(page)
            removed = page.nodes.inside(PAPER_NOISE)
        containers, nearest = read_containers(page.nodes, removed, self.q)
        owner = [-1 if removed[i] else nearest[i] for i in page.runs.node]
        if self.reading == "paper":  # text in row 0 is lost: the body is no container
            owner = [row or -1 for row in owner]
        content = read_content(page, containers, owner, self.segmenter, self.reading)
        return Held(page, containers, owner, content, has_inner=False)

    def choose(self, held: Held) -> Findings:
        """Return the candidates and the runs of the main text (steps 4 to 8).

        Paper: the limits of step 6 are compared with distances by eq. 6. Modern: they are compared
        with distances as in the paper's example, which are greater by 1:
        html/body/div[1]/div[1]/div[0] and html/body/div[1]/div[1]/div[2]/div[1] have distance 3. If
        all candidates are copyright lines, the modern reading keeps the best one.
        """
        is_modern = self.reading == "modern"
        containers, content, support = held.containers, held.content, self.supports(held)
        candidates = [
            Candidate(
                tuple(rows),
                fsum(support[row] for row in rows),
                sum(content.chars[row] for row in rows),
                sum(content.punctuation[row] for row in rows),
            )
            for rows in groups_of_equal_look(held.page.nodes, containers, support, self.reading)
        ]
        top = sorted(candidates, key=lambda candidate: -candidate.support)[:TOP]
        if not top:
            return Findings(held, [], [], 0.0, [])
        best, *others = top
        share = best.chars / sum(candidate.chars for candidate in top)
        limit = (2 if share >= 0.5 else 4) - (1 if is_modern else 0)  # of path distance (step 6)
        near = [best, *(c for c in others if containers.path_distance(c.rows, best.rows) <= limit)]
        if len(near) > 1:
            kept = [candidate for candidate in near if not _is_copyright(held, candidate)]
            near = kept or ([best] if is_modern else [])
        runs = held.runs_of(row for candidate in near for row in candidate.rows)
        return Findings(held, candidates, top, share, runs)

    def supports(self, held: Held) -> dict[int, float]:
        """Return row -> SD for the containers that have text, by ascending row (step 4)."""
        least = MIN_LINK_WORDS[self.reading]
        found: dict[int, float] = {}
        rows = zip(held.containers.coordinate, *held.content, strict=True)
        for row, (coordinate, chars, words, linked, marks, first, second) in enumerate(rows):
            if chars:
                dsd = 1 / (coordinate or 1.0)  # eq. 2; the body has 1
                tsd = self.alpha * first + self.beta * second  # eq. 3
                psd = general_support(words, max(linked, least), marks)
                found[row] = dsd * (tsd + psd)  # eq. 1
        return found
