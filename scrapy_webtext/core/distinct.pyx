"""Numbers distinct texts, triples and tokens; looking one up creates no Python object.

Hashes depend on a random key of this process, like hashes of ``bytes``. So nobody can write a page
whose texts all have the same slot.
"""

cimport cython
from cpython.array cimport array
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from scrapy_webtext.core.arrays cimport as_doubles, new_longs
from scrapy_webtext.core.characters cimport after_blanks, blank_size
from scrapy_webtext.core.texts cimport Texts, resized

cdef extern from *:
    """
    #if PY_VERSION_HEX < 0x030E0000
    #define Py_HashBuffer _Py_HashBytes
    #if PY_VERSION_HEX >= 0x030D0000
    PyAPI_FUNC(Py_hash_t) _Py_HashBytes(const void*, Py_ssize_t);
    #endif
    #endif
    """
    Py_hash_t Py_HashBuffer(const void* at, Py_ssize_t size) noexcept

cdef uint64_t _KEY = <uint64_t> <Py_ssize_t> hash("triples")

cdef enum:
    #: Maximum number of distinct words of a text that is compared.
    MAX_WORDS = 256

cdef struct Word:
    const unsigned char* at
    size_t size


cdef inline uint64_t _mark(const unsigned char* at, size_t size) noexcept:
    """Return a number of a text with few instructions; it saves the hash of most unknown texts."""
    cdef uint64_t first = 0, last = 0, k
    if size >= 8:
        memcpy(&first, at, 8)
        memcpy(&last, at + size - 8, 8)
    else:
        for k in range(size):
            first = first << 8 | at[k]
    return ((first + 3 * last + size) * 0x9E3779B97F4A7C15ULL) >> 32


