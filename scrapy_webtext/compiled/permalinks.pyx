"""Twin of ``page/permalinks.py``: headings without a link in or behind them are passed over."""

from scrapy_webtext.compiled.kinds cimport Kinds

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
    cdef list tag = nodes.tag, end = nodes.end, found = []
    cdef Py_ssize_t n = len(tag), i = 0, k, last, reach = permalinks._REACH
    while i < n:
        if not _kinds.of(<str> tag[i]) & IS_HEADING:
            i += 1
            continue
        last = end[i]
        # The element behind it counts, too.
        for k in range(i + 1, min(last, i + reach)):
            if _kinds.of(<str> tag[k]) & IS_LINK:
                found.extend(permalinks._of_heading(nodes, i))
                break
        else:
            if last < n and _kinds.of(<str> tag[last]) & IS_LINK:
                found.extend(permalinks._of_heading(nodes, i))
        i = last
    return found


def _text(nodes, Py_ssize_t node, Py_ssize_t end):
    from scrapy_webtext.page.permalinks import _MAX_CHARS

    cdef list text = nodes.text, tail = nodes.tail, pieces = []
    cdef Py_ssize_t i, chars = 0, most = _MAX_CHARS
    end = min(end, len(text))
    for i in range(node, end):
        if chars > most:
            break
        piece = text[i]
        if piece:
            pieces += (<str> piece).split()
            chars += len(<str> piece)
        piece = tail[i]
        if piece and i > node and chars <= most:
            pieces += (<str> piece).split()
            chars += len(<str> piece)
    return "".join(pieces)[:most]
