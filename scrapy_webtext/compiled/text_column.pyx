"""The texts of nodes as the twin of ``page/columns.py`` reads them: UTF-8, one behind the other.

A column stands for a list with a string or None per node. Strings are made of those that somebody
asks for. What most ask, whether a text is more than white space, is known without.
"""

cimport cython
from collections.abc import Sequence

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free
from libc.string cimport memcpy

from scrapy_webtext.compiled.characters cimport (
    after_blanks,
    blank_size,
    characters,
    last_char,
    trim,
)
from scrapy_webtext.compiled.memory cimport resized

cdef enum:
    MAX_SIZE = 0x7FFFFFFF


@cython.final
cdef class TextColumn:
    """Pieces of text, one per node; None where there is none."""

    def __dealloc__(self):
        free(self.piece)
        free(self.data)

    cdef int add(self, const unsigned char* text, size_t size) except -1:
        if self.count == self._room:
            self._make_room()
        self._set(self.piece + self.count, text, size)
        self.count += 1
        return 0

    cdef int add_none(self) except -1:
        if self.count == self._room:
            self._make_room()
        self.piece[self.count] = Piece(0, 0, 0)
        self.count += 1
        return 0

    cdef int _make_room(self) except -1:
        cdef Py_ssize_t room = 2 * self._room + 1024
        self.piece, self._room = <Piece*> resized(self.piece, room * sizeof(Piece)), room
        return 0

    cdef int _set(self, Piece* piece, const unsigned char* text, size_t size) except -1:
        cdef unsigned char* begin
        cdef unsigned char* end
        cdef const unsigned char* first
        cdef unsigned int kind = IS_TEXT
        cdef size_t room
        if size > MAX_SIZE:
            raise ValueError(f"a text of {size} bytes")
        if self._used + size >= self._data_room:
            room = 2 * (self._used + size) + 8192
            self.data, self._data_room = <unsigned char*> resized(self.data, room), room
        begin = self.data + self._used
        end = begin + size
        if size:
            memcpy(begin, text, size)
        first = after_blanks(begin, end)
        if first > begin:
            kind |= BEGINS_BLANK
        if first < end:
            kind |= HAS_WORDS
            if blank_size(last_char(begin, end), end):
                kind |= ENDS_BLANK
        elif size:
            kind |= ENDS_BLANK
        piece.begin, piece.size, piece.kind = self._used, <unsigned int> size, kind
        self._used += size
        return 0

    cdef str at(self, Py_ssize_t k):
        """Return a text as a string, empty for none."""
        cdef Piece piece = self.piece[k]
        return PyUnicode_DecodeUTF8(
            <const char*> self.data + piece.begin, piece.size, "surrogatepass"
        )

    cdef Py_ssize_t chars(self, Py_ssize_t k) noexcept:
        """Return the characters of a text with words, from the first word to the last."""
        cdef const unsigned char* at = self.data + self.piece[k].begin
        cdef const unsigned char* end = at + self.piece[k].size
        trim(&at, &end)
        return characters(at, end - at)

    cdef object _object(self, Py_ssize_t k):
        return self.at(k) if self.piece[k].kind & IS_TEXT else None

    def __len__(self):
        return self.count

    def __getitem__(self, place):
        cdef Py_ssize_t k
        if isinstance(place, slice):
            return [self._object(k) for k in range(*place.indices(self.count))]
        k = place
        if k < 0:
            k += self.count
        if not 0 <= k < self.count:
            raise IndexError(place)
        return self._object(k)

    def __setitem__(self, Py_ssize_t k, text):
        cdef bytes value
        if not 0 <= k < self.count:
            raise IndexError(k)
        if text is None:
            self.piece[k] = Piece(0, 0, 0)
            return
        value = (<str> text).encode("utf-8", "surrogatepass")
        self._set(self.piece + k, value, len(value))

    def __iter__(self):
        cdef Py_ssize_t k
        for k in range(self.count):
            yield self._object(k)

    def __eq__(self, other):
        if not isinstance(other, Sequence):
            return NotImplemented
        return self[:] == other[:]

    def __repr__(self):
        return repr(self[:])

    def __reduce__(self):
        return list, (self[:],)


Sequence.register(TextColumn)


cdef TextColumn stored_texts(object column):
    """Return texts as they are stored here, copied if they are not."""
    cdef TextColumn made
    cdef bytes value
    if isinstance(column, TextColumn):
        return <TextColumn> column
    made = TextColumn()
    for text in column:
        if text is None:
            made.add_none()
        else:
            value = (<str> text).encode("utf-8", "surrogatepass")
            made.add(value, len(value))
    return made
