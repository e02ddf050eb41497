"""Steps 5 to 8 of WFFTE: containers that look the same become one, the best are chosen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Final, NamedTuple

from scrapy_webtext.extractors.wffte.container_tree import Containers
from scrapy_webtext.extractors.wffte.content import Content
from scrapy_webtext.extractors.wffte.support import distance_limit
from scrapy_webtext.page import Page

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

    def rows_in(self, rows: Sequence[int]) -> set[int]:
        """Return these rows and, where containers hold them, those inside them."""
        if not self.has_inner:
            return set(rows)
        found: set[int] = set()
        for row in rows:
            if row not in found:  # else so are those inside it
                found.update(range(row, self.containers.end[row] if row else 1))
        return found

    def runs_of(self, rows: Sequence[int]) -> list[int]:
        """Return the runs that these rows hold, ascending."""
        return held_runs(self.owner, self.rows_in(rows))


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


def held_runs(owner: Sequence[int], rows: Collection[int]) -> list[int]:
    """Return the runs whose owners are among these rows, ascending."""
    return [k for k, row in enumerate(owner) if row in rows]


def merged(
    held: Held, support: dict[int, float], groups: Sequence[Sequence[int]]
) -> list[Candidate]:
    """Return the candidates that these groups of rows make (step 5)."""
    content = held.content
    return [
        Candidate(
            tuple(rows),
            fsum(support[row] for row in rows),
            sum(content.chars[row] for row in rows),
            sum(content.punctuation[row] for row in rows),
        )
        for rows in groups
    ]


def choose(held: Held, candidates: list[Candidate], counted_more: int) -> Findings:
    """Return the best candidate and those of the best seven near it (steps 6 to 8).

    ``counted_more`` is by how much path distances are greater than those of eq. 6.
    """
    top = sorted(candidates, key=lambda candidate: -candidate.support)[:TOP]
    if not top:
        return Findings(held, [], [], 0.0, [], [])
    share = top[0].chars / sum(candidate.chars for candidate in top)
    limit = distance_limit(share) - counted_more
    near = list(_near(held.containers, top, limit))
    if len(near) > 1:
        # Where all are copyright lines the best one stays, as one alone would.
        near = [c for c in near if not _is_copyright(held, c)] or top[:1]
    runs = held.runs_of([row for candidate in near for row in candidate.rows])
    return Findings(held, candidates, top, share, near, runs)


def _near(containers: Containers, top: Sequence[Candidate], limit: int) -> Iterator[Candidate]:
    yield top[0]
    for candidate in top[1:]:
        if _path_distance(containers, candidate, top[0]) <= limit:
            yield candidate


def _path_distance(containers: Containers, one: Candidate, other: Candidate) -> int:
    """Path distance (eq. 6) of two candidates.

    Merged siblings are equally far from any other container, save one inside one of them: then
    that one counts. Of others that were merged the first counts.
    """
    inner, outer = one, other
    if containers.depth[inner.rows[0]] < containers.depth[outer.rows[0]]:
        inner, outer = outer, inner
    around = containers.above(inner.rows[0], containers.depth[outer.rows[0]])
    nearest = around if around in outer.rows else outer.rows[0]
    return containers.path_distance(inner.rows[0], nearest)


def _is_copyright(held: Held, candidate: Candidate) -> bool:
    """Whether a candidate has three words of the lexicon or more and no punctuation (step 8)."""
    if candidate.punctuation:
        return False
    text = " ".join(held.page.runs.text[k] for k in held.runs_of(candidate.rows)).lower()
    return sum(word in text for word in COPYRIGHT_LEXICON) >= COPYRIGHT_WORDS
