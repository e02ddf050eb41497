"""Texts of a page, stored as UTF-8 in one buffer; strings are created on request."""

cimport cython
from collections.abc import Sequence

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from scrapy_webtext.core.characters cimport (
    Char,
    PyUnicode_DATA,
    PyUnicode_KIND,
    after_blanks,
    blank_size,
    characters,
    is_folded,
    last_char,
    trim,
)

cdef extern from "Python.h":
    PyObject* PyBytes_FromStringAndSize(const char* text, Py_ssize_t size) except NULL
    char* PyBytes_AS_STRING(PyObject* body)
    int _PyBytes_Resize(PyObject** body, Py_ssize_t size) except -1

cdef enum:
    MAX_SIZE = 0x7FFFFFFF

cdef dict _sets = {}  # signs of a `Signs` -> its bit
#: An automaton (Aho, Corasick 1975) that finds the signs of all sets in one pass over a text.
cdef State* _states = NULL
cdef unsigned char _kind_of[256]  # kind of each character; 0 if no sign has it
cdef int _built = -1  # number of the sets in it


@cython.final
cdef class Signs:
    """Signs to search for. All sets of signs are searched at once."""

    def __init__(self, *signs):
        self._bit = _sets.setdefault(tuple([one.encode("ascii") for one in signs]), len(_sets) + 1)


cdef int _build() except -1:
    """Make the automaton of all signs."""
    global _states, _built
    cdef list after = [{}], found = [0], order = [0], back
    for signs, bit in _sets.items():
        for text in signs:
            state = 0
            for char in text:
                state = after[state].setdefault(char, len(after))
                if state == len(after):
                    after.append({})
                    found.append(0)
            found[state] |= 1 << bit
    back = [0] * len(after)  # the longest other beginning of a sign at the end of each
    for state in order:
        for char, longer in after[state].items():
            back[longer] = after[back[state]].get(char, 0) if state else 0
            found[longer] |= found[back[longer]]
            order.append(longer)
        after[state] = after[back[state]] | after[state]
    chars = sorted(set().union(*after))
    if len(_sets) > MAX_SETS or len(chars) >= KINDS or len(after) > 0xFFFF:
        raise ValueError("too many signs")
    for kind, char in enumerate(chars, 1):
        _kind_of[<int> char] = _kind_of[<int> ord(chr(char).upper())] = kind
    _states = <State*> resized(_states, len(after) * sizeof(State))
    memset(_states, 0, len(after) * sizeof(State))
    for state in order:
        _states[<int> state].found = found[state]
        for char, longer in after[state].items():
            _states[<int> state].after[_kind_of[<int> char]] = longer
    _built = len(_sets)
    return 0


