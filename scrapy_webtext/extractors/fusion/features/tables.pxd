cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Doubles, Longs
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.core.distinct cimport DistinctTexts, DistinctTriples, TokenTable
from scrapy_webtext.page.nodes cimport Nodes

cdef int _NAMING, _CLASSES, _FLAGS, _CLASS, _COUNT


cdef class Table:
    cdef readonly dict columns


@cython.final
cdef class BlockTable(Table):
    cdef readonly Py_ssize_t n
    cdef readonly bint is_unspaced
    cdef readonly list text
    cdef readonly Texts low
    cdef Longs numbers, first_run, end_run, node, owner, words, chars, unlinked_chars, ends, prose
    cdef Longs unlinked_sums, chars_sums, prose_sums, at
    cdef Doubles link_density


@cython.final
cdef class ElementTable(Table):
    cdef readonly Py_ssize_t n, kept
    cdef readonly array counts
    cdef readonly list class_names, distinct_class_names, name_weights
    cdef Longs kept_nodes, parent, container, above, begin, stop, tag_class, flags, depth, template_id
    cdef Doubles class_score_sum, class_score_low, class_score_high


@cython.final
cdef class ScoredNames:
    cdef public list names, low, high, weights
    cdef list _places
    cdef TokenTable _tokens
    cdef bytearray _seen
    cdef Py_ssize_t _left

    cdef Py_ssize_t place(self, Py_ssize_t number) except -2
    cpdef Py_ssize_t add(self, Py_ssize_t number, str names) except -1


cpdef ElementTable element_table(page, BlockTable texts, bytearray excluded_nodes, TokenTable class_names)
cdef ElementTable _placed(page, BlockTable texts, bytearray excluded_nodes)
@cython.locals(below=double, above=double)
cdef _add_names(ElementTable table, Nodes nodes, bytearray excluded_nodes, TokenTable class_names)
cdef str _joined(Texts values, array kinds, Py_ssize_t first, Py_ssize_t end)
@cython.locals(table=BlockTable, n=Py_ssize_t, block_text=list, closing=frozenset, text=list, one=str, unspaced=bint, least=Py_ssize_t, most=double)
cpdef BlockTable block_table(page, bytearray excluded_nodes)
cdef Py_ssize_t _marks(str text, bint unspaced) except -1
@cython.locals(least=Py_ssize_t, most=double)
cdef array _prose_sums(page, bytearray hidden)
