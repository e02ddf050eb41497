"""Twin of ``extractors/fusion/expected_f1.py``: words above each scenario, and the mean of F1."""

from cpython.array cimport array

from scrapy_webtext.compiled.arrays cimport as_integers, integer_at


def words_above(probabilities, words):
    from scrapy_webtext.extractors.fusion.expected_f1 import SCENARIOS

    cdef array numbers = as_integers(words)
    cdef list chances = list(probabilities)
    cdef list bounds = list(SCENARIOS), held = [0] * (len(bounds) + 1), found = [0] * len(bounds)
    cdef Py_ssize_t k, low, high, middle, total = 0
    cdef double p
    if len(chances) != len(numbers):
        raise ValueError("probabilities and words differ in number")
    for k in range(len(numbers)):
        p = chances[k]
        low, high = 0, len(bounds)
        while low < high:
            middle = (low + high) // 2
            if <double> bounds[middle] < p:
                low = middle + 1
            else:
                high = middle
        held[low] = <Py_ssize_t> held[low] + <Py_ssize_t> integer_at(numbers, k)
    for k in range(len(bounds), 0, -1):
        total += <Py_ssize_t> held[k]
        found[k - 1] = total
    return found


def _mean_f(list shared not None, Py_ssize_t taken, list texts not None, double squared_beta):
    cdef double total = 0.0
    cdef Py_ssize_t k
    for k in range(len(shared)):
        if shared[k]:
            total += _f(<Py_ssize_t> shared[k], taken, <Py_ssize_t> texts[k], squared_beta)
    return total / <double> len(shared)


cdef inline double _f(
    Py_ssize_t shared, Py_ssize_t taken, Py_ssize_t text, double squared
) noexcept:
    return (1 + squared) * <double> shared / (<double> taken + squared * <double> text)


def best_threshold(probabilities, words, double beta=1.0):
    from scrapy_webtext.extractors.fusion.expected_f1 import SCENARIOS

    cdef list held = words_above(probabilities, words)
    cdef Py_ssize_t n = len(held), k, i, taken, shared, best = 0
    cdef double total, mean, greatest = -1.0, squared = beta * beta
    if not held[0]:
        return 0.0
    for k in range(n):
        taken = held[k]
        total = 0.0
        for i in range(n):
            shared = min(<Py_ssize_t> held[i], taken)
            if shared:
                total += _f(shared, taken, <Py_ssize_t> held[i], squared)
        mean = total / <double> n
        if mean > greatest:
            greatest, best = mean, k
    return SCENARIOS[best]
