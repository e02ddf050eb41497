"""Twin of ``page/inline.py``: the same looks around an element, without a step of Python each."""

cimport cython

from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.text_column cimport TextColumn

#: Bits of a tag, in the order of the sets that `_kinds` is made of.
cdef enum Kind:
    IS_INLINE = 1
    IS_BLOCK = 2
    IS_PARAGRAPH = 4

cdef enum:
    REACH = 32

cdef Kinds _kinds = None


def find_inline(nodes, bytearray hidden):
    global _kinds
    from scrapy_webtext.page import inline, tags

    if _kinds is None:
        _kinds = Kinds(tags.INLINE, inline._BLOCK, tags.PARAGRAPH)
    cdef Around around = Around(stored_nodes(nodes), hidden)
    cdef list found = []
    cdef Py_ssize_t i, up
    if not any([kind & IS_INLINE for kind in around.kinds]):
        return frozenset()
    for i in range(around.nodes.count):
        if around.kind(i) & IS_INLINE:
            up = around.up[i]
            if up >= 0 and not hidden[up] and around.is_in_line(i):
                found.append(i)
    return frozenset(found)


@cython.final
cdef class Around:
    """The columns of a page, and what is around an element by them."""

    cdef Nodes nodes
    cdef const int* up
    cdef TextColumn text, tail
    cdef bytearray hidden, kinds

    def __cinit__(self, Nodes nodes, hidden):
        self.nodes, self.up, self.hidden = nodes, nodes.up, hidden
        self.text, self.tail, self.kinds = nodes.text, nodes.tail, nodes.kinds(_kinds)

    cdef inline int kind(self, Py_ssize_t node):
        return self.kinds[self.nodes.name[node]]

    cdef bint is_in_line(self, Py_ssize_t node):
        cdef Py_ssize_t around[REACH]
        cdef int n = 0, kind
        cdef Py_ssize_t i = node, block
        while n < REACH:
            around[n] = i
            n += 1
            i = self.up[i]
            if i < 0 or self.kind(i) & IS_BLOCK:
                break
        block = self.up[around[n - 1]]
        if block < 0:
            return False
        kind = self.kind(block)
        if not kind & IS_BLOCK or not self._is_after(around, n, block):
            return False
        if kind & IS_PARAGRAPH:
            return True
        return self._is_beside(around[n - 1]) and self._is_before(around, n, block)

    cdef bint _is_after(self, Py_ssize_t* around, int n, Py_ssize_t block):
        """Whether there is text after an element, up to the end of its block."""
        cdef int k
        cdef Py_ssize_t first = self.nodes.last[around[0]], i
        for k in range(n):
            if self.tail.has_words(around[k]):
                return True
        for i in range(first, min(<Py_ssize_t> self.nodes.last[block], first + REACH)):
            if not self.hidden[i] and self.text.has_words(i):
                return True
            if self.tail.has_words(i):
                return True
        return False

    cdef bint _is_beside(self, Py_ssize_t node):
        """Whether there is text directly before or after an element."""
        cdef Py_ssize_t before = node - 1, up = self.up[node]
        cdef int k
        if self.tail.has_words(node):
            return True
        if before == up:
            return self.text.has_words(before)
        for k in range(REACH):
            if self.up[before] == up:
                return self.tail.has_words(before)
            before = self.up[before]
        return False

    cdef bint _is_before(self, Py_ssize_t* around, int n, Py_ssize_t block):
        """Whether there is text before an element, from the beginning of its block."""
        cdef int k
        cdef Py_ssize_t node = around[0], i
        if self.text.has_words(block):
            return True
        for k in range(1, n):
            if self.text.has_words(around[k]):
                return True
        for i in range(max(block + 1, node - REACH), node):
            if not self.hidden[i] and self.text.has_words(i):
                return True
            if self.nodes.last[i] <= node and self.tail.has_words(i):
                return True
        return False