@cython.final
cdef class Texts:
    """A sequence of texts; an entry is None if missing."""

    def __init__(self, texts=()):
        cdef bytes value
        for text in texts:
            if text is None:
                self.add_none()
            else:
                value = (<str?> text).encode("utf-8", "surrogatepass")
                self.add(value, len(value))

    def __dealloc__(self):
        free(self.piece)
        free(self.data)
        free(self._folded)
        free(self._found)

    cdef int make_room(self, Py_ssize_t texts, size_t size) except -1:
        """Allocate memory for these numbers of texts and bytes; `drop_room` frees unused memory."""
        self._room, self._data_room = texts + 1, size + 1
        self.piece = <Piece*> resized(self.piece, self._room * sizeof(Piece))
        self.data = <unsigned char*> resized(self.data, self._data_room)
        return 0

    cdef int drop_room(self) except -1:
        return self.make_room(self.count, self._used)

    cdef int add(self, const unsigned char* text, size_t size) except -1:
        """Append a UTF-8 text."""
        if self.count == self._room:
            self._make_room()
        self._set(self.piece + self.count, text, size)
        self.count, self._searched = self.count + 1, 0
        return 0

    cdef int add_none(self) except -1:
        """Append None."""
        if self.count == self._room:
            self._make_room()
        self.piece[self.count] = Piece(0, 0, 0)
        self.count, self._searched = self.count + 1, 0
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
        cdef size_t room = 2 * (self._used + size) + 8192
        if size > MAX_SIZE:
            raise ValueError(f"a text of {size} bytes")
        if self._used + size >= self._data_room:
            self.data, self._data_room = <unsigned char*> resized(self.data, room), room
        begin = self.data + self._used
        end = begin + size
        if size:
            memcpy(begin, text, size)
        if size and 0x20 < begin[0] < 0x7F and 0x20 < begin[size - 1] < 0x7F:
            kind |= HAS_WORDS
        else:
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
        self._with_words += (kind & HAS_WORDS) != 0
        self._used += size
        return 0

    cdef int _kind(self, Py_ssize_t k) except -1:
        if not 0 <= k < self.count:
            raise IndexError(k)
        return <int> self.piece[k].kind

    cpdef bint is_empty(self, Py_ssize_t k) except -1:
        self._kind(k)
        return self.piece[k].size == 0

    cpdef bint has_words(self, Py_ssize_t k) except -1:
        return (self._kind(k) & HAS_WORDS) != 0

    cpdef Py_ssize_t with_words(self) except -1:
        return self._with_words

    cpdef bint starts_with(self, Py_ssize_t k, str start) except -1:
        cdef Py_ssize_t size
        cdef const char* at = PyUnicode_AsUTF8AndSize(start, &size)
        self._kind(k)
        return <size_t> size <= self.piece[k].size and (
            memcmp(self.data + self.piece[k].begin, at, size) == 0
        )

    cpdef bint has_sign(self, Py_ssize_t k, Signs signs) except -1:
        """Return whether a text has a sign; the first call finds all signs of all sets in it."""
        self._kind(k)
        if self._searched != len(_sets):
            if _built != len(_sets):
                _build()
            self._found = <uint64_t*> resized(self._found, self.count * sizeof(uint64_t))
            memset(self._found, 0, self.count * sizeof(uint64_t))
            self._searched = len(_sets)
        if not self._found[k]:
            self._found[k] = self._search(k)
        return (self._found[k] >> signs._bit) & 1

    cdef uint64_t _search(self, Py_ssize_t k) noexcept:
        """Return the bits of the sets of which a text has a sign, and bit 0."""
        cdef const Piece* piece = self.piece + k
        cdef const unsigned char* at = self.data + piece.begin
        cdef const State* state = _states
        cdef uint64_t found = 1
        cdef unsigned int i
        for i in range(piece.size):
            state = _states + state.after[_kind_of[at[i]]]
            found |= state.found
        return found | _states[state.after[_kind_of[c" "]]].found

    cpdef bint begins_blank(self, Py_ssize_t k) except -1:
        return (self._kind(k) & BEGINS_BLANK) != 0

    cpdef bint ends_blank(self, Py_ssize_t k) except -1:
        return (self._kind(k) & ENDS_BLANK) != 0

    cpdef int edges(self, Py_ssize_t k) except -1:
        cdef int kind = self._kind(k)
        cdef bint first = (kind & BEGINS_BLANK) != 0, last = (kind & ENDS_BLANK) != 0
        return first + last if kind & HAS_WORDS else first

    cpdef bint is_seen(self, Py_ssize_t k, str invisible) except -1:
        cdef const unsigned char* at = self.data + self.piece[k].begin
        cdef unsigned int i
        self._kind(k)
        for i in range(self.piece[k].size):
            if 0x20 < at[i] < 0x7F:
                return True
        return bool(self.at(k).strip(invisible))

    cpdef str at(self, Py_ssize_t k):
        self._kind(k)
        return PyUnicode_DecodeUTF8(
            <const char*> self.data + self.piece[k].begin, self.piece[k].size, "surrogatepass"
        )

    cpdef str folded(self, Py_ssize_t k):
        return self._without_blanks(k, True)

    cpdef str letters(self, Py_ssize_t k):
        return self._without_blanks(k, False)

    cdef str _without_blanks(self, Py_ssize_t k, bint keeps_one):
        """Return a text with single spaces (``keeps_one``) or without white space."""
        cdef const unsigned char* at
        cdef const unsigned char* end
        cdef unsigned char* to
        cdef size_t room
        cdef int blank
        self._kind(k)
        at = self.data + self.piece[k].begin
        end = at + self.piece[k].size
        trim(&at, &end)
        if keeps_one and is_folded(at, end - at):
            return PyUnicode_DecodeUTF8(<const char*> at, end - at, "surrogatepass")
        if <size_t> (end - at) > self._folded_room:
            room = 2 * (end - at) + 4096
            self._folded, self._folded_room = <unsigned char*> resized(self._folded, room), room
        to = self._folded
        while at < end:
            blank = 0 if 0x20 < at[0] < 0x80 else blank_size(at, end)
            if not blank:
                to[0] = at[0]
                to, at = to + 1, at + 1
                continue
            at += blank
            if keeps_one and to[-1] != c" ":  # the text does not begin with white space
                to[0] = c" "
                to += 1
        return PyUnicode_DecodeUTF8(<const char*> self._folded, to - self._folded, "surrogatepass")

    cpdef Py_ssize_t chars(self, Py_ssize_t k) except -1:
        cdef const unsigned char* at
        cdef const unsigned char* end
        self._kind(k)
        at = self.data + self.piece[k].begin
        end = at + self.piece[k].size
        trim(&at, &end)
        return characters(at, end - at)

    cpdef Py_ssize_t length(self, Py_ssize_t k) except -1:
        self._kind(k)
        return characters(self.data + self.piece[k].begin, self.piece[k].size)

    cdef object _object(self, Py_ssize_t k):
        return self.at(k) if self._kind(k) & IS_TEXT else None

    def __len__(self):
        return self.count

    def __getitem__(self, place):
        cdef Py_ssize_t k
        if isinstance(place, slice):
            return [self._object(k) for k in range(*place.indices(self.count))]
        k = place
        return self._object(k + self.count if k < 0 else k)

    def __iter__(self):
        cdef Py_ssize_t k
        for k in range(self.count):
            yield self._object(k)

    def __eq__(self, other):
        if not isinstance(other, Sequence):
            return NotImplemented
        return self[:] == other[:]

    def __repr__(self):
        return f"Texts({self[:]!r})"

    def __reduce__(self):
        return Texts, (self[:],)


