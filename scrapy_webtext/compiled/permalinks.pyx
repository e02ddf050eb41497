"""Twin of ``page/permalinks.py``: headings without a link in or behind them are passed over."""

from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.text_column cimport TextColumn

cdef Kinds _kinds = None

#: Bits of a tag, in the order of the sets that `_kinds` is made of.
cdef enum Kind:
    IS_HEADING = 1
    IS_LINK = 2


def find_permalinks(nodes):
    global _kinds
    from scrapy_webtext.page import permalinks, tags

    if _kinds is None:
        _kinds = Kinds(tags.HEADINGS, frozenset({"a"}))
    cdef Nodes columns = stored_nodes(nodes)
    cdef bytearray kinds = columns.kinds(_kinds)
    cdef list found = []
    cdef Py_ssize_t n = columns.count, i = 0, k, last, reach = permalinks._REACH
    if not any([kind & IS_HEADING for kind in kinds]):
        return found
    while i < n:
        if not kinds[columns.name[i]] & IS_HEADING:
            i += 1
            continue
        last = columns.last[i]
        # The element behind it counts, too.
        for k in range(i + 1, min(last, i + reach)):
            if kinds[columns.name[k]] & IS_LINK:
                found.extend(permalinks._of_heading(nodes, i))
                break
        else:
            if last < n and kinds[columns.name[last]] & IS_LINK:
                found.extend(permalinks._of_heading(nodes, i))
        i = last
    return found


def _text(nodes, Py_ssize_t node, Py_ssize_t end):
    from scrapy_webtext.page.permalinks import _MAX_CHARS

    cdef Nodes columns = stored_nodes(nodes)
    cdef TextColumn text = columns.text, tail = columns.tail
    cdef list pieces = []
    cdef Py_ssize_t i, chars = 0, most = _MAX_CHARS
    cdef str piece
    end = min(end, text.count)
    for i in range(node, end):
        if chars > most:
            break
        piece = text.at(i)
        pieces += piece.split()
        chars += len(piece)
        if i > node and chars <= most:
            piece = tail.at(i)
            pieces += piece.split()
            chars += len(piece)
    return "".join(pieces)[:most]
