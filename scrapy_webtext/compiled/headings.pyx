"""Twin of ``extractors/fusion/features/headings.py``: sections, and the headline by the title's words."""

cimport cython
from cpython.array cimport array
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.string cimport memset

from scrapy_webtext.compiled.arrays cimport as_doubles, as_integers, column, double_at, integer_at
from scrapy_webtext.page.nodes cimport Nodes
from scrapy_webtext.core.characters cimport is_blank

cdef enum:
    #: Words of a text; those with more are split as Python splits them.
    ROOM = 256
    #: Places of the marks of a title's words, a power of two: of other words few come to lie there.
    MARKS = 2048


cdef struct Word:
    Py_ssize_t begin, end  # in the text
    size_t code
    bint is_marked


def add_headings(dict columns, page, texts):
    from scrapy_webtext.extractors.fusion.features.headings import _LEVELS, NO_HEADLINE

    cdef Nodes nodes = <Nodes?> page.nodes
    cdef array node = as_integers(texts.node), chars = as_integers(texts.chars)
    cdef array density = as_doubles(texts.link_density), prose = as_integers(texts.prose_sums)
    cdef array unlinked_sums = as_integers(texts.unlinked_sums)
    cdef array chars_sums = as_integers(texts.chars_sums)
    cdef list text = texts.text
    cdef list levels = [_LEVELS.get(name, 0) for name in nodes.names]
    cdef bint is_unspaced = texts.is_unspaced
    cdef Py_ssize_t n = len(node), k, last = 0, begin, headline = -1, length, held
    cdef int level, current = 0
    cdef double rank, top = 0.0, share
    cdef double* since = column(columns, "since_heading", n)
    cdef double* heading_level = column(columns, "heading_level", n)
    cdef double* similarity = column(columns, "title_similarity", n)
    cdef double* from_headline = column(columns, "from_headline", n)
    cdef double* prose_from = column(columns, "prose_from_headline", n)
    cdef double* unlinked = column(columns, "section_unlinked", n)
    cdef double* blocks = column(columns, "section_blocks", n)
    cdef double* link_density = column(columns, "section_link_density", n)
    cdef Title title = Title(page.title.lower(), is_unspaced)
    for k in range(n):
        level = levels[nodes.name.data.as_longlongs[integer_at(node, k)]]
        if level:
            current, last = level, k
        since[k] = k - last
        heading_level[k] = current
        similarity[k] = 0.0
        length = integer_at(chars, k)
        if 8 <= length <= 250 and (level or double_at(density, k) < 0.5):
            similarity[k] = title.similarity(<str> text[k])
        rank = similarity[k] + (0.5 if level == 1 else 0.25 if level else 0.0)
        if headline < 0 or rank > top:
            top, headline = rank, k
    for k in range(n):
        from_headline[k] = k - headline if top >= 0.4 else <int> NO_HEADLINE
        prose_from[k] = integer_at(prose, k) - integer_at(prose, headline) if top >= 0.4 else -1
    begin = 0
    while begin < n:
        last = begin + 1
        while last < n and since[last] != 0:
            last += 1
        held = integer_at(unlinked_sums, last) - integer_at(unlinked_sums, begin)
        share = 1 - held / <double> ((integer_at(chars_sums, last) - integer_at(chars_sums, begin)) or 1)
        for k in range(begin, last):
            unlinked[k] = held
            blocks[k] = last - begin
            link_density[k] = share
        begin = last


@cython.final
cdef class Title:
    """The words of a title: which other texts have words of, without a string for each."""

    cdef set _words
    cdef bint _is_unspaced
    cdef unsigned char _marks[MARKS]

    def __cinit__(self, str title not None, bint is_unspaced):
        cdef size_t code
        cdef Py_ssize_t k
        self._words, self._is_unspaced = set(title if is_unspaced else title.split()), is_unspaced
        memset(self._marks, 0, MARKS)
        for word in self._words:
            code = 0
            for k in range(len(<str> word)):
                code = _mixed(code, (<str> word)[k])
            self._marks[_place(code)] = 1

    cdef double similarity(self, str text) except -1:
        """Return the Jaccard similarity of the words of a text and the title's, in [0, 1]."""
        cdef Word words[ROOM]
        cdef Py_ssize_t found, k, shared = 0
        cdef str low = text.lower()
        if not self._words:
            return 0.0
        found = -1 if self._is_unspaced else self._split(low, words)
        if found < 0:
            return _jaccard(set(low if self._is_unspaced else low.split()), self._words)
        # Most texts share no word.
        for k in range(found):
            if words[k].is_marked:
                if low[words[k].begin : words[k].end] in self._words:
                    shared += _is_new(low, words, k)
        if not shared:
            return 0.0
        for k in range(found - 1, -1, -1):
            found -= not _is_new(low, words, k)
        return shared / <double> (found + len(self._words) - shared)

    cdef Py_ssize_t _split(self, str low, Word* words):
        """Set the words of a text and return their number; -1 if there is no room for all."""
        cdef Py_ssize_t k, n = len(low), found = 0, begin = -1
        cdef size_t code = 0
        cdef Py_UCS4 char
        cdef int kind = PyUnicode_KIND(low)
        cdef void* data = PyUnicode_DATA(low)
        for k in range(n + 1):
            char = PyUnicode_READ(kind, data, k) if k < n else 32
            if not is_blank(char):
                if begin < 0:
                    begin, code = k, 0
                code = _mixed(code, char)
            elif begin >= 0:
                if found == ROOM:
                    return -1
                words[found].begin, words[found].end, words[found].code = begin, k, code
                words[found].is_marked = self._marks[_place(code)]
                found += 1
                begin = -1
        return found


cdef inline size_t _mixed(size_t code, unsigned int char) noexcept:
    """Return the code of a word that goes on with a character; equal words have equal codes."""
    return code * 31 + char + 1


cdef inline size_t _place(size_t code) noexcept:
    return (code ^ (code >> 11)) & (MARKS - 1)


cdef bint _is_new(str low, const Word* words, Py_ssize_t k) noexcept:
    """Return whether no word before the k-th is equal to it."""
    cdef Py_ssize_t i, j, size = words[k].end - words[k].begin
    cdef int kind = PyUnicode_KIND(low)
    cdef void* data = PyUnicode_DATA(low)
    for i in range(k):
        if words[i].code != words[k].code or words[i].end - words[i].begin != size:
            continue
        for j in range(size):
            if PyUnicode_READ(kind, data, words[i].begin + j) != PyUnicode_READ(kind, data, words[k].begin + j):
                break
        else:
            return False
    return True


cdef double _jaccard(set words, set others) except -1:
    cdef Py_ssize_t shared = len(words & others)
    return shared / <double> (len(words) + len(others) - shared) if shared else 0.0
