cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.distinct cimport DistinctTexts, DistinctTriples
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.core.tokens cimport TokenTable
from scrapy_webtext.page.nodes cimport Attributes, Nodes

cdef int _NAMING, _CLASSES, _HIDDEN, _FLAGS, _CLASS, _COUNT


@cython.final
cdef class ScoredNames:
    cdef public list names, low, high, weights
    cdef list _places
    cdef TokenTable _tokens
    cdef bytearray _seen
    cdef Py_ssize_t _left

    cdef Py_ssize_t place(self, Py_ssize_t number) except -2
    cpdef Py_ssize_t add(self, Py_ssize_t number, str names) except -1


@cython.locals(nodes=Nodes, attributes=Attributes, values=Texts, below=double, above=double)
cpdef element_table(page, bytearray excluded_nodes, TokenTable class_names)
cdef array _kept_nodes(page, bytearray excluded_nodes)
cdef str _joined(Texts values, array kinds, Py_ssize_t first, Py_ssize_t end)
@cython.locals(block_text=list, closing=frozenset, text=list, one=str, unspaced=bint, least=Py_ssize_t, most=double)
cpdef block_table(page, bytearray excluded_nodes)
cdef Py_ssize_t _marks(str text, bint unspaced) except -1
cdef array _summed(array column)
cdef array _blocks_at(array numbers, array first_runs, Py_ssize_t runs)
cpdef go_up(page, array nodes)
@cython.locals(least=Py_ssize_t, most=double)
cdef array _prose_sums(page, bytearray hidden)
