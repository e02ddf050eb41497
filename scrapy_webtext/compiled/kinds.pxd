cimport cython
from libc.stdint cimport uintptr_t

cdef enum:
    SLOTS = 128


@cython.final
cdef class Kinds:
    cdef tuple _sets
    cdef list _tags
    cdef unsigned char _bits[SLOTS]

    cdef unsigned char _learn(self, str tag, Py_ssize_t slot) except? 255

    cdef bytearray of_all(self, list names)

    cdef inline unsigned char of(self, str tag) except? 255:
        """Return the bits of a tag."""
        cdef uintptr_t place = <uintptr_t> <void*> tag
        cdef Py_ssize_t slot = ((place >> 4) ^ (place >> 11)) & (SLOTS - 1)
        return self._bits[slot] if self._tags[slot] is tag else self._learn(tag, slot)
