"""Twin of ``extractors/ttr/ratios.py``: ratios of lines, and their means over neighbours."""

from libc.math cimport isfinite

from scrapy_webtext.compiled import in_python

from scrapy_webtext.compiled.exact_sum cimport exact_sum
from scrapy_webtext.compiled.untracked cimport untracked

cdef enum:
    MAX_RADIUS = 1_000_000


def text_to_tag_ratios(list chars not None, list tag_counts not None):
    cdef Py_ssize_t k, tags
    cdef list found = []
    if len(chars) != len(tag_counts):
        raise ValueError("chars and tag_counts differ in length")
    for k in range(len(chars)):
        tags = tag_counts[k]
        found.append(<double> <Py_ssize_t> chars[k] / <double> (tags if tags else 1))
    return untracked(found)


def smooth(ratios, radius, edges="lines"):
    if type(ratios) is not list or radius > MAX_RADIUS:
        return in_python("extractors.ttr.ratios.smooth")(ratios, radius, edges)
    cdef list given = ratios, found = []
    cdef Py_ssize_t n = len(given), reach = radius, width = 2 * reach + 1, k, first, end
    cdef bytearray room = bytearray((2 * n + 1) * sizeof(double))
    cdef double* values = <double*> <char*> room
    cdef double total
    cdef bint of_lines = edges == "lines"
    for k in range(n):
        values[k] = given[k]
    for k in range(n):
        first, end = max(0, k - reach), min(n, k + reach + 1)
        total = exact_sum(values + first, end - first, values + n)
        if not isfinite(total):
            return in_python("extractors.ttr.ratios.smooth")(ratios, radius, edges)
        found.append(total / <double> (end - first if of_lines else width))
    return untracked(found)
