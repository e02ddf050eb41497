"""What the patterns of ``page/size_limits.py`` match, found by one scan of the source.

The pattern of a tag never has to try again what it has matched, so that a scan from left to right
finds the same. Tags too short to cost anything are passed over, several at once.
"""

cimport cython
from libc.math cimport INFINITY
from libc.string cimport memchr

from scrapy_webtext.core.distinct cimport DistinctTexts
from scrapy_webtext.core.characters cimport counted

#: As in ``page/size_limits.py``, which the tests of both hold together.
cdef enum:
    SMALL_SOURCE = 16_384
    MAX_ATTRIBUTES = 300
    MAX_NESTED = 1_000
    MAX_NESTED_CHARS = 20_000
    MAX_LONG = 8
    MAX_VALUES = 2_000
    COST_PER_CHAR = 10
    TOO_MANY = 1 << 30
    LEAST_CHARS = 600

#: How far behind the first of some short tags the end of all of them is looked for.
cdef enum:
    STRIDE = 400

#: How the attributes of a tag are counted, the cheapest way first; the others find no more.
cdef enum Exactness:
    SEPARATORS  # by what parts them, also in quotes
    REPEATED  # also those that are there before
    EXACT


@cython.final
cdef class Source:
    """Some HTML, byte by byte."""

    cdef bytes body
    cdef const unsigned char* char
    cdef Py_ssize_t length
    cdef Py_ssize_t _next_double, _next_single  #: quotes of each kind
    cdef Py_ssize_t _untried  #: from here on `short_end` may see an end

    def __cinit__(self, bytes body):
        self.body, self.char, self.length = body, body, len(body)

    cdef inline Py_ssize_t find(self, int char, Py_ssize_t i, Py_ssize_t n) noexcept:
        """Return where a character is next, n where nowhere."""
        cdef const void* found = memchr(self.char + i, char, n - i) if i < n else NULL
        return n if found is NULL else <const unsigned char*> found - self.char

    cdef Py_ssize_t value_end(self, Py_ssize_t i, Py_ssize_t n) noexcept:
        """Return where the value in quotes ends that stands behind a "=", i where none does."""
        cdef Py_ssize_t k = i
        while k < n and _is_space(self.char[k]):
            k += 1
        if k < n and (self.char[k] == c'"' or self.char[k] == c"'"):
            return self.find(self.char[k], k + 1, n) + 1
        return i

    cdef Py_ssize_t tag_end(self, Py_ssize_t i, Py_ssize_t n) noexcept:
        """Return where the tag ends that begins at i, as `_TAG` matches it in source[:n]."""
        cdef Py_ssize_t values = 0, k, close
        i += 2
        close = self.find(c'>', i, n)
        while True:
            i = self.find(c'=', i, close)
            if i == close or values == MAX_VALUES:
                return i
            values += 1
            i += 1
            k = self.value_end(i, n)
            if k <= n:  # else its quotes are not closed
                i = k
            if i > close:
                close = self.find(c'>', i, n)

    cdef void rewind(self) noexcept:
        """Begin to ask `short_end`, which is asked from left to right."""
        self._next_double = self._next_single = -1
        self._untried = 0

    cdef Py_ssize_t short_end(self, Py_ssize_t i) noexcept:
        """Return a place where all tags that begin from i on have ended, or i if none is seen.

        It is behind a ">" that is in no value, and so near that none of these tags costs anything.
        """
        cdef Py_ssize_t n = min(self.length, i + LEAST_CHARS), close
        if i >= self._untried:
            close = self.find(c'>', i + STRIDE, n)
            if close < n and not self._may_be_in_value(i, close):
                return close + 1
            self._untried = i + LEAST_CHARS - STRIDE
        return i

    cdef bint _may_be_in_value(self, Py_ssize_t i, Py_ssize_t k) noexcept:
        """Whether k may be in a value of a tag that begins from i on.

        Such a value begins with the last quotes of their kind before k.
        """
        if self._next_double < i:
            self._next_double = self.find(c'"', i, self.length)
        if self._next_single < i:
            self._next_single = self.find(c"'", i, self.length)
        return (self._next_double < k and self._begins_value(i, k, c'"')) or (
            self._next_single < k and self._begins_value(i, k, c"'")
        )

    cdef bint _begins_value(self, Py_ssize_t i, Py_ssize_t k, int quote) noexcept:
        """Whether the last such quotes before k stand behind a "="; there are some from i on."""
        k -= 1
        while self.char[k] != quote:
            k -= 1
        k -= 1
        while k > i and _is_space(self.char[k]):
            k -= 1
        return k > i and self.char[k] == c'='

    cdef Py_ssize_t attributes(self, Py_ssize_t i, Py_ssize_t n, DistinctTexts different) except -1:
        """Return the attributes of the tag source[i:n], `TOO_MANY` for too many values.

        Those that are repeated count each time; ``different`` gets them all, if it is given.
        """
        cdef Py_ssize_t k, begin = -1, values = 0, found = 0
        while i < n:
            if begin >= 0 and not _ends_name[self.char[i]]:
                i += 1
                continue
            if self.char[i] == c'=':
                values += 1
                k = self.value_end(i + 1, n)
                if k > i + 1:
                    if begin >= 0 and different is not None:
                        different.add(self.char + begin, i - begin)
                    begin, i = -1, k
                    continue
            if self.char[i] == c'/' or _is_space(self.char[i]):
                if begin >= 0 and different is not None:
                    different.add(self.char + begin, i - begin)
                begin = -1
            elif begin < 0:
                begin = i
                found += 1
            i += 1
        if begin >= 0 and different is not None:
            different.add(self.char + begin, n - begin)
        return found if values < MAX_VALUES else TOO_MANY

    cdef double tree_cost(self, Py_ssize_t i, Py_ssize_t n, Exactness exactness) except -1:
        """Return what the tag source[i:n] costs, or no less where the exact cost takes longer."""
        cdef Py_ssize_t found
        cdef DistinctTexts different
        if n - i <= LEAST_CHARS:
            return 0
        # At most so many, without a look at its quotes.
        found = 1 + counted(self.char + i, n - i, _separators)
        if found <= MAX_ATTRIBUTES:
            return 0
        if exactness == SEPARATORS:  # each "=" is one of them
            return _square(found) if found < MAX_VALUES else INFINITY
        found = self.attributes(i, n, None)
        if found == TOO_MANY:
            return INFINITY
        if exactness == REPEATED:
            return _square(found)
        different = DistinctTexts()
        self.attributes(i, n, different)
        return _square(different._count)


