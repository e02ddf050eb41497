"""Twin of ``page/concealed.py``: the search for elements that may be hidden or closed."""

from scrapy_webtext.compiled.attributes cimport Attributes
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.text_column cimport HAS_WORDS, TextColumn

#: Bits of names of attributes and of tags, in the order of the sets that these are made of.
cdef enum Kind:
    IS_HIDING = 1
    IS_STYLE = 2
    IS_ARIA = 4

cdef Kinds _kinds = None
cdef Kinds _closed = None


def may_hide(str name not None, str value not None):
    if name == "style":
        low = value.lower()
        return "none" in low or "hidden" in low or "collapse" in low
    return name != "aria-hidden" or "true" in value.lower()


def concealed(nodes, bytearray mask):
    from scrapy_webtext.page.concealed import Concealed, _how

    cdef Nodes columns = stored_nodes(nodes)
    cdef list found = []
    cdef Py_ssize_t node
    for node in _suspects(columns):
        if mask[node] or (columns.last[node] == node + 1 and not columns.text.piece[node].size):
            continue
        own = dict(columns.attributes[node])
        how = _how(columns.names[columns.name[node]], own)
        if how:
            found.append(Concealed(node, own, how))
    return found


def has_words(nodes, Py_ssize_t node):
    cdef Nodes columns = stored_nodes(nodes)
    cdef TextColumn text = columns.text, tail = columns.tail
    cdef Py_ssize_t i
    for i in range(node, columns.last[node]):
        if text.piece[i].kind & HAS_WORDS or (i > node and tail.piece[i].kind & HAS_WORDS):
            return True
    return False


def has_sentence(nodes, Py_ssize_t node):
    from scrapy_webtext.page.concealed import SENTENCE

    cdef Nodes columns = stored_nodes(nodes)
    cdef TextColumn text = columns.text, tail = columns.tail
    cdef Py_ssize_t i, chars = 0, least = SENTENCE
    for i in range(node, columns.last[node]):
        if text.piece[i].kind & HAS_WORDS:
            chars += len(text.at(i).strip())
        if i > node and tail.piece[i].kind & HAS_WORDS:
            chars += len(tail.at(i).strip())
        if chars >= least:
            return True
    return False


cdef list _suspects(Nodes nodes):
    """Return the nodes that may be hidden or closed, ascending."""
    global _kinds, _closed
    from scrapy_webtext.page.concealed import CLOSED, HIDING

    if _kinds is None:
        _closed = Kinds(CLOSED)
        _kinds = Kinds(HIDING, frozenset({"style"}), frozenset({"aria-hidden"}))
    cdef Attributes table = nodes.attributes
    cdef list found = []
    cdef bytearray is_closed = nodes.kinds(_closed)
    cdef bytearray bits_of = bytearray([_kinds.of(<str> name) for name in table.names])
    cdef Py_ssize_t i, k = 0, end
    cdef int bits
    cdef bint is_suspect
    for i in range(nodes.count):
        is_suspect = is_closed[nodes.name[i]]
        end = table.place[i + 1]
        while k < end:
            bits = bits_of[table.name[k]]
            if bits and not is_suspect:
                if bits & (IS_STYLE | IS_ARIA):
                    is_suspect = may_hide(<str> table.names[table.name[k]], table.value(k))
                else:
                    is_suspect = True
            k += 1
        if is_suspect:
            found.append(i)
    return found
