cimport cython
from cpython.array cimport array

from scrapy_webtext.compiled.attributes cimport Attributes
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.text_column cimport TextColumn


@cython.final
cdef class Nodes:
    cdef Py_ssize_t count
    cdef int* name  #: per node, the place of its tag in ``names``
    cdef int* up  #: per node, its parent; -1 for a root
    cdef int* last  #: per node, where its subtree ends
    cdef list names
    cdef array numbers  #: per name, its number among those kept (`node_names`), -1 for none
    cdef readonly Attributes attributes
    cdef readonly TextColumn text, tail
    cdef Py_ssize_t _room
    cdef list _tag
    cdef array _parent, _end

    cdef int add(self, int name, int parent) except -1
    cdef bytearray kinds(self, Kinds kinds)
    cdef int check(self, bytearray mask) except -1
    cdef bytearray cover(self, bytearray mask, tops)
    cdef array _column(self, const int* column)


cdef Nodes stored_nodes(object nodes)
