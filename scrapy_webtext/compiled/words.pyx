"""Twin of ``page/words.py``: texts that surely have spaces between words are told by one scan."""

from cpython.unicode cimport PyUnicode_1BYTE_KIND, PyUnicode_KIND

from scrapy_webtext.compiled import in_python

from scrapy_webtext.compiled.marks cimport Marks

cdef Marks blank = Marks(" ")


cdef bint may_be_unspaced(str text):
    """Whether a text has a character of a range that scripts without spaces are in."""
    cdef Py_ssize_t k
    cdef unsigned int char
    if PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND:
        return False
    for k in range(len(text)):
        char = <unsigned int> <Py_UCS4> text[k]
        if char >= 0x0E00 and (
            char < 0x1800
            or 0x3000 <= char < 0xA000
            or 0xF900 <= char < 0xFB00
            or 0xFE30 <= char < 0x10000
            or char >= 0x20000
        ):
            return True
    return False


def has_unspaced(str text not None):
    return may_be_unspaced(text) and in_python("page.words.has_unspaced")(text)


def count_words(str text not None, unspaced_chars):
    return words_in(text, unspaced_chars)


cdef Py_ssize_t words_in(str text, unspaced_chars) except -1:
    if not text:
        return 0
    if may_be_unspaced(text):
        return in_python("page.words.count_words")(text, unspaced_chars)
    return blank.count_in(text) + 1
