cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Longs
from scrapy_webtext.render.containers cimport Containers

cdef int _ITEM, _DEFINITION, _ROW, _CELL


@cython.locals(containers=Containers, levels=array, items=array, table_rows=array, cells=array, node=Longs, outer=Longs, level=Longs, item=Longs,
    row=Longs, pieces=list, in_row=list, last=Py_ssize_t, text=str, frame=Py_ssize_t, gap=str)
cdef list _write(page, rows)
@cython.locals(n=Py_ssize_t, levels=array, items=array, rows=array, cells=array, level=Longs, item=Longs, row=Longs, cell=Longs, kind=Longs,
    outer=Longs, frame=Py_ssize_t, around=Py_ssize_t)
cdef tuple _find_places(Containers containers)
@cython.locals(inside=dict, gap=str, cells=list)
cdef _write_row(page, row, list blocks, list pieces, dict spans)
