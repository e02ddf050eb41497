"""Distinct strings of bytes, numbered: no Python object is made to look one up."""

cimport cython
from libc.stdint cimport uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from scrapy_webtext.core.memory cimport resized

cdef extern from *:
    """
    #if PY_VERSION_HEX < 0x030E0000
    #define Py_HashBuffer _Py_HashBytes
    #if PY_VERSION_HEX >= 0x030D0000
    PyAPI_FUNC(Py_hash_t) _Py_HashBytes(const void*, Py_ssize_t);
    #endif
    #endif
    """
    #: As of ``bytes``: nobody can make strings for a page that collide.
    Py_hash_t Py_HashBuffer(const void* at, Py_ssize_t size) noexcept


@cython.final
cdef class ByteStrings:
    """Strings and their numbers, from 0 on in the order in which they were added."""

    def __cinit__(self):
        self._grow()

    def __dealloc__(self):
        free(self._data)
        free(self._begin)
        free(self._slots)

    cdef int find(self, const unsigned char* at, size_t size) except? -2:
        """Return the number of a string, -1 if it was not added."""
        return self._slots[self._slot(<uint64_t> Py_HashBuffer(at, size), at, size)].number - 1

    cdef int add(self, const unsigned char* at, size_t size) except -1:
        """Return the number of a string, a new one for a new string."""
        cdef uint64_t hash = <uint64_t> Py_HashBuffer(at, size), slot = self._slot(hash, at, size)
        cdef size_t begin, room
        if self._slots[slot].number:
            return self._slots[slot].number - 1
        if self.count == self._room:
            self._grow()
            slot = self._slot(hash, at, size)
        begin = self._begin[self.count]
        if begin + size > self._data_room:
            room = 2 * (begin + size) + 1024
            self._data, self._data_room = <unsigned char*> resized(self._data, room), room
        memcpy(self._data + begin, at, size)
        self.count += 1
        self._begin[self.count] = begin + size
        self._slots[slot].mark, self._slots[slot].number = <unsigned int> hash, self.count
        return self.count - 1

    cdef uint64_t _slot(self, uint64_t hash, const unsigned char* at, size_t size) noexcept:
        """Return the slot of a string, an empty one where it was not added."""
        # Mixed, since a hash may have 32 bits.
        cdef uint64_t slot = ((hash * 0x9E3779B97F4A7C15ULL) >> 32) & self._mask
        cdef const StringSlot* held = &self._slots[slot]
        cdef size_t begin
        while held.number:
            begin = self._begin[held.number - 1]
            if (
                held.mark == <unsigned int> hash
                and self._begin[held.number] - begin == size
                and memcmp(self._data + begin, at, size) == 0
            ):
                break
            slot = (slot + 1) & self._mask
            held = &self._slots[slot]
        return slot

    cdef int _grow(self) except -1:
        cdef size_t slots = 256
        cdef int room = 4 * self._room + 100
        cdef uint64_t slot, hash
        cdef const unsigned char* at
        cdef size_t size
        cdef int k
        while slots < 2 * <size_t> room:
            slots *= 2
        self._begin = <size_t*> resized(self._begin, (room + 1) * sizeof(size_t))
        self._begin[0] = 0
        self._slots = <StringSlot*> resized(self._slots, slots * sizeof(StringSlot))
        self._room, self._mask = room, slots - 1
        memset(self._slots, 0, slots * sizeof(StringSlot))
        for k in range(self.count):
            at, size = self._data + self._begin[k], self._begin[k + 1] - self._begin[k]
            hash = <uint64_t> Py_HashBuffer(at, size)
            slot = self._slot(hash, at, size)
            self._slots[slot].mark, self._slots[slot].number = <unsigned int> hash, k + 1
        return 0
