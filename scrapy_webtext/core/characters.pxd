"""Tests of characters in strings and in UTF-8; compiled into each module that uses them."""

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    const unsigned char* PyUnicode_1BYTE_DATA(object text)
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, const void* data, Py_ssize_t place)

cdef extern from *:
    bint Py_UNICODE_ISSPACE(Py_UCS4 char) noexcept

ctypedef fused Char:
    unsigned char
    unsigned short
    unsigned int

cdef enum:
    #: For texts with fewer bytes, testing whether they are folded is not worth its time.
    WIDE = 16
    #: Number of bytes whose counts surely fit into one byte.
    AT_ONCE = 192

#: A function that counts something in ``n`` bytes, at most `AT_ONCE`.
ctypedef unsigned char (*Counter)(const unsigned char* at, Py_ssize_t n) noexcept nogil


cdef inline bint is_blank(Py_UCS4 char) noexcept:
    """Return whether a character is white space; for most characters without a call."""
    if char < 0x80 or 0x1680 <= <unsigned int> char <= 0x3000:
        return Py_UNICODE_ISSPACE(char)
    return char == 0x85 or char == 0xA0


cdef inline int blank_size(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Return the size in bytes of the white space character (str.isspace) at ``at``; 0 if none."""
    cdef unsigned char first = at[0]
    if first < 0x80:
        return first == 0x20 or 0x09 <= first <= 0x0D or 0x1C <= first <= 0x1F
    if first == 0xC2:
        return 2 if end - at > 1 and (at[1] == 0x85 or at[1] == 0xA0) else 0
    if not 0xE1 <= first <= 0xE3 or end - at < 3:
        return 0
    if first == 0xE1:  # U+1680
        return 3 if at[1] == 0x9A and at[2] == 0x80 else 0
    if first == 0xE3:  # U+3000
        return 3 if at[1] == 0x80 and at[2] == 0x80 else 0
    if at[1] == 0x81:  # U+205F
        return 3 if at[2] == 0x9F else 0
    # U+2000 to U+200A, U+2028, U+2029, U+202F
    if at[1] == 0x80 and (at[2] <= 0x8A or at[2] == 0xA8 or at[2] == 0xA9 or at[2] == 0xAF):
        return 3
    return 0


cdef inline const unsigned char* last_char(
    const unsigned char* begin, const unsigned char* end
) noexcept nogil:
    """Return the start of the last character of a non-empty text."""
    end -= 1
    while end > begin and end[0] & 0xC0 == 0x80:
        end -= 1
    return end


cdef inline const unsigned char* after_blanks(
    const unsigned char* at, const unsigned char* end
) noexcept nogil:
    """Return the end of the white space at the beginning of a text."""
    cdef int blank
    while at < end:
        blank = blank_size(at, end)
        if not blank:
            break
        at += blank
    return at


cdef inline void trim(const unsigned char** begin, const unsigned char** end) noexcept nogil:
    """Move ``begin`` and ``end`` past the white space at both ends of a text."""
    cdef const unsigned char* last
    begin[0] = after_blanks(begin[0], end[0])
    while end[0] > begin[0]:
        last = last_char(begin[0], end[0])
        if not blank_size(last, end[0]):
            break
        end[0] = last


cdef inline bint is_folded(const unsigned char* at, Py_ssize_t n) noexcept nogil:
    """Return whether the only white space in a trimmed text is single spaces.

    The result may be False by mistake, as for short texts. C compilers vectorize this loop.
    """
    cdef unsigned char other, a, b, c
    cdef Py_ssize_t k
    if n < WIDE:
        return False
    other = at[n - 2] < 0x20
    for k in range(n - 2):
        a, b, c = at[k], at[k + 1], at[k + 2]
        other |= (
            (a < 0x20)
            | ((a == 0x20) & (b == 0x20))
            | ((a == 0xC2) & ((b == 0x85) | (b == 0xA0)))
            | ((a == 0xE1) & (b == 0x9A))
            | ((a == 0xE2) & (b == 0x80) & ((c <= 0x8A) | (c & 0xF8 == 0xA8)))
            | ((a == 0xE2) & (b == 0x81))
            | ((a == 0xE3) & (b == 0x80) & (c == 0x80))
        )
    return not other


cdef inline Py_ssize_t counted(const unsigned char* at, Py_ssize_t n, Counter counter) noexcept nogil:
    """Return the sum of ``counter`` over parts of at most `AT_ONCE` bytes."""
    cdef Py_ssize_t found = 0
    while n >= AT_ONCE:
        found += counter(at, AT_ONCE)
        at, n = at + AT_ONCE, n - AT_ONCE
    return found + counter(at, n)


cdef inline unsigned char _characters(const unsigned char* at, Py_ssize_t n) noexcept nogil:
    cdef unsigned char found = 0
    cdef Py_ssize_t k
    for k in range(n):
        found += at[k] & 0xC0 != 0x80
    return found


cdef inline Py_ssize_t characters(const unsigned char* at, Py_ssize_t n) noexcept nogil:
    """Count the characters of a UTF-8 text."""
    return counted(at, n, _characters)
