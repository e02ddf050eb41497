cdef enum:
    CHARS = 0x10000
    BYTES = 0x2000
    NARROW = 0x100

cdef class Marks:
    cdef unsigned char _bits[BYTES]
    cdef unsigned char _is_mark[NARROW]  #: the same of the first characters, a byte each

    cdef Py_ssize_t count_in(self, str text)
