"""Twin of ``page/hidden.py``: masks over nodes, and how much text is shown."""

from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.numbers cimport number


cdef Nodes _nodes(nodes, bytearray mask):
    """Return nodes as they are stored here; the mask has to be one of them."""
    cdef Nodes own = stored_nodes(nodes)
    own.check(mask)
    return own


def _cover(nodes, found, bytearray mask not None):
    _nodes(nodes, mask).cover(mask, found)


def _tops(nodes, bytearray mask not None):
    cdef Nodes own = _nodes(nodes, mask)
    cdef list found = []
    cdef Py_ssize_t i = 0
    while i < own.count:
        if mask[i]:
            found.append(number(i))
            i = own.last[i]
        else:
            i += 1
    return found


def _few_shown(nodes, bytearray mask not None, closed, Py_ssize_t sentences):
    from scrapy_webtext.page.hidden import SCRIPTED_CHARS, SCRIPTED_TIMES

    cdef Nodes own = _nodes(nodes, mask)
    cdef Py_ssize_t i, up, shown = 0, most = SCRIPTED_CHARS, times = SCRIPTED_TIMES
    for i in range(own.count):
        if own.text.has_words(i) and not mask[i] and i not in closed:
            shown += own.text.chars(i)
            if shown >= most and sentences < times * shown:
                return None
    for i in range(own.count):
        up = own.up[i]
        if own.tail.has_words(i) and up >= 0 and not mask[up] and up not in closed:
            shown += own.tail.chars(i)
            if shown >= most and sentences < times * shown:
                return None
    return shown


def _chars_in(nodes, tops):
    from scrapy_webtext.page.hidden import SENTENCE

    cdef Nodes own = stored_nodes(nodes)
    cdef Py_ssize_t node, i, piece, chars = 0, sentences = 0, least = SENTENCE
    for node in tops:
        if not 0 <= node < own.count:
            raise IndexError(node)
        for i in range(node, own.last[node]):
            piece = own.text.chars(i)
            chars += piece
            sentences += piece if piece >= least else 0
            if i > node:
                piece = own.tail.chars(i)
                chars += piece
                sentences += piece if piece >= least else 0
    return chars, sentences
