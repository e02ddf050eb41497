"""The support of a container (Wang, Wei, eqs. 1 and 3 to 5); eq. 2 is in `containers`."""

from __future__ import annotations


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
