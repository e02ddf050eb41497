"""Twin of ``extractors/ttr/clustering.py``: the standard deviation, and what is above it."""

from libc.math cimport isfinite, pow, sqrt

from scrapy_webtext.compiled import in_python

from scrapy_webtext.compiled.exact_sum cimport exact_sum

#: No constant, which a compiler would make a multiplication of: it may round otherwise than `pow`.
cdef double _two = float("2")


def standard_deviation(ratios):
    if type(ratios) is not list:
        return in_python("extractors.ttr.clustering.standard_deviation")(ratios)
    cdef list given = ratios
    cdef Py_ssize_t n = len(given), k
    cdef bytearray room = bytearray((2 * n + 1) * sizeof(double))
    cdef double* values = <double*> <char*> room
    cdef double mean, variance
    if not n:
        return 0.0
    for k in range(n):
        values[k] = given[k]
    mean = exact_sum(values, n, values + n) / <double> n
    for k in range(n):
        values[k] = pow(values[k] - mean, _two)
    variance = exact_sum(values, n, values + n) / <double> n
    if not isfinite(variance):
        return in_python("extractors.ttr.clustering.standard_deviation")(ratios)
    return sqrt(variance)


def above_threshold(ratios, coefficient):
    if type(ratios) is not list:
        return in_python("extractors.ttr.clustering.above_threshold")(ratios, coefficient)
    cdef list given = ratios, found = []
    cdef double threshold = coefficient * standard_deviation(ratios)
    cdef Py_ssize_t k
    for k in range(len(given)):
        if <double> given[k] >= threshold:
            found.append(k)
    return found
