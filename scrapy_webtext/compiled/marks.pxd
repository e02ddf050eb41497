cdef enum:
    CHARS = 0x10000
    BYTES = 0x2000

cdef class Marks:
    cdef unsigned char _bits[BYTES]

    cdef Py_ssize_t count_in(self, str text)
