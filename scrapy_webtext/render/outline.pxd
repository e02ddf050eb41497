cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Longs
from scrapy_webtext.render.containers cimport Containers

@cython.locals(containers=Containers, role=dict, rows=list, paths=list, texts=list, own_texts=list, parts=list, path=tuple, text=str, row=tuple)
cdef _make_outline(page, list blocks)

@cython.locals(begin=Longs, end=Longs, found=list, first=Py_ssize_t, last=Py_ssize_t, n=Py_ssize_t, block=Py_ssize_t, size=Py_ssize_t)
cdef list _group_by_block(list runs, array first_run, array end_run, blocks)
