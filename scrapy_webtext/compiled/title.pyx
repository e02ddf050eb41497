"""Twin of ``extractors/wffte/title.py``: the words of a page are looked at where they lie.

Strings are made of those alone that begin and end like a candidate and are as long. Scripts without spaces
are left to Python.
"""

cimport cython
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_KIND,
)

from scrapy_webtext.compiled import in_python

from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.strings cimport Char
from scrapy_webtext.compiled.words cimport may_be_unspaced

cdef enum:
    SLOTS = 512

#: Whether a regular expression's \\w matches a character, for the first 256.
cdef unsigned char _is_of_word[256]

cdef int _char
for _char in range(256):
    _is_of_word[_char] = chr(_char).isalnum() or _char == c"_"


cdef inline bint _goes_on(Py_UCS4 char) noexcept:
    """Whether a character is part of a word."""
    return _is_of_word[<unsigned int> char] if char < 256 else char.isalnum()


@cython.final
cdef class Counted:
    """How often texts say each of some words that are parted by spaces."""

    cdef dict _place
    cdef list _total, _said, _texts
    cdef unsigned long long _lengths[SLOTS]  # of words with one first and last letter, as bits

    def __cinit__(self, list words):
        cdef str word
        self._place = {word: k for k, word in enumerate(words)}
        self._total, self._said, self._texts = [0] * len(words), [], []
        for word in words:
            self._lengths[_slot(word[0], word[len(word) - 1])] |= _bit(len(word))

    cdef int add(self, str text, Py_ssize_t number_of_text) except -1:
        """Count the words of a text."""
        cdef Py_ssize_t n = len(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef int kind = PyUnicode_KIND(text)
        if kind == PyUnicode_1BYTE_KIND:
            return self._scan(<const unsigned char*> data, n, text, number_of_text)
        if not may_be_unspaced(text):
            if kind == PyUnicode_2BYTE_KIND:
                return self._scan(<const unsigned short*> data, n, text, number_of_text)
            return self._scan(<const unsigned int*> data, n, text, number_of_text)
        from scrapy_webtext.extractors.wffte.title import _spaced_words

        for word in _spaced_words(text):
            self._meet(word, number_of_text)
        return 0

    cdef int _scan(self, const Char* data, Py_ssize_t n, str text, Py_ssize_t of) except -1:
        cdef Py_ssize_t k = 0, begin
        while k < n:
            if not _goes_on(data[k]):
                k += 1
                continue
            begin = k
            while k < n and _goes_on(data[k]):
                k += 1
            if self._lengths[_slot(data[begin], data[k - 1])] & _bit(k - begin):
                self._meet(text[begin:k], of)
        return 0

    cdef int _meet(self, str word, Py_ssize_t of) except -1:
        place = self._place.get(word)
        if place is not None:
            self._total[<Py_ssize_t> place] += 1
            self._said.append(place)
            self._texts.append(number(of))
        return 0

    cdef list most_frequent(self):
        """Return the places of the two words that are said most often, as far as they are."""
        said = [k for k in range(len(self._total)) if self._total[k]]
        return sorted(said, key=lambda k: -self._total[k])[:2]

    cdef list column(self, place, Py_ssize_t texts):
        """Return how often each text says a word."""
        cdef list found = [number(0)] * texts
        cdef Py_ssize_t k, of
        for k in range(len(self._said)):
            if self._said[k] == place:
                of = self._texts[k]
                found[of] = number(<Py_ssize_t> found[of] + 1)
        return found


cdef inline unsigned int _slot(Py_UCS4 first, Py_UCS4 last) noexcept:
    return (31 * <unsigned int> first + <unsigned int> last) & (SLOTS - 1)


cdef inline unsigned long long _bit(Py_ssize_t length) noexcept:
    return 1ULL << (length if length < 63 else 63)


def title_words(texts, segmenter, stop_words="dropped"):
    from scrapy_webtext.extractors.wffte import title as python

    cdef dict words = {}
    cdef str lowered
    cdef Py_ssize_t least = python.MIN_LETTERS
    for text in texts:
        lowered = (<str?> text).lower()
        if may_be_unspaced(lowered):
            words.update(dict.fromkeys(python._words(lowered, segmenter)))
        else:
            _add_words(words, lowered, least)
    if stop_words != "dropped":
        return list(words)
    common = python.COMMON_WORDS
    return [word for word in words if word not in common]


cdef int _add_words(dict words, str text, Py_ssize_t least) except -1:
    """Add the words of a text that have so many letters."""
    cdef Py_ssize_t k, n = len(text), begin = 0
    for k in range(n + 1):
        if k < n and _goes_on(text[k]):
            continue
        if k - begin >= least:
            words[text[begin:k]] = None
        begin = k + 1
    return 0


def title_counts(candidates, texts):
    cdef list words = candidates, read = texts, columns
    cdef Counted counted
    cdef Py_ssize_t k
    for k in range(len(words)):
        if not words[k] or may_be_unspaced(<str?> words[k]):
            return in_python("extractors.wffte.title.title_counts")(candidates, texts)
    counted = Counted(words)
    for k in range(len(read)):
        counted.add(<str?> read[k], k)
    columns = [counted.column(place, len(read)) for place in counted.most_frequent()]
    columns += [[0] * len(read)] * (2 - len(columns))
    return tuple(columns)
