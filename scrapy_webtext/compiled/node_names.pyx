"""Names of elements and attributes as `columns` reads them: a string for each, numbered per page.

The first short names of all pages have a number from page to page, too, by which `kinds` knows
them again: most names are the same on the next page.
"""

cimport cython
from cpython.array cimport array, resize_smart
from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport strlen

from scrapy_webtext.compiled.arrays cimport new_array
from scrapy_webtext.compiled.byte_strings cimport ByteStrings

cdef ByteStrings _kept = ByteStrings()
cdef list _kept_strings = [None] * MAX_KEPT
cdef array _NUMBERS = array("i")


@cython.final
cdef class Names:
    """Strings of names by where libxml2 keeps them: equal ones lie in one place, by and large."""

    def __cinit__(self):
        self._size = 256
        self._keys = <const unsigned char**> calloc(self._size, sizeof(void*))
        self._places = <int*> calloc(self._size, sizeof(int))
        if self._keys is NULL or self._places is NULL:
            raise MemoryError
        self.values, self.numbers = [], new_array(_NUMBERS, 0, False)
        self._known, self._spaced = {}, {}

    def __dealloc__(self):
        free(self._keys)
        free(self._places)

    cdef int place(self, const unsigned char* key, const unsigned char* namespace) except -1:
        """Return where a name stands in ``values``, one place for equal names."""
        cdef size_t slot
        cdef int known
        if namespace is not NULL:
            return self._place_in(namespace, key)
        slot = self._slot(key)
        if self._keys[slot] is NULL:
            known = self.add(key)
            self._keys[slot] = key
            self._places[slot] = known
            self._used += 1
            if 2 * self._used > self._size:
                self._grow()
            return known
        return self._places[slot]

    cdef int _place_in(self, const unsigned char* namespace, const unsigned char* key) except -1:
        """Return where a name of a namespace stands; each pair of addresses is decoded once."""
        pair = <uintptr_t> namespace, <uintptr_t> key
        known = self._spaced.get(pair)
        if known is None:
            name = (<const char*> key).decode("utf-8")
            known = self._of(f"{{{(<const char*> namespace).decode('utf-8')}}}{name}", -1)
            self._spaced[pair] = known
        return known

    cdef int add(self, const unsigned char* key) except -1:
        """Return where a name without a namespace stands in ``values``."""
        cdef size_t size = strlen(<const char*> key)
        cdef int number = _kept.find(key, size)
        cdef str name
        if number >= 0:
            return self._of(<str> _kept_strings[number], number)
        name = (<const char*> key).decode("utf-8")
        if size <= MAX_KEPT_SIZE and _kept.count < MAX_KEPT:
            number = _kept.add(key, size)
            _kept_strings[number] = name
        return self._of(name, number)

    cdef int _of(self, str name, int number) except -1:
        known = self._known.get(name)
        if known is None:
            known = len(self.values)
            resize_smart(self.numbers, len(self.values) + 1)
            self.numbers.data.as_ints[<Py_ssize_t> known] = number
            self.values.append(name)
            self._known[name] = known
        return known

    cdef size_t _slot(self, const unsigned char* key) noexcept:
        cdef size_t slot = (<uintptr_t> key * <size_t> 0x9E3779B97F4A7C15u) >> 20
        slot &= self._size - 1
        while self._keys[slot] is not NULL and self._keys[slot] is not key:
            slot = (slot + 1) & (self._size - 1)
        return slot

    cdef int _grow(self) except -1:
        cdef const unsigned char** keys = self._keys
        cdef int* places = self._places
        cdef size_t old = self._size, k, slot
        self._keys = <const unsigned char**> calloc(2 * old, sizeof(void*))
        self._places = <int*> calloc(2 * old, sizeof(int))
        self._size = 2 * old
        if self._keys is NULL or self._places is NULL:
            free(self._keys)
            free(self._places)
            self._keys, self._places, self._size = keys, places, old
            raise MemoryError
        for k in range(old):
            if keys[k] is not NULL:
                slot = self._slot(keys[k])
                self._keys[slot] = keys[k]
                self._places[slot] = places[k]
        free(keys)
        free(places)
        return 0
