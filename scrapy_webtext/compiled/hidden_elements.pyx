"""Twin of ``page/hidden_elements.py``: the search for elements that may be hidden or closed, and the
passes over the text and the attributes of a page that tell which of them stay.
"""

cimport cython
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free

from scrapy_webtext.compiled.attributes cimport Attributes, stored
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.memory cimport resized
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.text_column cimport TextColumn
from scrapy_webtext.compiled.characters cimport blank_size

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
cdef Kinds _controls = None


cdef int _prepare() except -1:
    """Hold the names that are told apart here to those of the Python module."""
    global _kinds, _closed
    from scrapy_webtext.page.hidden_elements import CLOSED, HIDING

    if HIDING != {"hidden", "style", "aria-hidden", "popover"} or CLOSED != {"dialog", "details"}:
        raise ValueError("other names hide an element")
    _closed = Kinds({"dialog"}, {"details"})
    _kinds = Kinds({"hidden"}, {"style"}, {"aria-hidden"}, {"popover"}, {"open"})
    return 0


def find_hidden_elements(nodes, bytearray mask not None):
    from scrapy_webtext.page.hidden_elements import HiddenElement

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
        found.append(HiddenElement(i, dict(table[i]), how))
    return found


cdef bint _is_hidden_by(Attributes table, Py_ssize_t k, dict styles) except -1:
    """Whether the declarations of an attribute hide its element; ``styles`` has those asked for."""
    cdef str style = table.value(k)
    found = styles.get(style)
    if found is None:
        from scrapy_webtext.page.hidden_elements import _is_hidden_by as is_hidden_by

        found = is_hidden_by(style)
        styles[style] = found
    return found


cdef struct Weight:
    Py_ssize_t plain, every, least


def _opened(nodes):
    global _controls
    from scrapy_webtext.page import hidden_elements as python

    if _controls is None:
        _controls = Kinds(python._CONTROLS)
    cdef Attributes table = stored(nodes.attributes)
    cdef bytearray is_control = table.kinds(_controls)
    cdef Py_ssize_t k, max_chars = python._MAX_NAMES_CHARS
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


@cython.final
cdef class Letters:
    """Text without white space, up to some characters of it."""

    cdef unsigned char* text
    cdef size_t size, room
    cdef Py_ssize_t left

    def __cinit__(self, Py_ssize_t most):
        self.left = most

    def __dealloc__(self):
        free(self.text)

    cdef int add(self, TextColumn texts, Py_ssize_t k) except -1:
        cdef const unsigned char* at = texts.data + texts.piece[k].begin
        cdef const unsigned char* end = at + texts.piece[k].size
        cdef size_t room
        cdef int blank
        if self.size + (end - at) > self.room:
            room = 2 * (self.size + (end - at)) + 1024
            self.text, self.room = <unsigned char*> resized(self.text, room), room
        while at < end:
            blank = blank_size(at, end)
            if blank:
                at += blank
                continue
            if at[0] & 0xC0 != 0x80:
                if not self.left:
                    break
                self.left -= 1
            self.text[self.size] = at[0]
            self.size += 1
            at += 1
        return 0


def _letters(nodes, bytearray mask not None, parts):
    from scrapy_webtext.page.hidden_elements import MAX_COMPARED

    cdef Nodes own = stored_nodes(nodes)
    cdef Py_ssize_t i, up, first, end
    cdef Letters letters = Letters(MAX_COMPARED)
    own.check(mask)
    for part in parts:
        first, end = _bounds(own, part)
        for i in range(first, end):
            if own.text.has_words(i) and not mask[i] and letters.left:
                letters.add(own.text, i)
        for i in range(first + 1, end):
            up = own.up[i]
            if own.tail.has_words(i) and up >= 0 and not mask[up] and letters.left:
                letters.add(own.tail, i)
    return PyUnicode_DecodeUTF8(<const char*> letters.text, letters.size, "surrogatepass")


cdef (Py_ssize_t, Py_ssize_t) _bounds(Nodes nodes, part) except *:
    """Return where some nodes begin and end."""
    cdef Py_ssize_t first = part.start, end = part.stop
    if not 0 <= first <= end <= nodes.count:
        raise IndexError(part)
    return first, end


def _weigh(nodes, bytearray linked not None, bytearray mask not None, parts):
    from scrapy_webtext.page.hidden_elements import PIECE, _Weight

    cdef Nodes own = stored_nodes(nodes)
    cdef TextColumn text = own.text, tail = own.tail
    cdef Py_ssize_t i, up, first, end
    cdef Weight weight = Weight(0, 0, PIECE)
    own.check(linked)
    own.check(mask)
    for part in parts:
        first, end = _bounds(own, part)
        for i in range(first, end):
            if text.has_words(i) and not mask[i]:
                _add(&weight, text.chars(i), linked[i])
            up = own.up[i]
            if i > first and tail.has_words(i) and up >= 0 and not mask[up]:
                _add(&weight, tail.chars(i), linked[up])
    return _Weight(weight.plain, weight.every)


cdef inline void _add(Weight* weight, Py_ssize_t chars, bint is_linked) noexcept:
    weight.every += chars
    if chars >= weight.least and not is_linked:
        weight.plain += chars
