from scrapy_webtext.compiled.byte_strings cimport ByteStrings
from scrapy_webtext.compiled.class_names cimport ScoredNames, Scorer

cdef enum:
    #: As in ``features/tables.py``, which the tests of both hold together.
    MAX_CLASS_NAME_CHARS = 1_000
    MAX_PAGE_CLASS_NAME_CHARS = 300_000
    MAX_JOINED = 4 * MAX_CLASS_NAME_CHARS


cdef struct NameScores:
    double low, high


cdef class ElementNames:
    cdef list texts
    cdef NameScores* scores
    cdef ByteStrings _known, _kinds
    cdef Scorer _scorer
    cdef bytearray _seen
    cdef list _weights
    cdef int _room
    cdef Py_ssize_t _size, _chars, _left
    cdef size_t _class_room
    cdef unsigned char* _class
    cdef unsigned char _joined[MAX_JOINED]

    cdef void begin(self) noexcept
    cdef void join(self, const unsigned char* value, Py_ssize_t size) noexcept
    cdef bint _put(self, unsigned char char) noexcept
    cdef int number(self) except -1
    cdef NameScores _score(self) except *
    cdef ScoredNames distinct(self)
    cdef int kind(self, const unsigned char* value, size_t size) except -1