@cython.final
cdef class DistinctTexts:
    """Assigns an id to each distinct text; id 0 is the empty text."""

    def __cinit__(self, texts=()):
        cdef bytes body
        self._grow()
        for text in texts:
            body = (<str?> text).encode("utf-8", "surrogatepass")
            self.add(body, len(body))

    def __dealloc__(self):
        free(self._data)
        free(self._begin)
        free(self._slots)
        free(self._marks)

    cpdef int number(self, Texts texts, Py_ssize_t k) except -1:
        texts.is_empty(k)  # raises IndexError
        return self.add(texts.data + texts.piece[k].begin, texts.piece[k].size)

    cpdef int number_without_digits(self, Texts texts, Py_ssize_t k) except -1:
        cdef unsigned char* to
        cdef size_t i, n = 0
        texts.is_empty(k)
        to = self._copied(texts.data + texts.piece[k].begin, texts.piece[k].size)
        for i in range(texts.piece[k].size):
            to[n] = to[i]
            n += not c"0" <= to[i] <= c"9"
        return self._number(n)

    cpdef double similarity(self, Texts texts, Py_ssize_t number, bint is_unspaced) except -1:
        cdef Word words[MAX_WORDS]
        cdef const unsigned char* end
        cdef const unsigned char* at = _read(texts, number, &end)
        cdef const unsigned char* begin
        cdef int k, n = 0, shared = 0
        while True:
            begin = at = at if is_unspaced else after_blanks(at, end)
            if at == end:
                return <double> shared / <double> (n + self._count - shared) if shared else 0.0
            at += 1
            while at < end and (at[0] & 0xC0 == 0x80 if is_unspaced else not blank_size(at, end)):
                at += 1
            k = 0
            while k < n and (words[k].size != <size_t> (at - begin) or memcmp(words[k].at, begin, at - begin)):
                k += 1
            if k == n:
                if n == MAX_WORDS:
                    raise IndexError(n)
                words[n] = Word(begin, at - begin)
                n += 1
                shared += self.find(begin, at - begin) > 0

    cpdef int add_words(self, str text, size_t least=1) except -1:
        cdef bytes body = text.lower().encode("utf-8", "surrogatepass")
        cdef const unsigned char* at = body
        cdef const unsigned char* end = at + len(body)
        cdef const unsigned char* begin
        while _next_word(&begin, &at, end):
            if <size_t> (at - begin) >= least:
                self.add(begin, at - begin)
        return 0

    cpdef double share_of_words(self, Texts texts, Py_ssize_t k, int most) except -1:
        cdef const unsigned char* end
        cdef const unsigned char* at = _read(texts, k, &end)
        cdef const unsigned char* begin
        cdef int n = 0, known = 0
        while n < most and _next_word(&begin, &at, end):
            known += self.find(begin, at - begin) > 0
            n += 1
        return <double> known / <double> n if n else 0.0

    cdef int find(self, const unsigned char* at, size_t size) noexcept:
        """Return the id of a UTF-8 text; 0 if unknown."""
        if not self._mark_of(at, size)[0]:
            return 0
        return self._slots[self._slot(<uint64_t> Py_HashBuffer(at, size), at, size)].number

    cdef unsigned char* _mark_of(self, const unsigned char* at, size_t size) noexcept:
        return self._marks + (_mark(at, size) & (4 * self._mask + 3))

    cdef int add(self, const unsigned char* at, size_t size) except -1:
        """Return the id of a UTF-8 text; a new text gets the next id."""
        self._copied(at, size)
        return self._number(size)

    cdef unsigned char* _copied(self, const unsigned char* at, size_t size) except NULL:
        """Copy a text to the end of the buffer; return its address."""
        cdef size_t begin = self._begin[self._count], room
        if begin + size >= self._data_room:
            room = 2 * (begin + size) + 1024
            self._data, self._data_room = <unsigned char*> resized(self._data, room), room
        memcpy(self._data + begin, at, size)
        return self._data + begin

    cdef int _number(self, size_t size) except -1:
        """Return the id of the text that `_copied` has copied."""
        cdef const unsigned char* at = self._data + self._begin[self._count]
        cdef uint64_t hash, slot
        if not size:
            return 0
        hash = <uint64_t> Py_HashBuffer(at, size)
        slot = self._slot(hash, at, size)
        if self._slots[slot].number:
            return self._slots[slot].number
        if self._count + 1 == self._room:
            self._grow()
            slot = self._slot(hash, at, size)
        self._count += 1
        self._mark_of(at, size)[0] = 1
        self._begin[self._count] = self._begin[self._count - 1] + size
        self._slots[slot] = Slot(<unsigned int> hash, self._count)
        return self._count

    cdef uint64_t _slot(self, uint64_t hash, const unsigned char* at, size_t size) noexcept:
        """Return the slot of a text; an empty slot for a new text."""
        # Multiplied, since a hash may have only 32 bits.
        cdef uint64_t slot = ((hash * 0x9E3779B97F4A7C15ULL) >> 32) & self._mask
        cdef const Slot* held = &self._slots[slot]
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
        cdef size_t slots = 256, size
        cdef int room = 4 * self._room + 100, k
        cdef uint64_t slot, hash
        cdef const unsigned char* at
        while slots < 2 * <size_t> room:
            slots *= 2
        self._begin = <size_t*> resized(self._begin, (room + 1) * sizeof(size_t))
        self._begin[0] = 0
        self._slots = <Slot*> resized(self._slots, slots * sizeof(Slot))
        self._marks = <unsigned char*> resized(self._marks, 4 * slots)
        self._room, self._mask = room, slots - 1
        memset(self._slots, 0, slots * sizeof(Slot))
        memset(self._marks, 0, 4 * slots)
        for k in range(self._count):
            at, size = self._data + self._begin[k], self._begin[k + 1] - self._begin[k]
            hash = <uint64_t> Py_HashBuffer(at, size)
            slot = self._slot(hash, at, size)
            self._slots[slot] = Slot(<unsigned int> hash, k + 1)
            self._mark_of(at, size)[0] = 1
        return 0


