"""Twin of ``extractors/fusion/features/article_features.py``: how the likely blocks follow each other."""

from math import fsum


def article_block_features(words, link_density, repeated_items, probabilities):
    from scrapy_webtext.extractors.fusion.features.context import LIKELY

    cdef list numbers = list(words), density = list(link_density), items = list(repeated_items)
    cdef list chances = list(probabilities), held = [], unsure = [], linked = []
    cdef Py_ssize_t n = len(chances), k, number, total = 0, inside = 0, likely = 0, rows = 0
    cdef bint was_likely = False
    cdef double p, from_likely = LIKELY, of_items = 0.0
    if not len(numbers) == len(density) == len(items) == n:
        raise ValueError("the columns differ in length")
    for k in range(n):
        p = chances[k]
        number = numbers[k]
        total += number
        held.append(p * <double> number)
        unsure.append(p * (1 - p) * <double> number)
        if p >= from_likely:
            rows += not was_likely
            inside += number
            likely += 1
            linked.append(<double> number * <double> density[k])
            of_items += <double> items[k]
        was_likely = p >= from_likely
    expected, variance = fsum(held), fsum(unsure)
    return {
        "likely_words": inside,
        "likely_share": inside / <double> total,
        "likely_rows": rows,
        "longest_share": _longest(numbers, chances, from_likely) / <double> (inside or 1),
        "expected_share": expected / total,
        "expected_variance": variance / (expected or 1),
        "likely_link_density": fsum(linked) / (inside or 1),
        "likely_items": of_items / <double> (likely or 1),
    }


cdef Py_ssize_t _longest(list words, list probabilities, double likely) except -1:
    """Return the most words of likely blocks that follow each other."""
    cdef Py_ssize_t k, held = 0, most = 0
    for k in range(len(words)):
        held = held + <Py_ssize_t> words[k] if <double> probabilities[k] >= likely else 0
        most = max(most, held)
    return most
