"""The extractor `wffte`: its parameters, and how the page chooses what a container holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, get_args

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.extractors.readings import BY_READING, PerReading, Reading, settle
from scrapy_webtext.extractors.wffte.container_tree import Coordinate, read_containers, rows_of
from scrapy_webtext.extractors.wffte.content import read_content
from scrapy_webtext.extractors.wffte.findings import Findings, Held, choose, merged
from scrapy_webtext.extractors.wffte.looks import Looks, Merging, groups_of_one_look
from scrapy_webtext.extractors.wffte.support import supports
from scrapy_webtext.extractors.wffte.title import Segmenter, StopWords, check_segmenter
from scrapy_webtext.page import Page, either
from scrapy_webtext.results import Extraction, Signal

ContentOf = Literal["by_page", "own", "contained"]
Noise = Literal["semantic", "paper"]
Outside = Literal["body", "none"]
PathDistance = Literal["example", "equation"]

#: What the two readings set; the rest of the parameters are the paper's in both.
READINGS: Final = {
    "content": PerReading(paper="contained", modern="by_page"),
    "min_link_words": PerReading(paper=1, modern=5),
    "noise": PerReading(paper="paper", modern="semantic"),
    "outside": PerReading(paper="none", modern="body"),
    "merging": PerReading(paper="distance", modern="siblings"),
}

#: Step 1 and Table I: elements removed with their content; the title is read all the same.
PAPER_NOISE: Final = frozenset({"head", "script", "style", "meta"})
#: Also controls, and elements that say they are no main text.
SEMANTIC_NOISE: Final = PAPER_NOISE | {"svg", "button", "nav", "footer", "aside"}

#: ``content="by_page"``: the text is scattered over containers if, of the own text of the best
#: seven, the best one has less than this share (step 6 asks the same question with one half),
SCATTERED_SHARE: Final = 1 / 3
#: and less than this share of the page's characters are in links; else it is a page of links.
SCATTERED_LINKED: Final = 0.4


@dataclass(frozen=True)
class WffteExtractor:
    """Main text by support of containers.

    ``score``, in [0, 1], is the share that step 6 looks at: of the text of the seven containers
    with the greatest SD, how much stands in the first. Near 1 all the text is in one place;
    a page of many equal boxes has one seventh. It is 0 for a page without text.

    ``reading``
        ``"paper"`` is the letter of the paper in all that follows, ``"modern"`` (default) what
        suits today's pages; a parameter that is given wins over both.
    ``content``
        ``"contained"``, the letter: a container holds all that is in it. ``"own"``: its text
        less that of containers in it. ``"by_page"``, modern: contained where the page's text is
        scattered over containers (`is_scattered`), else own.
    ``min_link_words``
        HC counts as at least so many words (modern 5, about one link). Eq. 4 divides by HC,
        which is 0 in many containers; with 1, the letter as far as it can be followed, a notice
        of two sentences without a link outdoes an article with one link a paragraph.
    ``noise``
        ``"paper"`` removes what step 1 and Table I name; ``"semantic"``, modern, also what
        browsers do not show (`Page.hidden`), form controls, and nav, footer and aside, HTML5's
        own names for what is no main text.
    ``outside``
        Text in no container belongs to the ``"body"``, modern, or to ``"none"``, the letter.
    ``looks``
        Step 5: what is compared where classes are not the same, all other ``"attributes"``
        (default) or the ``"style"`` alone.
    ``merging``
        Step 5: ``"distance"``, the letter, merges all that is at path distance 1 by eq. 6,
        siblings and grandparent and grandchild; ``"siblings"``, modern, siblings alone.
    ``coordinate``
        Eq. 2: ``"example"`` (default), which gives html/body/div[1]/div[1] 1/1.1, or as printed,
        ``"equation"``, which gives 1/11.
    ``path_distance``
        ``"example"`` (default) measures the limits of step 6 as the paper's example does, where
        html/body/div[1]/div[1]/div[0] and html/body/div[1]/div[1]/div[2]/div[1] are 3 apart;
        by ``"equation"`` (6) they are 2 apart.
    ``q``, ``alpha``, ``beta``
        The constants of eqs. 2 and 3 (10, 0.5, 1).
    ``stop_words``
        ``"dropped"`` (default): common words such as "about" are no entity words of a title.
    ``segmenter``
        ``"jieba"`` for the words of Chinese titles (extra ``zh``, imported on use), ``"bigrams"``
        of characters, or ``"auto"`` (default): jieba where it is installed, else bigrams.

    Source: Wang, Wei, eqs. 1 to 6 and steps 1 to 8; docs/algorithms/wffte.md has what each
    parameter changes, and how the paper is read where it leaves things open.
    """

    name: ClassVar[str] = "wffte"

    reading: Reading = "modern"
    content: ContentOf = BY_READING
    min_link_words: int = BY_READING
    noise: Noise = BY_READING
    outside: Outside = BY_READING
    looks: Looks = "attributes"
    merging: Merging = BY_READING
    coordinate: Coordinate = "example"
    path_distance: PathDistance = "example"
    q: int = 10
    alpha: float = 0.5
    beta: float = 1.0
    stop_words: StopWords = "dropped"
    segmenter: Segmenter = "auto"

    def __post_init__(self) -> None:
        settle(self, READINGS)
        _check_number("min_link_words", self.min_link_words, 1)
        _check_number("q", self.q, 1)
        check_choice("content", self.content, get_args(ContentOf))
        check_choice("noise", self.noise, get_args(Noise))
        check_choice("outside", self.outside, get_args(Outside))
        check_choice("looks", self.looks, get_args(Looks))
        check_choice("merging", self.merging, get_args(Merging))
        check_choice("coordinate", self.coordinate, get_args(Coordinate))
        check_choice("path_distance", self.path_distance, get_args(PathDistance))
        check_choice("stop_words", self.stop_words, get_args(StopWords))
        check_choice("segmenter", self.segmenter, get_args(Segmenter))
        check_segmenter(self.segmenter)
        for constant in ("alpha", "beta"):
            _check_weight(constant, getattr(self, constant))

    def extract(self, page: Page) -> Extraction:
        """Return the text of the best container and of those near it, in page order."""
        found = self.find(page)
        return Extraction.of_runs(page, found.runs, found.share, self.name)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return SD per node, 0 where no container begins; selected are the best seven.

        Containers that were merged have their sum, each.
        """
        found = self.find(page)
        node = found.held.containers.node
        values = [0.0] * len(page.nodes)
        for candidate in found.candidates:
            for row in candidate.rows:
                values[node[row]] = candidate.support
        selected = sorted(node[row] for candidate in found.top for row in candidate.rows)
        return (Signal("text_support", "node", tuple(values), None, tuple(selected)),)

    def find(self, page: Page) -> Findings:
        """Return what steps 1 to 8 find, in time linear in the page."""
        held = self._held(page)
        if self.content != "contained":
            own = self._choose(held)
            if self.content == "own" or not is_scattered(own):
                return own
        return self._choose(held.with_inner())

    def _held(self, page: Page) -> Held:
        """Return the containers and their own content (steps 1 to 3)."""
        removed = self._noise(page)
        containers, nearest = read_containers(page.nodes, removed, self.q, self.coordinate)
        owner = rows_of(page.runs.node, nearest, removed, self.outside == "body")
        rows = len(containers.node)
        content = read_content(page, owner, rows, self.segmenter, self.stop_words)
        return Held(page, containers, owner, content, False)

    def _noise(self, page: Page) -> bytearray:
        """Mask over nodes: 1 for what is removed first (step 1)."""
        if self.noise == "paper":
            return page.nodes.inside(PAPER_NOISE)
        return either(page.nodes.inside(SEMANTIC_NOISE), page.hidden)

    def _choose(self, held: Held) -> Findings:
        """Return what steps 4 to 8 choose: SD of the containers that have text, the best."""
        containers = held.containers
        support = supports(containers, held.content, self.min_link_words, self.alpha, self.beta)
        groups = groups_of_one_look(
            held.page.nodes, containers, list(support), self.looks, self.merging
        )
        return choose(held, merged(held, support, groups), self.path_distance == "example")


def is_scattered(own: Findings) -> bool:
    """Whether a page's text is scattered over containers, given what their own texts find.

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


def _check_number(name: str, value: object, least: int) -> None:
    if type(value) is not int or value < least:
        raise SettingsError(f"{name}={value!r} is not allowed; use a whole number from {least} on")


def _check_weight(name: str, value: object) -> None:
    if type(value) not in (int, float) or not 0 <= value < float("inf"):  # type: ignore[operator]
        raise SettingsError(f"{name}={value!r} is not allowed; use a number from 0 on")
