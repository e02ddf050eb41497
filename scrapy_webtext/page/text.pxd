cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Longs
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.page.nodes cimport Nodes

cdef int _JOINED, _SPACE, _LINE, _BREAK
cdef int _PARTING, _FLOWING, _APART, _PREFORMATTED, _VOID, _BREAKING
cdef int _IN_LINE, _UNSHOWN, _WRAPPED, _OWN_LINE, _KEPT


@cython.final
cdef class _Reading:
    cdef array node, gaps, tags_before
    cdef list texts
    cdef dict preformatted
    cdef Py_ssize_t count, seen
    cdef int gap, pre
    cdef list blanks

    @cython.locals(text=str, raw=str, begins=bint, ends=bint)
    cdef add(self, Texts texts, Py_ssize_t k, Py_ssize_t owner, int kind)
    @cython.locals(node=Longs, gaps=Longs, tags_before=Longs)
    cdef append(self, str text, Py_ssize_t owner)
    cdef add_lines(self, str text, Py_ssize_t owner)
    cdef break_line(self)
    cdef end_line(self)

cdef bint _is_soft(str text) except -1


@cython.locals(kinds=array, inline=frozenset, n=Py_ssize_t, i=Py_ssize_t, text=Texts, tail=Texts, first_run=array, end_run=array, first=Longs,
    end=Longs, kind_of=Longs, parent=Longs, node_end=Longs, to=_Reading, current=Py_ssize_t, closes=Py_ssize_t, closed=Py_ssize_t, gap=int,
    pre=int, blanks=list, kind=int, unshown=list)
cpdef read_runs(Nodes nodes, hidden)

@cython.locals(i=Py_ssize_t)
cdef _mark(array kinds, array parent, hidden, frozenset inline)

cdef bint _goes_on(int kind, Texts tail, Py_ssize_t node) except -1

@cython.locals(text=str)
cdef bint _ends_in_word(list texts) except -1

@cython.locals(texts=list, preformatted=dict, gaps=array, owner=Longs, gap=Longs, container=Longs, linked=Bytes,
    unread=Bytes, n=Py_ssize_t, blocks=Py_ssize_t, k=Py_ssize_t, nodes=array, firsts=array, ends=array, all_chars=array,
    all_link_chars=array, node=Longs, first=Longs, end=Longs, chars=Longs, link_chars=Longs, text=list, unshown=set, begin=Py_ssize_t,
    last=Py_ssize_t, around=Py_ssize_t, shown=Py_ssize_t, is_shown=bint, length=Py_ssize_t, block=Py_ssize_t)
cpdef read_blocks(runs, array containers, bytearray is_link, bytearray hidden)

@cython.locals(gap=Longs, k=Py_ssize_t, apart=int, parts=list)
cdef str _joined(list texts, array gaps, dict preformatted, Py_ssize_t first, Py_ssize_t end, set without)
