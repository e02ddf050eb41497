"""The support of a container (Wang, Wei, eqs. 1 and 3 to 5); eq. 2 is in `container_tree`."""

from __future__ import annotations

from scrapy_webtext.extractors.wffte.container_tree import Containers
from scrapy_webtext.extractors.wffte.content import Content


def supports(
    containers: Containers, content: Content, min_link_words: int, alpha: float, beta: float
) -> dict[int, float]:
    """Return SD of the containers that have text, by row, ascending (step 4)."""
    found: dict[int, float] = {}
    for row, chars in enumerate(content.chars):
        if chars:
            psd = general_support(
                content.words[row],
                max(content.link_words[row], min_link_words),
                content.punctuation[row],
            )
            tsd = title_support(content.first[row], content.second[row], alpha, beta)
            found[row] = text_support(containers.distance_support(row), tsd, psd)
    return found


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
