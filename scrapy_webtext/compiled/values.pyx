"""Twin of ``extractors/pvalue/values.py``: P of elements, in the same order and rounding.

Python divides whole numbers exactly and rounds once. So does a division of floats as long as both
sides are below 2^53, and pages of more text are left to Python.
"""

cimport cython

from scrapy_webtext.compiled import in_python

cdef enum:
    #: Its square is below 2^53.
    MAX_CHARS = 90_000_000


@cython.final
cdef class Table:
    """The columns of `Lengths`, and P of a node by them."""

    cdef list first, last, text, valid, tags
    cdef Py_ssize_t total

    def __cinit__(self, lengths):
        self.first, self.last = lengths.first, lengths.last
        self.text, self.valid, self.tags = lengths.text, lengths.valid, lengths.tags
        self.total = lengths.total

    cdef Py_ssize_t valid_in(self, Py_ssize_t node):
        return <Py_ssize_t> self.valid[<Py_ssize_t> self.last[node]] - <Py_ssize_t> self.valid[
            <Py_ssize_t> self.first[node]
        ]

    cdef double p(self, Py_ssize_t node, Py_ssize_t end, Py_ssize_t more):
        cdef Py_ssize_t a = self.first[node], z = self.last[node]
        cdef Py_ssize_t text = <Py_ssize_t> self.text[z] - <Py_ssize_t> self.text[a]
        cdef Py_ssize_t valid = <Py_ssize_t> self.valid[z] - <Py_ssize_t> self.valid[a]
        cdef Py_ssize_t length = (
            text + <Py_ssize_t> self.tags[end] - <Py_ssize_t> self.tags[node] + more
        )
        if not valid:
            return 0.0
        return <double> text * <double> valid / (<double> length * <double> self.total)


cdef bint _is_exact(ends, lengths, Py_ssize_t more):
    cdef list text = lengths.text, tags = lengths.tags
    return (
        type(lengths.first) is list
        and type(lengths.last) is list
        and type(ends) is list
        and text[len(text) - 1] + tags[len(tags) - 1] + more < MAX_CHARS
    )


def _steepest(ends, lengths):
    if not _is_exact(ends, lengths, 0):
        return in_python("extractors.pvalue.values._steepest")(ends, lengths)
    cdef Table table = Table(lengths)
    cdef list end = ends
    cdef Py_ssize_t node = -1, i = 0
    cdef double greatest = 0.0, bound
    while i < len(end):
        if <double> table.valid_in(i) <= greatest * <double> table.total:
            i = end[i]
            continue
        bound = table.p(i, end[i], 0)
        if bound > greatest:
            node, greatest = i, bound
        i += 1
    return node


def _rivals(ends, lengths, double least, known):
    cdef Py_ssize_t node = known[0], more = known[1], i = 0, last
    if not _is_exact(ends, lengths, more):
        return in_python("extractors.pvalue.values._rivals")(ends, lengths, least, known)
    cdef Table table = Table(lengths)
    cdef list end = ends, found = []
    cdef double chars = least * <double> table.total
    while i < len(end):
        last = end[i]
        if <double> table.valid_in(i) <= chars:
            i = last
            continue
        if table.p(i, last, more if i <= node < last else 0) >= least:
            found.append(i)
        i += 1
    return found


def _column(nodes, lengths, measuring):
    from scrapy_webtext.extractors.pvalue.lengths import add_more

    if not lengths.total:
        return [0.0] * len(nodes)
    cdef list end = nodes.end, chars = [0] * len(end), more, found = []
    cdef Py_ssize_t i, last
    add_more(chars, nodes, measuring, range(len(end)))
    more = lengths.kept(chars, range(len(end)))
    if not _is_exact(end, lengths, more[len(end)]):
        return in_python("extractors.pvalue.values._column")(nodes, lengths, measuring)
    cdef Table table = Table(lengths)
    for i in range(len(end)):
        last = end[i]
        if table.valid_in(i):
            found.append(table.p(i, last, <Py_ssize_t> more[last] - <Py_ssize_t> more[i]))
        else:
            found.append(0.0)
    return found
