cimport cython

#: What is known of a text when it is read.
cdef enum Kind:
    IS_TEXT = 1  #: None without
    HAS_WORDS = 2  #: more than white space
    BEGINS_BLANK = 4
    ENDS_BLANK = 8

cdef struct Piece:
    size_t begin
    unsigned int size
    unsigned int kind


@cython.final
cdef class TextColumn:
    cdef Piece* piece
    cdef Py_ssize_t count
    cdef unsigned char* data
    cdef Py_ssize_t _room
    cdef size_t _used, _data_room

    cdef int add(self, const unsigned char* text, size_t size) except -1
    cdef int add_none(self) except -1
    cdef str at(self, Py_ssize_t k)
    cdef Py_ssize_t chars(self, Py_ssize_t k) noexcept
    cdef int _make_room(self) except -1
    cdef int _set(self, Piece* piece, const unsigned char* text, size_t size) except -1
    cdef object _object(self, Py_ssize_t k)

    cdef inline bint has_words(self, Py_ssize_t k) noexcept:
        """Whether a text is more than white space."""
        return (self.piece[k].kind & HAS_WORDS) != 0


cdef TextColumn stored_texts(object column)
