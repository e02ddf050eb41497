"""Twin of ``extractors/pvalue/lengths.py``, for white space folded and characters as they are.

Other readings of the paper, which few ask for, are left to Python. Sums are arrays of whole
numbers: what `values` reads of them is not taken apart again.
"""

from cpython.array cimport array

from scrapy_webtext.compiled import in_python

from scrapy_webtext.compiled.attributes cimport Attributes
from scrapy_webtext.compiled.arrays cimport as_integers, integer_at, integers
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.text_column cimport (
    BEGINS_BLANK,
    ENDS_BLANK,
    HAS_WORDS,
)

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


def read_lengths(page, measuring):
    from scrapy_webtext.extractors.pvalue.lengths import Lengths, _removed_tops
    from scrapy_webtext.page.masks import either

    if (measuring.whitespace, measuring.entities, measuring.empty) != (
        "folded", "characters", "kept"
    ):
        return in_python("extractors.pvalue.lengths.read_lengths")(page, measuring)
    nodes, runs = page.nodes, page.runs
    cdef bytearray hidden = page.hidden, linked = page.is_link
    cdef bint skips_hidden = measuring.hidden == "skipped"
    tops = _removed_tops(page, measuring.forms, page.concealed if skips_hidden else [])
    cdef bytearray removed = nodes.below(tops)
    cdef bytearray unread = either(removed, hidden) if skips_hidden else removed
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
        _summed(_tag_chars(stored_nodes(nodes), removed)),
        valid.data.as_longlongs[n] if has_text else 0,
    )


cdef array _tag_chars(Nodes nodes, bytearray removed):
    """Return the characters of each node's tags, after a 0."""
    from scrapy_webtext.extractors.pvalue.lengths import _TAG_CHARS

    cdef array chars = integers(len(nodes.names)), found = integers(nodes.count + 1)
    cdef Py_ssize_t i
    for i in range(len(nodes.names)):
        chars.data.as_longlongs[i] = _TAG_CHARS[nodes.names[i]]
    for i in range(nodes.count):
        if not removed[i]:
            found.data.as_longlongs[i + 1] = chars.data.as_longlongs[nodes.name[i]]
    return found


def _removed_tops(page, forms, concealed):
    from scrapy_webtext.extractors.pvalue.lengths import _FORMS, _REMOVED_BUT_FORMS, REMOVED_TAGS

    nodes, runs = page.nodes, page.runs
    if forms == "removed":
        return nodes.tops(REMOVED_TAGS) + concealed
    tops = nodes.tops(_REMOVED_BUT_FORMS) + concealed
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


cdef bint can_add_more(measuring):
    """Whether `add_chars` knows this reading."""
    return measuring.attributes != "paper" or measuring.entities == "characters"


cdef int add_chars(
    long long* chars, nodes, measuring, Py_ssize_t first, Py_ssize_t end
) except -1:
    """Do what `add_more` does in Python, for the nodes from ``first`` on and before ``end``."""
    cdef Nodes columns = stored_nodes(nodes)
    cdef Py_ssize_t i
    cdef int edges
    if measuring.attributes == "paper":
        _add_attributes(chars, columns.attributes, first, end)
    if measuring.whitespace != "folded":
        return 0
    for i in range(first, end):
        chars[i] += _edges(columns.text.piece[i].kind)
        edges = _edges(columns.tail.piece[i].kind)
        if edges and columns.up[i] >= 0:
            chars[columns.up[i]] += edges
    return 0


cdef int _add_attributes(
    long long* chars, Attributes table, Py_ssize_t first, Py_ssize_t end
) except -1:
    global _removed_names
    if _removed_names is None:
        from scrapy_webtext.extractors.pvalue.lengths import REMOVED_ATTRIBUTES as _removed_names
    cdef bytearray is_removed = bytearray([name in _removed_names for name in table.names])
    cdef Py_ssize_t i, k = table.place[first]
    cdef bint is_ascii = table.is_ascii(k, table.place[end])
    for i in range(first, end):
        while k < table.place[i + 1]:
            if not is_removed[table.name[k]]:
                chars[i] += len(<str> table.names[table.name[k]]) + 4
                chars[i] += table.size(k) if is_ascii else table.chars(k)
            k += 1
    return 0
