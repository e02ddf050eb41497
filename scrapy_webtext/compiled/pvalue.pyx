"""Twin of ``extractors/pvalue.py``, for the modern reading: lengths, and P of elements.

The letter, which few ask for, is left to Python. Sums are arrays of whole numbers. Python divides
whole numbers exactly and rounds once. So does a division of floats as long as both sides are below
2^53, and pages of more text are left to Python.
"""

cimport cython
from cpython.array cimport array

from scrapy_webtext.compiled import in_python

from scrapy_webtext.page.nodes cimport Attributes
from scrapy_webtext.compiled.arrays cimport as_integers, integer_at, integers
from scrapy_webtext.page.nodes cimport Nodes
from scrapy_webtext.core.texts cimport (
    BEGINS_BLANK,
    ENDS_BLANK,
    HAS_WORDS,
)

cdef enum:
    #: Its square is below 2^53.
    MAX_CHARS = 90_000_000

cdef frozenset _removed_names = None


cdef inline int _edges(unsigned int kind) noexcept:
    """Return how many characters the white space at the edges of a text is folded to."""
    cdef bint first = (kind & BEGINS_BLANK) != 0, last = (kind & ENDS_BLANK) != 0
    return first + last if kind & HAS_WORDS else first


cdef array _summed(array sums):
    """Add to each number those before it."""
    cdef long long* at = sums.data.as_longlongs
    cdef Py_ssize_t k
    for k in range(1, len(sums)):
        at[k] += at[k - 1]
    return sums


def read_lengths(page, reading):
    from scrapy_webtext.extractors.pvalue import Lengths
    from scrapy_webtext.page.nodes import either

    if reading != "modern":
        return in_python("extractors.pvalue.read_lengths")(page, reading)
    nodes, runs = page.nodes, page.runs
    cdef bytearray linked = page.is_link, removed = nodes.below(_removed_tops(page))
    cdef bytearray unread = either(removed, page.hidden)
    cdef array owner = as_integers(runs.node)
    cdef list texts = runs.text
    cdef Py_ssize_t n = len(texts), i, k
    cdef bint has_text = False
    cdef array text = integers(n + 1), valid = integers(n + 1)
    for k in range(n):
        i = integer_at(owner, k)
        if unread[i]:
            continue
        text.data.as_longlongs[k + 1] = len(<str> texts[k])
        if not linked[i]:
            has_text = True
            valid.data.as_longlongs[k + 1] = len(<str> texts[k])
    _summed(valid)
    return Lengths(
        removed,
        unread,
        runs.first,
        runs.end,
        _summed(text),
        valid,
        _summed(_tag_chars(<Nodes?> nodes, removed)),
        valid.data.as_longlongs[n] if has_text else 0,
    )


cdef array _tag_chars(Nodes nodes, bytearray removed):
    """Return the characters of each node's tags, after a 0."""
    from scrapy_webtext.extractors.pvalue import _TAG_CHARS

    cdef array chars = integers(len(nodes.names)), found = integers(len(nodes.name) + 1)
    cdef Py_ssize_t i
    for i in range(len(nodes.names)):
        chars.data.as_longlongs[i] = _TAG_CHARS[nodes.names[i]]
    for i in range(len(nodes.name)):
        if not removed[i]:
            found.data.as_longlongs[i + 1] = chars.data.as_longlongs[nodes.name.data.as_longlongs[i]]
    return found


def _removed_tops(page):
    from scrapy_webtext.extractors.pvalue import _FORMS, _REMOVED_BUT_FORMS

    nodes, runs = page.nodes, page.runs
    tops = nodes.tops(_REMOVED_BUT_FORMS) + page.hidden_elements
    found = nodes.tops(_FORMS)
    if not found:
        return tops
    cdef bytearray removed = nodes.below(tops), linked = page.is_link
    cdef array owner = as_integers(runs.node)
    cdef array first = as_integers(runs.first), end = as_integers(runs.end)
    cdef list texts = runs.text
    cdef Py_ssize_t n = len(texts), k, i
    cdef array sums = integers(n + 1)
    cdef long long* valid = sums.data.as_longlongs
    for k in range(n):
        i = integer_at(owner, k)
        if not removed[i] and not linked[i]:
            valid[k + 1] = len(<str> texts[k])
    _summed(sums)
    for i in found:
        if 2 * (valid[integer_at(end, i)] - valid[integer_at(first, i)]) <= valid[n]:
            tops.append(i)
    return tops


