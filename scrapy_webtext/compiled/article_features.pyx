"""Twin of ``extractors/fusion/features/article_features.py``: how the likely blocks follow each other."""

from cpython.array cimport array

from scrapy_webtext.compiled import in_python
from scrapy_webtext.compiled.doubles cimport as_doubles, column, double_at
from scrapy_webtext.compiled.exact_sum cimport exact_sum
from scrapy_webtext.compiled.integers cimport as_integers, integer_at


def article_block_features(words, link_density, repeated_items, probabilities):
    from scrapy_webtext.extractors.fusion.features.context import LIKELY

    cdef array numbers = as_integers(words), density = as_doubles(link_density)
    cdef array items = as_doubles(repeated_items), chances = as_doubles(probabilities)
    cdef Py_ssize_t n = len(chances), k, number, total = 0, inside = 0, likely = 0, rows = 0
    cdef Py_ssize_t in_a_row = 0, most = 0
    cdef bint was_likely = False
    cdef double p, from_likely = LIKELY, of_items = 0.0, expected, variance
    cdef dict unused = {}
    cdef double* held = column(unused, "held", n)
    cdef double* unsure = column(unused, "unsure", n)
    cdef double* linked = column(unused, "linked", n)
    cdef double* partials = column(unused, "partials", n)
    if not len(numbers) == len(density) == len(items) == n:
        raise ValueError("the columns differ in length")
    for k in range(n):
        p = double_at(chances, k)
        number = integer_at(numbers, k)
        total += number
        held[k] = p * <double> number
        unsure[k] = p * (1 - p) * <double> number
        if not p >= from_likely:
            was_likely = False
            continue
        in_a_row = in_a_row + number if was_likely else number
        rows += not was_likely
        was_likely = True
        most = max(most, in_a_row)
        inside += number
        linked[likely] = <double> number * double_at(density, k)
        likely += 1
        of_items += double_at(items, k)
    if not total:
        name = "extractors.fusion.features.article_features.article_block_features"
        return in_python(name)(words, link_density, repeated_items, probabilities)
    expected, variance = exact_sum(held, n, partials), exact_sum(unsure, n, partials)
    return {
        "likely_words": inside,
        "likely_share": inside / <double> total,
        "likely_rows": rows,
        "longest_share": most / <double> (inside or 1),
        "expected_share": expected / <double> total,
        "expected_variance": variance / (expected or 1),
        "likely_link_density": exact_sum(linked, likely, partials) / <double> (inside or 1),
        "likely_items": of_items / <double> (likely or 1),
    }
