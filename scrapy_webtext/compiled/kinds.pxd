cimport cython
from cpython.array cimport array

from scrapy_webtext.compiled.node_names cimport MAX_KEPT


cdef enum:
    UNKNOWN = 255


@cython.final
cdef class Kinds:
    cdef tuple _sets
    cdef unsigned char _bits[MAX_KEPT]

    cdef unsigned char _learned(self, str name) except 255
    cdef bytearray of_all(self, list names, array numbers)