@cython.final
cdef class DistinctTriples:
    """Numbers of distinct triples of integers >= 0."""

    def __cinit__(self):
        self._grow()

    def __dealloc__(self):
        free(self._triples)

    cpdef int number(self, int a, int b, int c) except -1:
        cdef Triple* found = self._find(a, b, c)
        if not found.number:
            self._count += 1
            found[0] = Triple(a, b, c, self._count)
            if 2 * <uint64_t> self._count > self._mask:
                self._grow()
                return self._count
        return found.number

    cdef Triple* _find(self, int a, int b, int c) noexcept:
        cdef uint64_t mixed = (_KEY ^ <uint64_t> a) * 0x9E3779B97F4A7C15ULL
        mixed = (mixed ^ (mixed >> 32) ^ <uint64_t> b) * 0xBF58476D1CE4E5B9ULL
        mixed = (mixed ^ (mixed >> 29) ^ <uint64_t> c) * 0x94D049BB133111EBULL
        cdef uint64_t slot = (mixed ^ (mixed >> 31)) & self._mask
        cdef Triple* at = &self._triples[slot]
        while at.number and not (at.a == a and at.b == b and at.c == c):
            slot = (slot + 1) & self._mask
            at = &self._triples[slot]
        return at

    cdef int _grow(self) except -1:
        cdef Triple* old = self._triples
        cdef uint64_t k, n = self._mask + 1 if old is not NULL else 0
        cdef uint64_t size = 4 * n if n else 1024
        self._triples = <Triple*> calloc(size, sizeof(Triple))
        if self._triples is NULL:
            self._triples = old
            raise MemoryError
        self._mask = size - 1
        for k in range(n):
            if old[k].number:
                self._find(old[k].a, old[k].b, old[k].c)[0] = old[k]
        free(old)
        return 0


cdef enum:
    ROOM = 128
    #: As in ``core/words.py``.
    MAX_CLASS_NAMES = 12
    MAX_PARTS = 8
    MAX_NAME_CHARS = 200
    MAX_CHARS = 40


@cython.final
cdef class TokenTable:
    """A score and a weight per token. Unknown tokens have the number, score and weight 0."""

    def __init__(self, scores, weights):
        cdef list tokens = [token for token in dict.fromkeys((*scores, *weights)) if token]
        self.scores = as_doubles([0.0, *[scores.get(token, 0.0) for token in tokens]])
        self.weights = as_doubles([0.0, *[weights.get(token, 0.0) for token in tokens]])
        self.has_weight = bytearray([False, *[token in weights for token in tokens]])
        self.found = new_longs(ROOM)
        self._tokens = DistinctTexts(tokens)

    cpdef int number(self, str token) except -1:
        cdef bytes body = token.encode("utf-8", "surrogatepass")
        return self._tokens.find(body, len(body))

    cpdef int read_words(self, Texts texts, Py_ssize_t k, int most, bint whole) except -1:
        cdef const unsigned char* end
        cdef const unsigned char* at = _read(texts, k, &end)
        cdef const unsigned char* all = at
        cdef const unsigned char* begin
        cdef long long* found = self.found.data.as_longlongs
        cdef int n = 0
        most = min(most, ROOM)
        while n < most and _next_word(&begin, &at, end):
            found[n] = self._tokens.find(begin, at - begin)
            n += 1
        if whole:
            found[n] = self._tokens.find(all, end - all)
            n += 1
        return n

    cpdef int read_names(self, str class_names) except -1:
        cdef bytes body = class_names.encode("utf-8", "surrogatepass")
        cdef const unsigned char* at = body
        cdef const unsigned char* end = at + len(body)
        cdef const unsigned char* begin
        cdef int read, n = 0
        for read in range(MAX_CLASS_NAMES):
            at = begin = after_blanks(at, end)
            while at < end and not blank_size(at, end):
                at += 1
            n = self._read_name(begin, _first_chars(begin, at), n)
        return n

    cdef int _read_name(self, const unsigned char* at, const unsigned char* end, int n) noexcept:
        """Write the numbers of a name's tokens from index ``n`` on; return the next index."""
        cdef unsigned char part[MAX_NAME_CHARS]
        cdef unsigned char whole[MAX_CHARS]
        cdef long long* found = self.found.data.as_longlongs
        cdef Py_ssize_t k, size = 0
        cdef int parts = 0
        cdef Part next
        while _next_part(&at, end, &next):
            parts += 1
            if parts > 1 and size < MAX_CHARS:
                whole[size] = c"-"
                size += 1
            for k in range(next.size):
                part[k] = next.at[k] | 0x20
                if size < MAX_CHARS:
                    whole[size] = part[k]
                    size += 1
            if parts <= MAX_PARTS:
                found[n] = self._tokens.find(part, next.size)
                n += 1
        if parts > 1:
            found[n] = self._tokens.find(whole, size)
            n += 1
        return n


