"""Twin of ``extractors/wffte/content.py``: what the containers hold, added up run by run."""

from cpython.array cimport array

from scrapy_webtext.compiled.integers cimport as_integers, integer_at
from scrapy_webtext.compiled.marks cimport Marks
from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.untracked cimport untracked
from scrapy_webtext.compiled.words cimport words_in

cdef Marks _marks = None

#: The columns of `Content`, in their order.
cdef enum:
    CHARS
    WORDS
    LINK_WORDS
    PUNCTUATION
    FIRST
    SECOND
    COLUMNS


def read_content(page, owner, Py_ssize_t rows, segmenter, stop_words):
    global _marks
    from scrapy_webtext.extractors.wffte import content as python
    from scrapy_webtext.extractors.wffte.title import title_counts, title_words

    if _marks is None:
        _marks = Marks(python.MARKS)
    cdef array node = as_integers(page.runs.node)
    cdef list row_of = owner, texts = page.runs.text
    cdef list kept = [], lowered = [], first, second
    cdef bytearray is_link = page.is_link
    cdef bytearray room = bytearray(max(rows, 1) * COLUMNS * sizeof(Py_ssize_t))
    cdef Py_ssize_t* counts = <Py_ssize_t*> <char*> room
    cdef Py_ssize_t* own
    cdef Py_ssize_t i, k, row
    for k in range(len(texts)):
        row = row_of[k]
        if row >= rows:
            raise IndexError(row)
        if row >= 0:
            kept.append(number(k))
            lowered.append((<str> texts[k]).lower())
    candidates = title_words(python._titles(page, row_of), segmenter, stop_words)
    first, second = title_counts(candidates, lowered)
    for i in range(len(kept)):
        k = kept[i]
        text = <str> texts[k]
        own = counts + <Py_ssize_t> row_of[k] * COLUMNS
        own[CHARS] += len(<str> text)
        own[LINK_WORDS if is_link[integer_at(node, k)] else WORDS] += words_in(text, 1)
        own[PUNCTUATION] += _marks.count_in(text)
        own[FIRST] += <Py_ssize_t> first[i]
        own[SECOND] += <Py_ssize_t> second[i]
    return python.Content(*[_column(counts + k, rows) for k in range(COLUMNS)])


cdef list _column(const Py_ssize_t* first, Py_ssize_t rows):
    cdef Py_ssize_t row
    return untracked([number(first[row * COLUMNS]) for row in range(rows)])


def _summed(list values not None, list parents not None):
    cdef list sums = untracked(values[:])
    cdef Py_ssize_t row, up
    for row in range(len(sums) - 1, 0, -1):
        up = parents[row]
        if up > 0:
            sums[up] = number(<Py_ssize_t> sums[up] + <Py_ssize_t> sums[row])
    return sums
