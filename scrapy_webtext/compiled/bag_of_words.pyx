"""Twin of ``extractors/fusion/features/bag_of_words.py``: words up to the last that is read."""

from cpython.bytearray cimport PyByteArray_AS_STRING

from scrapy_webtext.compiled.strings cimport is_blank
from scrapy_webtext.extractors.fusion.features import bag_of_words as python
from scrapy_webtext.extractors.fusion.features import short_texts

#: Per character, whether it parts words; white space beyond is told by `is_blank`.
cdef bytearray _parts = bytearray(max(short_texts._BLANKS) + 1)


cdef int _learn() except -1:
    cdef Py_ssize_t code
    for code in range(len(_parts)):
        _parts[code] = code in short_texts._BLANKS or is_blank(<Py_UCS4> code)
    return 0


_learn()


def _opening(table):
    cdef list text = table.texts.text, prose = table.texts.prose, words = []
    cdef Py_ssize_t k, most = python.OPENING_WORDS, chars = python.OPENING_CHARS
    for k in range(len(text)):
        if prose[k]:
            _add_words(words, (<str> text[k])[:chars].lower(), most)
            if len(words) >= most:
                break
    return words


cdef int _add_words(list words, str low, Py_ssize_t most) except -1:
    """Add the words of a text in lower case, until there are so many."""
    cdef Py_ssize_t k, begin = -1
    cdef unsigned int char, known = len(_parts)
    cdef const unsigned char* parts = <const unsigned char*> PyByteArray_AS_STRING(_parts)
    for k in range(len(low)):
        char = <Py_UCS4> low[k]
        if not (parts[char] if char < known else is_blank(char)):
            if begin < 0:
                begin = k
        elif begin >= 0:
            words.append(low[begin:k])
            if len(words) == most:
                return 0
            begin = -1
    if begin >= 0:
        words.append(low[begin:])
    return 0
