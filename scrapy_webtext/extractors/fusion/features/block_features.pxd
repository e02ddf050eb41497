cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.distinct cimport DistinctTexts
from scrapy_webtext.extractors.fusion.features.measures cimport add_mean, add_mean_of_groups, add_range, limit, position, range_of, window
from scrapy_webtext.extractors.fusion.features.tables cimport BlockTable, ElementTable
from scrapy_webtext.extractors.fusion.features.templates cimport templates_of

@cython.locals(text=list, copies=dict)
cdef _add_text(dict columns, BlockTable texts, ElementTable elements)
cdef _add_ancestors(dict columns, BlockTable texts, ElementTable elements)
cdef _add_flag(dict columns, str name, BlockTable texts, ElementTable elements, int bit)
cdef tuple _add_containers(dict columns, BlockTable texts, ElementTable elements, p)
cdef _add_p(dict columns, str name, p, array nodes)
@cython.locals(most=double)
cdef _add_neighbours(dict columns, BlockTable texts)
cpdef bytearray add_distances(dict columns, BlockTable texts, ElementTable elements, p)
cdef Py_ssize_t _deepest(BlockTable texts, ElementTable elements, double share) except -2
cdef _add_node(dict columns, str name, BlockTable texts, ElementTable elements, Py_ssize_t node)
@cython.locals(text=list, title=DistinctTexts, nowhere=Py_ssize_t, least=Py_ssize_t, most=Py_ssize_t, reach=Py_ssize_t, most_of_date=Py_ssize_t, last=Py_ssize_t, dated=Py_ssize_t, number=Py_ssize_t, begun=Py_ssize_t, least_dated=Py_ssize_t)
cpdef tuple add_headings(dict columns, page, BlockTable texts)
@cython.locals(text=list, opening=DistinctTexts, chars=Py_ssize_t, room=Py_ssize_t, first=Py_ssize_t, at=Py_ssize_t, least=Py_ssize_t)
cdef _add_opening(dict columns, page, BlockTable texts, ElementTable elements, bytearray main, dict ranges)
cdef tuple _sections(BlockTable texts, array since_heading)