cdef int add_chars(
    long long* chars, nodes, measuring, Py_ssize_t first, Py_ssize_t end
) except -1:
    """Do what `add_more` does in Python, for the nodes from ``first`` on and before ``end``."""
    cdef Nodes columns = <Nodes?> nodes
    cdef Py_ssize_t i
    cdef int edges
    if measuring.has_attributes:
        _add_attributes(chars, columns.attributes, first, end)
    for i in range(first, end):
        chars[i] += _edges(columns.text.piece[i].kind)
        edges = _edges(columns.tail.piece[i].kind)
        if edges and columns.parent.data.as_longlongs[i] >= 0:
            chars[columns.parent.data.as_longlongs[i]] += edges
    return 0


cdef int _add_attributes(
    long long* chars, Attributes table, Py_ssize_t first, Py_ssize_t end
) except -1:
    global _removed_names
    if _removed_names is None:
        from scrapy_webtext.extractors.pvalue import REMOVED_ATTRIBUTES as _removed_names
    cdef bytearray is_removed = bytearray([name in _removed_names for name in table.names])
    cdef long long* place = table.first.data.as_longlongs
    cdef Py_ssize_t i, k = place[first]
    for i in range(first, end):
        while k < place[i + 1]:
            if not is_removed[table.name.data.as_longlongs[k]]:
                chars[i] += len(<str> table.names[table.name.data.as_longlongs[k]]) + 4
                chars[i] += table.values.length(k)
            k += 1
    return 0


@cython.final
cdef class Table:
    """The columns of `Lengths`, and P of a node by them."""

    cdef Nodes nodes
    cdef const long long* end
    cdef array first, last, _text, _valid, _tags
    cdef const long long* text
    cdef const long long* valid
    cdef const long long* tags
    cdef bytearray removed
    cdef Py_ssize_t total, n

    def __cinit__(self, nodes, lengths):
        self.nodes = <Nodes?> nodes
        self.end, self.n = self.nodes.end.data.as_longlongs, len(self.nodes.name)
        self.first, self.last = as_integers(lengths.first), as_integers(lengths.last)
        self.removed = lengths.removed
        self._text, self._valid, self._tags = lengths.text, lengths.valid, lengths.tags
        self.text, self.valid = self._text.data.as_longlongs, self._valid.data.as_longlongs
        self.tags, self.total = self._tags.data.as_longlongs, lengths.total

    cdef bint is_exact(self, Py_ssize_t more):
        return (
            self.text[len(self._text) - 1] + self.tags[len(self._tags) - 1] + more < MAX_CHARS
        )

    cdef Py_ssize_t valid_in(self, Py_ssize_t node):
        return self.valid[integer_at(self.last, node)] - self.valid[integer_at(self.first, node)]

    cdef double p(self, Py_ssize_t node, Py_ssize_t end, Py_ssize_t more):
        cdef Py_ssize_t a = integer_at(self.first, node), z = integer_at(self.last, node)
        cdef Py_ssize_t text = self.text[z] - self.text[a], valid = self.valid[z] - self.valid[a]
        cdef Py_ssize_t length = text + self.tags[end] - self.tags[node] + more
        if not valid:
            return 0.0
        return <double> text * <double> valid / (<double> length * <double> self.total)

    cdef Py_ssize_t steepest(self):
        """Return the first node with the greatest upper bound of P."""
        cdef Py_ssize_t node = -1, i = 0
        cdef double greatest = 0.0, bound
        while i < self.n:
            if <double> self.valid_in(i) <= greatest * <double> self.total:
                i = self.end[i]
                continue
            bound = self.p(i, self.end[i], 0)
            if bound > greatest:
                node, greatest = i, bound
            i += 1
        return node

    cdef list rivals(self, double least, Py_ssize_t node, Py_ssize_t more):
        """Return the nodes whose upper bound of P is at least ``least``."""
        cdef list found = []
        cdef double chars = least * <double> self.total
        cdef Py_ssize_t i = 0, last
        while i < self.n:
            last = self.end[i]
            if <double> self.valid_in(i) <= chars:
                i = last
                continue
            if self.p(i, last, more if i <= node < last else 0) >= least:
                found.append(i)
            i += 1
        return found

    cdef Py_ssize_t kept(self, const long long* chars, Py_ssize_t first, Py_ssize_t end):
        """Return the sum of some characters, without those of nodes that step 1 removed."""
        cdef Py_ssize_t i, found = 0
        for i in range(first, end):
            if not self.removed[i]:
                found += chars[i]
        return found


