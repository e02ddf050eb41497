cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Longs
from scrapy_webtext.render.containers cimport Containers

@cython.locals(containers=Containers, role=dict, rows=list, paths=list, texts=list, parts=list, path=tuple, text=str, is_code=bint)
cdef _make_outline(page, list blocks, bint in_part=*)

cdef str _read_text(runs, blocks, block, chosen, bint in_part, bint is_code)

@cython.locals(end=Longs, found=list, first=Py_ssize_t, last=Py_ssize_t, n=Py_ssize_t, block=Py_ssize_t)
cdef list _group_by_block(list runs, array end_run)
