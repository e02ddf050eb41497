"""Twin of ``extractors/naive_bayes/odds.py``: blocks to levels, and these to odds that are known."""

cdef enum:
    #: Levels of a block, `LEVEL_COUNTS` multiplied.
    CELLS = 6 * 4 * 3 * 3
    TABLES = 64

#: Odds -> those of all levels, None where they were not asked for yet; models are few.
cdef dict _tables = {}


cdef list _table(odds):
    found = _tables.get(odds)
    if found is None:
        if len(_tables) >= TABLES:
            _tables.clear()
        found = [None] * CELLS
        _tables[odds] = found
    return <list> found


cdef Py_ssize_t _link_ratio(Py_ssize_t chars, Py_ssize_t links) noexcept:
    if 2 * links < chars:
        return 0 if 10 * links < chars else 1
    return 2 if 5 * links <= 4 * chars else 3


cdef Py_ssize_t _punctuation_ratio(Py_ssize_t marks, Py_ssize_t links) noexcept:
    if not marks or 50 * marks < links:
        return 0
    return 1 if 10 * marks <= links else 2


def log_odds(odds, list blocks not None):
    from scrapy_webtext.extractors.naive_bayes.levels import Levels

    cdef list table = _table(odds), found = []
    cdef tuple counts
    cdef Py_ssize_t k, cell, chars, links, marks, paragraphs, a, b, c, d
    for k in range(len(blocks)):
        counts = <tuple> (<tuple> blocks[k])[1]
        chars, links, marks, paragraphs = counts[0], counts[1], counts[2], counts[3]
        a = min((chars - links) // 20, 5)
        b, c = _link_ratio(chars, links), _punctuation_ratio(marks, links)
        d = min((paragraphs + 2) // 3, 2)
        cell = ((a * 4 + b) * 3 + c) * 3 + d
        value = table[cell]
        if value is None:
            value = odds.of(Levels(a, b, c, d))
            table[cell] = value
        found.append(value)
    return found
