cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Longs
from scrapy_webtext.core.texts cimport Signs, Texts


@cython.final
cdef class Attributes:
    cdef readonly list names
    cdef readonly array name, first
    cdef readonly Texts values

    @cython.locals(begin=Longs, name=Longs, is_one=Longs, values=Texts, kinds=array, node=Py_ssize_t, last=Py_ssize_t, k=Py_ssize_t, found=list, asked=list, has_signs=bint)
    cpdef list named(self, names, Py_ssize_t first=*, end=*, str start=*, Py_ssize_t most=*, str part=*, signs=*)
    @cython.locals(begin=Longs, place=Longs, k=Py_ssize_t)
    cpdef str get(self, Py_ssize_t node, str name)
    cpdef list with_signs(self, signs)
    cpdef array kinds(self, dict table)


@cython.final
cdef class Nodes:
    cdef readonly list names
    cdef readonly array name, parent, end
    cdef readonly Attributes attributes
    cdef readonly Texts text, tail
    cdef list _tag

    cpdef array kinds(self, dict table)
    @cython.locals(column=array, table=array, made=Longs, is_one=Longs, name=Longs, parent=Longs, i=Py_ssize_t)
    cpdef array nearest(self, frozenset names)
    @cython.locals(table=array, is_one=Longs, name=Longs, i=Py_ssize_t, found=list)
    cpdef list tagged(self, frozenset names)
    cpdef list tops(self, frozenset names, among=*)
    @cython.locals(end=Longs, i=Py_ssize_t, outside=Py_ssize_t, found=list)
    cpdef list outermost(self, some)
    @cython.locals(mask=bytearray, table=array, name=Longs, parent=Longs, is_one=Longs, covered=Bytes, i=Py_ssize_t)
    cpdef bytearray inside(self, frozenset names)
    cpdef bytearray below(self, tops)
    @cython.locals(covered=Bytes, end=Longs, i=Py_ssize_t, k=Py_ssize_t)
    cpdef cover(self, bytearray mask, tops)


@cython.locals(column=array, known=array, found=Longs, of_name=Longs, place=Longs, k=Py_ssize_t)
cdef array _looked_up(dict table, list names, array name)

@cython.locals(name=Longs, tags=list, k=Py_ssize_t)
cdef list _tags(list names, array column)

@cython.locals(union=Bytes, added=Bytes, k=Py_ssize_t)
cpdef bytearray either(bytearray one, bytearray other)
