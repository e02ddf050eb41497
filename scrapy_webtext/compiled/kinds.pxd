cdef enum:
    SLOTS = 128

cdef class Kinds:
    cdef tuple _sets
    cdef list _tags
    cdef unsigned char _bits[SLOTS]

    cdef unsigned char of(self, str tag) except? 255
