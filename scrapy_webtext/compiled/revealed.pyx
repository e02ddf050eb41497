"""Twin of ``page/revealed.py``: its passes over the text and the attributes of a page."""

from scrapy_webtext.compiled.attributes cimport Attributes, stored
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.text_column cimport TextColumn

cdef Kinds _controls = None


def _opened(nodes):
    global _controls
    from scrapy_webtext.page import revealed

    if _controls is None:
        _controls = Kinds(revealed._CONTROLS)
    cdef Attributes table = stored(nodes.attributes)
    cdef bytearray is_control = _controls.of_all(table.names)
    cdef Py_ssize_t k, max_chars = revealed._MAX_NAMES_CHARS
    cdef str name, value
    cdef set found = set()
    for k in range(table.count):
        if not is_control[table.name[k]]:
            continue
        name = table.names[table.name[k]]
        if name == "href":
            if table.begin[k] < table.begin[k + 1] and table.data[table.begin[k]] == c"#":
                found.add(table.value(k)[1:])
            continue
        value = table.value(k)
        if len(value) <= max_chars:
            found.update(value.replace("#", " ").split())
    found.discard("")
    return found


def _pieces(nodes, bytearray linked, bytearray mask, Py_ssize_t first, Py_ssize_t end):
    cdef Nodes columns = stored_nodes(nodes)
    cdef TextColumn text = columns.text, tail = columns.tail
    cdef list found = []
    cdef Py_ssize_t i, up
    end = min(end, text.count)
    for i in range(first, end):
        if text.has_words(i) and not mask[i]:
            found.append((text.at(i).strip(), linked[i]))
    for i in range(first + 1, end):
        if tail.has_words(i):
            up = columns.up[i]
            if up >= 0 and not mask[up]:
                found.append((tail.at(i).strip(), linked[up]))
    return found


def _weigh(list pieces not None):
    from scrapy_webtext.page.revealed import PIECE, _Weight

    cdef Py_ssize_t plain = 0, every = 0, length, least = PIECE
    cdef tuple piece
    for piece in pieces:
        length = len(<str> piece[0])
        every += length
        if length >= least and not piece[1]:
            plain += length
    return _Weight(plain, every)
