"""Which sets of names a tag is in, as bits. Names lie in one place: most are told by where."""

from libc.stdint cimport uintptr_t


cdef class Kinds:
    """Bits of a tag: bit k is set where it is in the k-th of these sets (seven at most)."""

    def __cinit__(self, *sets):
        self._sets = sets
        self._tags = [None] * SLOTS

    cdef unsigned char of(self, str tag) except? 255:
        cdef uintptr_t place = <uintptr_t> <void*> tag
        cdef Py_ssize_t slot = ((place >> 4) ^ (place >> 11)) & (SLOTS - 1)
        cdef unsigned char bits = 0, bit = 1
        if self._tags[slot] is tag:
            return self._bits[slot]
        for names in self._sets:
            if tag in names:
                bits |= bit
            bit <<= 1
        self._tags[slot] = tag  # held, so that no other name comes to lie there
        self._bits[slot] = bits
        return bits
