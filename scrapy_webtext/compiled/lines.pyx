"""Twin of ``page/lines.py``: the walk over the tags of a page, and the look for line ends."""

cimport cython
from cpython.array cimport array

from scrapy_webtext.compiled.integers cimport as_integers, integer_at
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.text_column cimport TextColumn
from scrapy_webtext.compiled.utf8 cimport blank_size

#: Bits of a tag, in the order of the sets that `_kinds` is made of.
cdef enum Kind:
    IS_UNCOUNTED = 1
    IS_UNCLOSED = 2
    IS_BLOCK = 4

cdef Kinds _kinds = None


@cython.final
cdef class Open:
    """The line that is not ended, and those that are."""

    cdef list shown, first_run, end_run, chars, tags
    cdef Py_ssize_t start, count

    cdef int end_at(self, Py_ssize_t run) except -1:
        cdef Py_ssize_t chars = <Py_ssize_t> self.shown[run] - <Py_ssize_t> self.shown[self.start]
        if chars or self.count:
            self.first_run.append(number(self.start))
            self.end_run.append(number(run))
            self.chars.append(number(chars))
            self.tags.append(number(self.count))
        self.start, self.count = run, 0
        return 0


def block_lines(page):
    global _kinds
    from scrapy_webtext.page import lines, tags

    if _kinds is None:
        _kinds = Kinds(tags.CODE, lines._UNCLOSED, tags.BLOCK)
    nodes, runs = page.nodes, page.runs
    cdef bytearray hidden = page.hidden
    cdef Nodes columns = stored_nodes(nodes)
    cdef bytearray kinds = columns.kinds(_kinds)
    cdef array owner = as_integers(runs.node)
    cdef array first_run = as_integers(runs.first), last_run = as_integers(runs.end)
    cdef list texts = runs.text
    cdef Py_ssize_t n = columns.count, i, k, chars = 0, current = -1
    cdef int kind
    cdef Open line = Open()
    inline = runs.inline
    line.shown, line.first_run, line.end_run, line.chars, line.tags = [0], [], [], [], []
    for k in range(len(texts)):
        if not hidden[integer_at(owner, k)]:
            chars += len(<str> texts[k])
        line.shown.append(number(chars))
    for i in range(n + 1):
        while current >= 0 and columns.last[current] == i:
            kind = kinds[columns.name[current]]
            line.count += not kind & IS_UNCLOSED
            if kind & IS_BLOCK and current not in inline:
                line.end_at(integer_at(last_run, current))
            current = columns.up[current]
        if i < n:
            kind = kinds[columns.name[i]]
            if kind & IS_BLOCK and i not in inline:
                line.end_at(integer_at(first_run, i))
            line.count += not kind & IS_UNCOUNTED
            current = i
    line.end_at(len(texts))
    return lines.BlockLines(line.first_run, line.end_run, line.chars, line.tags)


def breaks_in_text(page):
    nodes = page.nodes
    cdef bytearray hidden = page.hidden
    cdef Nodes columns = stored_nodes(nodes)
    cdef TextColumn text = columns.text, tail = columns.tail
    cdef Py_ssize_t i, up, found = 0, n = len(hidden)
    for i in range(text.count):
        if not hidden[i]:
            found += _breaks(text, i)
        up = columns.up[i]
        # The tail of a root is text of none, and looked up as that of the last node.
        if not hidden[up if up >= 0 else n - 1]:
            found += _breaks(tail, i)
    return found


cdef Py_ssize_t _breaks(TextColumn texts, Py_ssize_t node) noexcept:
    """Return the line ends within a text, between its first word and its last."""
    cdef const unsigned char* at = texts.data + texts.piece[node].begin
    cdef const unsigned char* end = at + texts.piece[node].size
    cdef Py_ssize_t found = 0, since = 0
    cdef bint is_begun = False
    cdef int blank
    if not texts.has_words(node):
        return 0
    while at < end:
        blank = blank_size(at, end)
        if blank:
            since += is_begun and at[0] == c"\n"
            at += blank
        else:
            is_begun = True
            found += since
            since = 0
            at += 1
    return found
