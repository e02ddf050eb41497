"""Which sets of names a tag is in, as bits. Names lie in one place: most are told by where."""

cimport cython


@cython.final
cdef class Kinds:
    """Bits of a tag: bit k is set where it is in the k-th of these sets (seven at most)."""

    def __cinit__(self, *sets):
        self._sets = sets
        self._tags = [None] * SLOTS

    cdef unsigned char _learn(self, str tag, Py_ssize_t slot) except? 255:
        cdef unsigned char bits = 0, bit = 1
        for names in self._sets:
            if tag in names:
                bits |= bit
            bit <<= 1
        self._tags[slot] = tag  # held, so that no other name comes to lie there
        self._bits[slot] = bits
        return bits

    cdef bytearray of_all(self, list names):
        """Return the bits of each of these names."""
        cdef bytearray found = bytearray(len(names))
        cdef Py_ssize_t k
        for k in range(len(names)):
            found[k] = self.of(<str> names[k])
        return found