Sequence.register(Texts)


cpdef bint is_storable(str text) except -1:
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t n = len(text)
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return _are_storable(<unsigned char*> data, n)
    if kind == 2:
        return _are_storable(<unsigned short*> data, n)
    return _are_storable(<unsigned int*> data, n)


cdef bint _are_storable(Char* at, Py_ssize_t n) noexcept nogil:
    """Return whether characters are storable; C compilers vectorize this loop."""
    cdef Char other = 0, char
    cdef Py_ssize_t k
    for k in range(n):
        char = at[k]
        other |= (char < 0x20) & (char != 0x09) & (char != 0x0A) & (char != 0x0D)
        other |= (char >= 0x7F) & (char < 0xA0)
        if sizeof(Char) > 1:
            other |= (char >> 11 == 0x1B) | (char >> 1 == 0x7FFF) | (char >> 4 == 0xFE0)
            other |= (char >> 4 == 0x206) | (char >> 2 == 0x3FFE) | (char == 0x34F)
            other |= (char == 0x115F) | (char == 0x1160) | (char >> 1 == 0xBDA) | (char == 0x180E)
            other |= (char == 0x3164) | (char == 0xFFA0)
        if sizeof(Char) > 2:
            other |= char >> 12 == 0xE0
    return not other


cdef enum:
    BLOCK = 64


