"""Which sets of names a name is in, as bits, remembered by its number from page to page."""

cimport cython
from cpython.array cimport array
from libc.string cimport memset

from scrapy_webtext.compiled.arrays cimport check_place
from scrapy_webtext.compiled.node_names cimport MAX_KEPT


@cython.final
cdef class Kinds:
    """Bits of a name: bit k is set where it is in the k-th of these sets, of which there may be seven."""

    def __cinit__(self, *sets):
        if len(sets) > 7:
            raise ValueError(f"{len(sets)} sets, for which there are 7 bits")
        self._sets = sets
        memset(self._bits, UNKNOWN, MAX_KEPT)

    cdef unsigned char _learned(self, str name) except 255:
        cdef unsigned char bits = 0, bit = 1
        for names in self._sets:
            if name in names:
                bits |= bit
            bit <<= 1
        return bits

    cdef bytearray of_all(self, list names, array numbers):
        """Return the bits of each of these names, given with their numbers (`node_names`)."""
        cdef bytearray found = bytearray(len(names))
        cdef unsigned char bits
        cdef Py_ssize_t k
        cdef int number
        for k in range(len(names)):
            check_place(numbers, k)
            number = numbers.data.as_ints[k]
            bits = self._bits[number] if number >= 0 else <unsigned char> UNKNOWN
            if bits == UNKNOWN:
                bits = self._learned(<str> names[k])
                if number >= 0:
                    self._bits[number] = bits
            found[k] = bits
        return found
