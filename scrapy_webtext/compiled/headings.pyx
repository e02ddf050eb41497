"""Twin of ``extractors/fusion/features/headings.py``: sections, and the headline by the title's words."""

from scrapy_webtext.compiled.doubles cimport column
from scrapy_webtext.compiled.strings cimport PyUnicode_1BYTE_DATA, PyUnicode_IS_ASCII


def add_headings(dict columns, page, texts):
    from scrapy_webtext.extractors.fusion.features.headings import _LEVELS, NO_HEADLINE

    cdef list tag = page.nodes.tag, node = texts.node, text = texts.text, chars = texts.chars
    cdef list density = texts.link_density, prose = texts.prose_sums
    cdef list unlinked_sums = texts.unlinked_sums, chars_sums = texts.chars_sums
    cdef dict levels = _LEVELS
    cdef bint is_unspaced = texts.is_unspaced
    cdef Py_ssize_t n = len(node), k, last = 0, begin, headline = -1, length, held
    cdef int level, current = 0
    cdef double rank, top = 0.0, share
    cdef double* since = column(columns, "since_heading", n)
    cdef double* heading_level = column(columns, "heading_level", n)
    cdef double* similarity = column(columns, "title_similarity", n)
    cdef double* from_headline = column(columns, "from_headline", n)
    cdef double* prose_from = column(columns, "prose_from_headline", n)
    cdef double* unlinked = column(columns, "section_unlinked", n)
    cdef double* blocks = column(columns, "section_blocks", n)
    cdef double* link_density = column(columns, "section_link_density", n)
    title = page.title.lower()
    cdef set title_words = set(title if is_unspaced else title.split())
    cdef unsigned long long marks = 0
    for word in title_words:
        marks |= _mark(<Py_UCS4> (<str> word)[0], <Py_UCS4> (<str> word)[len(<str> word) - 1], len(<str> word))
    for k in range(n):
        found = levels.get(<str> tag[<Py_ssize_t> node[k]])
        level = 0 if found is None else <int> found
        if level:
            current, last = level, k
        since[k] = k - last
        heading_level[k] = current
        similarity[k] = 0.0
        length = chars[k]
        if title_words and 8 <= length <= 250 and (level or <double> density[k] < 0.5):
            if is_unspaced or _may_share(<str> text[k], marks):
                similarity[k] = _similarity(<str> text[k], title_words, is_unspaced)
        rank = similarity[k] + (0.5 if level == 1 else 0.25 if level else 0.0)
        if headline < 0 or rank > top:
            top, headline = rank, k
    for k in range(n):
        from_headline[k] = k - headline if top >= 0.4 else <int> NO_HEADLINE
        prose_from[k] = <Py_ssize_t> prose[k] - <Py_ssize_t> prose[headline] if top >= 0.4 else -1
    begin = 0
    while begin < n:
        last = begin + 1
        while last < n and since[last] != 0:
            last += 1
        held = <Py_ssize_t> unlinked_sums[last] - <Py_ssize_t> unlinked_sums[begin]
        share = 1 - held / <double> ((<Py_ssize_t> chars_sums[last] - <Py_ssize_t> chars_sums[begin]) or 1)
        for k in range(begin, last):
            unlinked[k] = held
            blocks[k] = last - begin
            link_density[k] = share
        begin = last


cdef double _similarity(str text, set title_words, bint is_unspaced) except -1:
    low = text.lower()
    cdef set words = set(low if is_unspaced else low.split())
    cdef Py_ssize_t shared = 0
    for word in words:
        shared += word in title_words
    return shared / <double> (len(words) + len(title_words) - shared) if shared else 0.0


cdef inline unsigned long long _mark(unsigned int first, unsigned int last, Py_ssize_t n):
    """Return one bit of 64 for a word; equal words have equal bits."""
    return <unsigned long long> 1 << ((first * 31 + last * 7 + <unsigned int> n) & 63)


cdef bint _may_share(str text, unsigned long long marks):
    """Return whether a text has a word with one of these marks; True if it is not ASCII."""
    cdef const unsigned char* data
    cdef unsigned char char, first = 0, last = 0
    cdef Py_ssize_t k, n = len(text), begin = -1
    if not PyUnicode_IS_ASCII(text):
        return True
    data = PyUnicode_1BYTE_DATA(text)
    for k in range(n):
        char = data[k]
        if char <= 32 and (char == 32 or 9 <= char <= 13 or 28 <= char):
            if begin >= 0 and _mark(first, last, k - begin) & marks:
                return True
            begin = -1
            continue
        if 65 <= char <= 90:
            char += 32
        if begin < 0:
            begin, first = k, char
        last = char
    return begin >= 0 and _mark(first, last, n - begin) & marks != 0
