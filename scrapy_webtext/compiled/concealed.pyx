"""Twin of ``page/concealed.py``: the search for elements that may be hidden or closed."""

from scrapy_webtext.compiled.attributes cimport Attributes
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.text_column cimport TextColumn

#: Bits of names of attributes and of tags, in the order of the sets that these are made of.
cdef enum Kind:
    IS_HIDDEN = 1
    IS_STYLE = 2
    IS_ARIA = 4
    IS_POPOVER = 8
    IS_OPEN = 16

    IS_DIALOG = 1
    IS_DETAILS = 2

cdef Kinds _kinds = None
cdef Kinds _closed = None


cdef int _prepare() except -1:
    """Hold the names that are told apart here to those of the Python module."""
    global _kinds, _closed
    from scrapy_webtext.page.concealed import CLOSED, HIDING

    if HIDING != {"hidden", "style", "aria-hidden", "popover"} or CLOSED != {"dialog", "details"}:
        raise ValueError("other names hide an element")
    _closed = Kinds({"dialog"}, {"details"})
    _kinds = Kinds({"hidden"}, {"style"}, {"aria-hidden"}, {"popover"}, {"open"})
    return 0


def concealed(nodes, bytearray mask not None):
    from scrapy_webtext.page.concealed import Concealed

    if _kinds is None:
        _prepare()
    cdef Nodes own = stored_nodes(nodes)
    cdef Attributes table = own.attributes
    cdef bytearray closed = own.kinds(_closed)
    cdef bytearray bits_of = table.kinds(_kinds)
    cdef dict styles = {}
    cdef list found = []
    cdef Py_ssize_t i, k = 0, end, hidden, style, aria, text = 0, tail = 0
    cdef int bits, seen, tag
    own.check(mask)
    for i in range(own.count):
        seen, tag, end = 0, closed[own.name[i]], table.place[i + 1]
        hidden = style = aria = -1
        while k < end:
            bits = bits_of[table.name[k]]
            if bits:
                seen |= bits
                if bits & IS_HIDDEN:
                    hidden = k
                elif bits & IS_STYLE:
                    style = k
                elif bits & IS_ARIA:
                    aria = k
            k += 1
        if not (tag or seen & ~IS_OPEN) or mask[i]:
            continue
        # The next words are those of a text from here on, or of a tail behind it.
        while text < i or (text < own.last[i] and not own.text.has_words(text)):
            text += 1
        while tail <= i or (tail < own.last[i] and not own.tail.has_words(tail)):
            tail += 1
        if min(text, tail) >= own.last[i]:
            continue
        if (
            (hidden >= 0 and table.value(hidden).strip().lower() != "until-found")
            or seen & IS_POPOVER
            or (style >= 0 and _is_hidden_by(table, style, styles))
            or (tag & IS_DIALOG and not seen & IS_OPEN)
        ):
            how = "hidden"
        elif aria >= 0 and table.value(aria).strip().lower() == "true":
            how = "aria"
        elif tag & IS_DETAILS and not seen & IS_OPEN:
            how = "details"
        else:
            continue
        found.append(Concealed(i, dict(table[i]), how))
    return found


cdef bint _is_hidden_by(Attributes table, Py_ssize_t k, dict styles) except -1:
    """Whether the declarations of an attribute hide its element; ``styles`` has those asked for."""
    cdef str style = table.value(k)
    found = styles.get(style)
    if found is None:
        from scrapy_webtext.page.concealed import _is_hidden_by as is_hidden_by

        found = is_hidden_by(style)
        styles[style] = found
    return found
