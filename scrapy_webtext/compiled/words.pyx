"""Twin of ``page/words.py``: texts that surely have spaces between words are told by one scan."""

from scrapy_webtext.compiled import in_python


cdef bint may_be_unspaced(str text):
    """Whether a text has a character of a range that scripts without spaces are in."""
    cdef Py_ssize_t k
    cdef unsigned int char
    for k in range(len(text)):
        char = <unsigned int> <Py_UCS4> text[k]
        if char >= 0x0E00 and not 0x1800 <= char < 0x3000:
            return True
    return False


def has_unspaced(str text not None):
    return may_be_unspaced(text) and in_python("page.words.has_unspaced")(text)


def count_words(str text not None, unspaced_chars):
    return words_in(text, unspaced_chars)


cdef Py_ssize_t words_in(str text, unspaced_chars) except -1:
    cdef Py_ssize_t k, blanks = 0
    if not text:
        return 0
    if may_be_unspaced(text):
        return in_python("page.words.count_words")(text, unspaced_chars)
    for k in range(len(text)):
        if text[k] == u" ":
            blanks += 1
    return blanks + 1
