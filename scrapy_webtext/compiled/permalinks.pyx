"""Twin of ``page/permalinks.py``: strings are made of headings with a link in or behind them alone."""

from scrapy_webtext.compiled.attributes cimport Attributes
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
    cdef list found = [], links
    cdef Py_ssize_t n = columns.count, i = 0, k, last, reach = permalinks._REACH
    if not any([kind & IS_HEADING for kind in kinds]):
        return found
    while i < n:
        if not kinds[columns.name[i]] & IS_HEADING:
            i += 1
            continue
        last, links, k = columns.last[i], [], i + 1
        while k < min(last, i + reach):
            if kinds[columns.name[k]] & IS_LINK:
                links.append(k)
                k = columns.last[k]
            else:
                k += 1
        is_behind = (
            last < n and kinds[columns.name[last]] & IS_LINK and columns.up[last] == columns.up[i]
        )
        if links or is_behind:
            _add_those_of(columns, i, links, is_behind, found)
        i = last
    return found


cdef int _add_those_of(
    Nodes nodes, Py_ssize_t heading, list links, bint is_behind, list found
) except -1:
    """Add those that lead to a heading of the links in it, and of the one behind it."""
    cdef str whole = _text(nodes, heading, nodes.last[heading]), text
    cdef Py_ssize_t link
    for link in links:
        text = _text(nodes, link, nodes.last[link])
        if not text or len(text) >= len(whole):
            continue
        if not _has_alnum(text) or _leads_to(nodes.attributes, link, heading):
            found.append(link)
    if is_behind and whole and _leads_to(nodes.attributes, nodes.last[heading], heading):
        found.append(nodes.last[heading])
    return 0


cdef bint _leads_to(Attributes table, Py_ssize_t link, Py_ssize_t heading) except -1:
    cdef str own = _value(table, heading, "id")
    return own != "" and _value(table, link, "href") == f"#{own}"


cdef bint _has_alnum(str text):
    cdef Py_UCS4 char
    for char in text:
        if char.isalnum():
            return True
    return False


cdef str _value(Attributes table, Py_ssize_t node, str name):
    """Return the value of the last attribute of this name, empty without one."""
    cdef Py_ssize_t k
    for k in range(table.place[node + 1] - 1, table.place[node] - 1, -1):
        if table.names[table.name[k]] == name:
            return table.value(k)
    return ""


cdef str _text(Nodes nodes, Py_ssize_t node, Py_ssize_t end):
    """Return the first characters of an element's text, white space left out."""
    from scrapy_webtext.page.permalinks import _MAX_CHARS

    cdef TextColumn text = nodes.text, tail = nodes.tail
    cdef list pieces = []
    cdef Py_ssize_t i, chars = 0, most = _MAX_CHARS
    cdef str piece
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