cdef inline double _square(Py_ssize_t attributes) noexcept:
    return <double> attributes * attributes if attributes > MAX_ATTRIBUTES else 0


cdef inline bint _is_space(unsigned char char) noexcept:
    return char == 0x20 or 0x09 <= char <= 0x0D


#: Which bytes may end a name.
cdef unsigned char _ends_name[256]
_ends_name[:] = [chr(k) in "=/ \t\n\v\f\r" for k in range(256)]


cdef inline unsigned char _separators(const unsigned char* char, Py_ssize_t n) noexcept nogil:
    """Return how many of some bytes may part attributes: sums of bytes, taken sixteen at a time."""
    cdef unsigned char found = 0
    cdef Py_ssize_t i
    for i in range(n):
        found += char[i] == 0x20
    for i in range(n):
        found += char[i] == c'/'
    for i in range(n):
        found += char[i] == c'='
    for i in range(n):
        found += <unsigned char> (char[i] - 0x09) < 5
    return found


cdef inline bint _is_letter(unsigned char char) noexcept:
    return c'a' <= (char | 32) <= c'z' and char < 128


def has_swollen_tag(bytes body not None):
    """Return whether tags of some HTML may have so many attributes that a tree would be costly."""
    if len(body) < SMALL_SOURCE:
        return False
    cdef Source own = Source(body)
    if own.find(0, 0, own.length) < own.length:
        own = Source(body.replace(b"\0", b""))
    return _is_costly(own, SEPARATORS) and _is_costly(own, REPEATED) and _is_costly(own, EXACT)


cdef bint _is_costly(Source own, Exactness exactness) except -1:
    """Whether the tags cost too much, counted like this."""
    cdef Py_ssize_t n = own.length, i = 0, end
    cdef Cost cost = Cost(COST_PER_CHAR * n, exactness)
    own.rewind()
    while True:
        i = own.find(c'<', i, n)
        if i + 1 >= n:
            return False
        end = own.short_end(i)
        if end == i:
            end = i + 1
            if _is_letter(own.char[end]):
                end = own.tag_end(i, n)
                if cost.is_too_high(own, i, end) or cost.is_too_high_inside(own, i, end):
                    return True
        i = end


@cython.final
cdef class Cost:
    """What is left of what tags with many attributes may cost."""

    cdef double _left
    cdef Py_ssize_t _nested, _long
    cdef Exactness _exactness

    def __cinit__(self, double left, Exactness exactness):
        self._left, self._exactness = left, exactness

    cdef bint is_too_high(self, Source own, Py_ssize_t i, Py_ssize_t end) except -1:
        self._left -= own.tree_cost(i, end, self._exactness)
        return self._left < 0

    cdef bint is_too_high_inside(self, Source own, Py_ssize_t i, Py_ssize_t end) except -1:
        """Count the tags that seem to begin in the tag at i."""
        cdef Py_ssize_t k = i + 1, inner
        while True:
            k = own.find(c'<', k, end)
            if k + 1 >= end:
                return False
            if _is_letter(own.char[k + 1]):
                inner = own.tag_end(k, min(own.length, k + MAX_NESTED_CHARS))
                if inner - k > LEAST_CHARS:
                    if inner == k + MAX_NESTED_CHARS:
                        self._long += 1
                        inner = own.tag_end(k, own.length)
                    if self._nested == MAX_NESTED or self._long > MAX_LONG:
                        return True
                    self._nested += 1
                    if self.is_too_high(own, k, inner):
                        return True
            k += 1
