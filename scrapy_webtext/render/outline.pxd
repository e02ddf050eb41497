cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Longs
from scrapy_webtext.render.tree cimport Container, Containers

@cython.locals(containers=Containers, container=Container, own_texts=list, parts=list, has_code=bint, is_code=bint, is_whole=bint)
cdef tuple _make_parts(page, list blocks)

@cython.locals(begin=Longs, end=Longs, runs=Longs, found=list, first=Py_ssize_t, last=Py_ssize_t, n=Py_ssize_t, block=Py_ssize_t,
    size=Py_ssize_t, of_block=Py_ssize_t, run=Py_ssize_t, unshown=frozenset, k=Py_ssize_t, is_series=bint)
cdef list _group_by_block(array chosen, array first_run, array end_run, blocks)
