"""Twin of ``extractors/bte/tokens.py``: words of the runs that are read, and tags by their names."""

from cpython.array cimport array

from scrapy_webtext.compiled.integers cimport as_integers, integer_at
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.untracked cimport untracked
from scrapy_webtext.compiled.words cimport blank, words_in

#: Bits of a tag, in the order of the sets that `_kinds` is made of.
cdef enum Kind:
    IS_VOID = 1
    IS_NAMELESS = 2

cdef Kinds _kinds = None


def run_words(page, words, segment_chars, hidden):
    cdef array owner = as_integers(page.runs.node)
    cdef list texts = page.runs.text, counts = untracked([])
    cdef bytearray mask = page.hidden
    cdef bint is_skipped = hidden == "skipped", has_segments = words == "segments"
    cdef Py_ssize_t k
    for k in range(len(texts)):
        if is_skipped and mask[integer_at(owner, k)]:
            counts.append(number(0))
        elif has_segments:
            counts.append(number(words_in(<str> texts[k], segment_chars)))
        else:
            counts.append(number(blank.count_in(<str> texts[k]) + 1))
    return counts


def count_tags(page):
    global _kinds
    from scrapy_webtext.page import tags

    if _kinds is None:
        _kinds = Kinds(tags.VOID, frozenset({""}))
    cdef Nodes nodes = stored_nodes(page.nodes)
    cdef bytearray kinds = nodes.kinds(_kinds)
    cdef Py_ssize_t i, found = 0
    cdef int kind
    for i in range(nodes.count):
        kind = kinds[nodes.name[i]]
        if not kind & IS_NAMELESS:
            found += 1 if kind & IS_VOID else 2
    return found
