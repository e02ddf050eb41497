"""Twin of ``extractors/fusion/features/distances.py``: distances from guesses of where the text is."""

from scrapy_webtext.compiled.doubles cimport column
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes


def add_distances(dict columns, page, texts, elements, p):
    cdef list at = texts.at, sums = texts.prose_sums, words = texts.words
    cdef list unlinked_chars = texts.unlinked_chars, chars = texts.chars, numbers = texts.numbers
    cdef list first = page.runs.first, end = page.runs.end
    cdef list tags_before = page.runs.tags_before, first_run = page.blocks.first_run
    cdef list kept_nodes = elements.kept_nodes
    cdef Nodes nodes = stored_nodes(page.nodes)
    cdef Py_ssize_t n = len(numbers), k, i, a, z, half = -1, most = -1
    cdef double half_bound = 0.5 * <Py_ssize_t> sums[n], most_bound = 0.8 * <Py_ssize_t> sums[n], held
    cdef dict unused = {}
    cdef double* gains = column(unused, "gains", n)
    if half_bound > 0:
        for k in range(len(kept_nodes) - 1, -1, -1):
            i = kept_nodes[k]
            a, z = at[<Py_ssize_t> first[i]], at[<Py_ssize_t> end[i]]
            held = <Py_ssize_t> sums[z] - <Py_ssize_t> sums[a]
            if half < 0 and held >= half_bound:
                half = i
            if held >= most_bound:
                most = i
                break
    for name, node in (("best", p.best), ("half", half), ("most", most)):
        _add_node(columns, name, n, at, first, end, nodes, node)
    for k in range(n):
        a = tags_before[<Py_ssize_t> first_run[<Py_ssize_t> numbers[k]]]
        z = tags_before[<Py_ssize_t> first_run[<Py_ssize_t> numbers[k + 1]]] if k + 1 < n else a + 1
        gains[k] = <Py_ssize_t> words[k] - (z - a)
    _add_plateau(columns, "plateau_distance", gains, n)
    for k in range(n):
        gains[k] = (2 * <Py_ssize_t> unlinked_chars[k] - <Py_ssize_t> chars[k]) / <double> 5 - 8
    _add_plateau(columns, "dense_distance", gains, n)
    mask = bytearray(n)
    if half >= 0:
        a, z = at[<Py_ssize_t> first[half]], at[<Py_ssize_t> end[half]]
        mask[a:z] = b"\x01" * (z - a)
    return mask


cdef int _add_node(
    dict columns, str name, Py_ssize_t n, list at, list first, list end, Nodes nodes, Py_ssize_t node
) except -1:
    from scrapy_webtext.extractors.fusion.features.distances import NOWHERE

    cdef double* steps = column(columns, f"{name}_steps", n)
    cdef Py_ssize_t k, low = 0, high = 0, a, z, step = 0
    for k in range(n):
        steps[k] = NOWHERE
    if node >= 0:
        low, high = at[<Py_ssize_t> first[node]], at[<Py_ssize_t> end[node]]
    _add_distance(columns, f"{name}_distance", n, low, high)
    high = low
    while node >= 0:
        a, z = at[<Py_ssize_t> first[node]], at[<Py_ssize_t> end[node]]
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
