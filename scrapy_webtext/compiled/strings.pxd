"""Questions about texts that many twins ask; compiled into each."""

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    const unsigned char* PyUnicode_1BYTE_DATA(object text)

cdef extern from *:
    bint Py_UNICODE_ISSPACE(Py_UCS4 char) noexcept

ctypedef fused Char:
    unsigned char
    unsigned short
    unsigned int


cdef inline bint is_blank(Py_UCS4 char) noexcept:
    """Whether a character is white space; most that are not are told without a call."""
    if char < 0x80 or 0x1680 <= <unsigned int> char <= 0x3000:
        return Py_UNICODE_ISSPACE(char)
    return char == 0x85 or char == 0xA0