cpdef bytes encoded(str text):
    cdef void* data = PyUnicode_DATA(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t n = len(text), size
    cdef bytes found
    cdef PyObject* body
    cdef unsigned char* to
    if text.isascii():
        return text.encode()
    body = PyBytes_FromStringAndSize(NULL, (kind + (kind < 4)) * n)
    to = <unsigned char*> PyBytes_AS_STRING(body)
    if kind == 1:
        size = _encode(<unsigned char*> data, n, to)
    elif kind == 2:
        size = _encode(<unsigned short*> data, n, to)
    else:
        size = _encode(<unsigned int*> data, n, to)
    _PyBytes_Resize(&body, max(size, 0))  # without a copy
    found = <bytes> body
    Py_DECREF(found)
    return text.encode("utf-8", "replace") if size < 0 else found


cdef Py_ssize_t _encode(Char* at, Py_ssize_t n, unsigned char* to) noexcept nogil:
    """Write characters as UTF-8; return the number of bytes, or -1 for a lone surrogate.

    Most of a page is ASCII: blocks of ASCII are checked and copied in loops that C compilers
    vectorize.
    """
    cdef const unsigned char* begin = to
    cdef Py_ssize_t k = 0, i
    cdef Char every
    cdef unsigned int char
    while k < n:
        if k + BLOCK <= n:
            every = 0
            for i in range(BLOCK):
                every |= at[k + i]
            if every < 0x80:
                for i in range(BLOCK):
                    to[i] = <unsigned char> at[k + i]
                to, k = to + BLOCK, k + BLOCK
                continue
        for k in range(k, min(k + BLOCK, n)):
            char = at[k]
            if char < 0x80:
                to[0] = char
                to += 1
            elif char < 0x800:
                to[0], to[1] = 0xC0 | char >> 6, 0x80 | char & 0x3F
                to += 2
            elif char < 0x10000:
                if char >> 11 == 0x1B:
                    return -1
                to[0], to[1], to[2] = 0xE0 | char >> 12, 0x80 | char >> 6 & 0x3F, 0x80 | char & 0x3F
                to += 3
            else:
                to[0], to[1] = 0xF0 | char >> 18, 0x80 | char >> 12 & 0x3F
                to[2], to[3] = 0x80 | char >> 6 & 0x3F, 0x80 | char & 0x3F
                to += 4
        k += 1
    return to - begin


cpdef bint is_utf8(bytes body) except -1:
    cdef const unsigned char* at = body
    cdef const unsigned char* end = at + len(body)
    cdef const unsigned char* block
    cdef unsigned char other
    cdef uint64_t word
    cdef int size, k
    while at < end:
        block = min(at + BLOCK, end)
        if at + BLOCK == block:
            other = 0
            for k in range(BLOCK):
                other |= at[k] | (at[k] - 1)  # over 0x7F for NUL and outside ASCII
            if other < 0x80:
                at = block
                continue
        while at < block:
            if end - at >= <Py_ssize_t> sizeof(word):
                memcpy(&word, at, sizeof(word))
                if not (word | (word - 0x0101010101010101ULL)) & 0x8080808080808080ULL:
                    at += sizeof(word)
                    continue
            size = _char_size(at, end - at)
            if not size:
                return False
            at += size
    return True


cdef inline int _char_size(const unsigned char* at, Py_ssize_t left) noexcept nogil:
    """Return the size of the character that begins here; 0 for NUL and no UTF-8."""
    cdef int size = 1 if at[0] < 0x80 else 2 if at[0] < 0xE0 else 3 if at[0] < 0xF0 else 4
    cdef unsigned int char = at[0] & (0x7F >> size if size > 1 else 0x7F)
    cdef int k
    if size > left or 0x80 <= at[0] < 0xC2 or at[0] >= 0xF5:
        return 0
    for k in range(1, size):
        if at[k] >> 6 != 2:
            return 0
        char = char << 6 | at[k] & 0x3F
    if size == 3:
        return size if char >= 0x800 and char >> 11 != 0x1B else 0
    if size == 4:
        return size if 0x10000 <= char <= 0x10FFFF else 0
    return size if char else 0