cdef inline const unsigned char* _read(
    Texts texts, Py_ssize_t k, const unsigned char** end
) except? NULL:
    """Return the first byte of text ``k``, and set ``end``."""
    texts.is_empty(k)  # raises IndexError
    cdef const unsigned char* at = texts.data + texts.piece[k].begin
    end[0] = at + texts.piece[k].size
    return at


cdef inline bint _next_word(
    const unsigned char** begin, const unsigned char** at, const unsigned char* end
) noexcept:
    """Find the next word of a lower-case text from ``at`` on; move ``at`` to its end."""
    cdef const unsigned char* k = at[0]
    cdef int size = 0
    while k < end and not size:
        size = _letter_size(k, end)
        k += 0 if size else 1
    begin[0] = k
    while size:
        k += size
        size = _letter_size(k, end) if k < end else 0
    at[0] = k
    return k > begin[0]


cdef inline int _letter_size(const unsigned char* at, const unsigned char* end) noexcept:
    """Return the size in bytes of a lower-case word character (`core.words`); 0 for others."""
    cdef unsigned int first = at[0]
    cdef Py_UCS4 char
    if first < 0x80:
        return c"a" <= first <= c"z"
    if first < 0xC0 or blank_size(at, end):  # the middle of a character
        return 0
    if first < 0xE0:
        return 0 if <Py_UCS4> ((first & 0x1F) << 6 | at[1] & 0x3F) in "·»«©®" else 2
    if first < 0xF0:
        char = <Py_UCS4> ((first & 0x0F) << 12 | (at[1] & 0x3F) << 6 | at[2] & 0x3F)
        return 0 if char in "…•–—’‘“”→›‹™" else 3
    return 4


cdef struct Part:
    const unsigned char* at
    Py_ssize_t size


cdef const unsigned char* _first_chars(
    const unsigned char* at, const unsigned char* end
) noexcept:
    """Return the end of a name after at most `MAX_NAME_CHARS` characters."""
    cdef Py_ssize_t left = MAX_NAME_CHARS
    if end - at <= left:
        return end
    while at < end:
        if at[0] & 0xC0 != 0x80:
            if not left:
                break
            left -= 1
        at += 1
    return at


cdef bint _next_part(
    const unsigned char** at, const unsigned char* end, Part* found
) noexcept:
    """Find the next match of ``[A-Z]?[a-z]+|[A-Z]+`` and move ``at`` to its end."""
    cdef const unsigned char* k = at[0]
    while k < end and not c"a" <= k[0] | 0x20 <= c"z":
        k += 1
    found.at = k
    if k < end and not k[0] & 0x20:
        k += 1
        if k == end or not c"a" <= k[0] <= c"z":
            while k < end and c"A" <= k[0] <= c"Z":
                k += 1
            at[0], found.size = k, k - found.at
            return True
    while k < end and c"a" <= k[0] <= c"z":
        k += 1
    at[0], found.size = k, k - found.at
    return found.size > 0