cdef bint _has_arrays(lengths):
    """Whether the lengths are those of the twin of `read_lengths`, so that all is known here."""
    return type(lengths.text) is array


def _greatest(nodes, lengths, measuring):
    if not _has_arrays(lengths):
        return in_python("extractors.pvalue._greatest")(nodes, lengths, measuring)
    if not lengths.total:
        return -1, 0.0
    cdef Table table = Table(nodes, lengths)
    cdef array own = integers(table.n)
    cdef long long* chars = own.data.as_longlongs
    cdef Py_ssize_t node, end, more, first, last, i, best = -1
    cdef double p, greatest = -1.0
    cdef list rivals
    node = table.steepest() if table.is_exact(0) else -1
    if node >= 0:
        end = table.end[node]
        add_chars(chars, nodes, measuring, node, end)
        more = table.kept(chars, node, end)
    if node < 0 or not table.is_exact(more):
        return in_python("extractors.pvalue._greatest")(nodes, lengths, measuring)
    p = table.p(node, end, more)
    rivals = table.rivals(p, node, more)
    if len(rivals) == 1 and rivals[0] == node:
        return node, p
    first, last = rivals[0], max([table.end[i] for i in rivals])
    add_chars(chars, nodes, measuring, first, node)
    add_chars(chars, nodes, measuring, end, last)
    if not table.is_exact(table.kept(chars, first, last)):
        return in_python("extractors.pvalue._greatest")(nodes, lengths, measuring)
    sums = _kept_sums(table, own)
    for i in rivals:
        end = table.end[i]
        p = table.p(i, end, sums.data.as_longlongs[end] - sums.data.as_longlongs[i])
        if p > greatest:
            best, greatest = i, p
    return best, greatest


cdef array _kept_sums(Table table, array chars):
    """Return prefix sums of characters, without those of nodes that step 1 removed."""
    cdef array sums = integers(table.n + 1)
    cdef Py_ssize_t i
    for i in range(table.n):
        sums.data.as_longlongs[i + 1] = sums.data.as_longlongs[i]
        if not table.removed[i]:
            sums.data.as_longlongs[i + 1] += chars.data.as_longlongs[i]
    return sums


def _column(nodes, lengths, measuring):
    if not _has_arrays(lengths):
        return in_python("extractors.pvalue._column")(nodes, lengths, measuring)
    if not lengths.total:
        return [0.0] * len(nodes)
    cdef Table table = Table(nodes, lengths)
    cdef array chars = integers(table.n), sums
    cdef const long long* more
    cdef list found = []
    cdef Py_ssize_t i, last
    add_chars(chars.data.as_longlongs, nodes, measuring, 0, table.n)
    sums = _kept_sums(table, chars)
    more = sums.data.as_longlongs
    if not table.is_exact(more[table.n]):
        return in_python("extractors.pvalue._column")(nodes, lengths, measuring)
    for i in range(table.n):
        last = table.end[i]
        found.append(table.p(i, last, more[last] - more[i]) if table.valid_in(i) else 0.0)
    return found
