"""Twin of ``extractors/wffte/findings.py``: candidates made of their rows, most have one."""

from math import fsum

from scrapy_webtext.compiled import in_python

from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.untracked cimport untracked


def held_runs(list owner not None, rows):
    if min(rows, default=0) < 0:
        return in_python("extractors.wffte.findings.held_runs")(owner, rows)
    cdef bytearray is_held = bytearray(max(rows, default=-1) + 1)
    cdef list runs = untracked([])
    cdef Py_ssize_t k, row, end = len(is_held)
    for row in rows:
        is_held[row] = 1
    for k in range(len(owner)):
        row = owner[k]
        if 0 <= row < end and is_held[row]:
            runs.append(number(k))
    return runs


def merged(held, dict support not None, list groups not None):
    from scrapy_webtext.extractors.wffte.findings import Candidate

    cdef list chars = held.content.chars, punctuation = held.content.punctuation
    cdef list found = [], rows
    cdef Py_ssize_t k, row
    make = tuple.__new__
    for k in range(len(groups)):
        rows = groups[k]
        row = rows[0]
        if len(rows) == 1:
            values = (row,), support[row], chars[row], punctuation[row]
        else:
            summed = fsum([support[row] for row in rows])
            values = tuple(rows), summed, _sum(chars, rows), _sum(punctuation, rows)
        found.append(make(Candidate, values))
    return found


cdef Py_ssize_t _sum(list column, list rows):
    cdef Py_ssize_t k, total = 0
    for k in range(len(rows)):
        total += <Py_ssize_t> column[<Py_ssize_t> rows[k]]
    return total
