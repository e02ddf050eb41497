"""Twin of ``page/hidden.py``: masks over nodes, and how much text is shown."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.string cimport memset

from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.text_column cimport HAS_WORDS


cdef Nodes _nodes(nodes, bytearray mask):
    """Return nodes as they are stored here; the mask has to be one of them."""
    cdef Nodes own = stored_nodes(nodes)
    if len(mask) != own.count:
        raise ValueError(f"the mask has {len(mask)} values, not {own.count}")
    return own


def _cover(nodes, found, bytearray mask not None):
    cdef Nodes own = _nodes(nodes, mask)
    cdef Py_ssize_t i
    for i in found:
        if not 0 <= i < own.count:
            raise IndexError(i)
        memset(PyByteArray_AS_STRING(mask) + i, 1, own.last[i] - i)


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
        if own.text.piece[i].kind & HAS_WORDS and not mask[i] and i not in closed:
            shown += own.text.chars(i)
            if shown >= most and sentences < times * shown:
                return None
    for i in range(own.count):
        up = own.up[i]
        if own.tail.piece[i].kind & HAS_WORDS and up >= 0 and not mask[up] and up not in closed:
            shown += own.tail.chars(i)
            if shown >= most and sentences < times * shown:
                return None
    return shown
