"""Twin of ``extractors/fusion/features/distances.py``: distances from guesses of where the text is."""

from cpython.array cimport array

from scrapy_webtext.compiled.doubles cimport column
from scrapy_webtext.compiled.integers cimport as_integers, integer_at
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes


def add_distances(dict columns, page, texts, elements, p):
    cdef array at = as_integers(texts.at), sums = as_integers(texts.prose_sums)
    cdef array words = as_integers(texts.words), numbers = as_integers(texts.numbers)
    cdef array unlinked_chars = as_integers(texts.unlinked_chars), chars = as_integers(texts.chars)
    cdef array first = as_integers(page.runs.first), end = as_integers(page.runs.end)
    cdef array tags_before = as_integers(page.runs.tags_before)
    cdef array first_run = as_integers(page.blocks.first_run)
    cdef array kept_nodes = as_integers(elements.kept_nodes)
    cdef Nodes nodes = stored_nodes(page.nodes)
    cdef Py_ssize_t n = len(numbers), k, i, a, z, half = -1, most = -1
    cdef double half_bound = 0.5 * integer_at(sums, n), most_bound = 0.8 * integer_at(sums, n), held
    cdef dict unused = {}
    cdef double* gains = column(unused, "gains", n)
    if half_bound > 0:
        for k in range(len(kept_nodes) - 1, -1, -1):
            i = integer_at(kept_nodes, k)
            a, z = integer_at(at, integer_at(first, i)), integer_at(at, integer_at(end, i))
            held = integer_at(sums, z) - integer_at(sums, a)
            if half < 0 and held >= half_bound:
                half = i
            if held >= most_bound:
                most = i
                break
    for name, node in (("best", p.best), ("half", half), ("most", most)):
        _add_node(columns, name, n, at, first, end, nodes, node)
    for k in range(n):
        a = integer_at(tags_before, integer_at(first_run, integer_at(numbers, k)))
        z = a + 1
        if k + 1 < n:
            z = integer_at(tags_before, integer_at(first_run, integer_at(numbers, k + 1)))
        gains[k] = integer_at(words, k) - (z - a)
    _add_plateau(columns, "plateau_distance", gains, n)
    for k in range(n):
        gains[k] = (2 * integer_at(unlinked_chars, k) - integer_at(chars, k)) / <double> 5 - 8
    _add_plateau(columns, "dense_distance", gains, n)
    mask = bytearray(n)
    if half >= 0:
        a, z = integer_at(at, integer_at(first, half)), integer_at(at, integer_at(end, half))
        mask[a:z] = b"\x01" * (z - a)
    return mask


cdef int _add_node(
    dict columns, str name, Py_ssize_t n, array at, array first, array end, Nodes nodes, Py_ssize_t node
) except -1:
    from scrapy_webtext.extractors.fusion.features.distances import NOWHERE

    cdef double* steps = column(columns, f"{name}_steps", n)
    cdef Py_ssize_t k, low = 0, high = 0, a, z, step = 0
    for k in range(n):
        steps[k] = NOWHERE
    if node >= 0:
        low, high = integer_at(at, integer_at(first, node)), integer_at(at, integer_at(end, node))
    _add_distance(columns, f"{name}_distance", n, low, high)
    high = low
    while node >= 0:
        a, z = integer_at(at, integer_at(first, node)), integer_at(at, integer_at(end, node))
        for k in range(a, low):
            steps[k] = step
        for k in range(high, z):
            steps[k] = step
        low, high, node, step = a, z, nodes.up[node], step + 1
    return 0


cdef int _add_distance(dict columns, str name, Py_ssize_t n, Py_ssize_t first, Py_ssize_t end) except -1:
    cdef double* distance = column(columns, name, n)
    cdef Py_ssize_t k
    for k in range(n):
        distance[k] = k - first if k < first else 0 if k < end else k - end + 1
    return 0


cdef int _add_plateau(dict columns, str name, const double* gains, Py_ssize_t n) except -1:
    cdef double greatest = 0.0, total = 0.0
    cdef Py_ssize_t start = 0, first = 0, end = 0, k
    for k in range(n):
        if total <= 0:
            total, start = gains[k], k
        else:
            total += gains[k]
        if total > greatest:
            greatest, first, end = total, start, k + 1
    return _add_distance(columns, name, n, first, end)
