"""No page costs more than linear time, whatever it is made of.

A page eight times as large may cost 24 times as much, since the large one may be read a second
way (too deep a tree), and an extractor may take all of it and five blocks of the small one: a
quadratic cost would be 64 times.
CPU time varies on a busy machine, so a ratio counts only when three attempts agree.
"""

import pytest

from tests.kits import hostile
from tests.kits.costs import SUBJECTS, growth

SMALL, LARGE = 6_250, 50_000
ATTEMPTS = 3
BOUND = 3 * LARGE / SMALL

#: CPU seconds for the larger page below which a ratio says nothing: compiled, a small page of which
#: nothing is chosen takes next to none, and the large one may be chosen whole.
NEGLIGIBLE = 0.5


@pytest.mark.parametrize("shape", hostile.LARGE)
def test_the_cost_is_linear_in_the_page(shape: str) -> None:
    for subject in ("parse", *SUBJECTS):
        ratios = []
        for _ in range(ATTEMPTS):
            low, high = growth(shape, subject, SMALL, LARGE)
            ratios.append(high / max(low, NEGLIGIBLE / BOUND))
            if ratios[-1] <= BOUND:
                break
        assert min(ratios) <= BOUND, f"{subject}: {ratios} times for {LARGE / SMALL} times the page"
