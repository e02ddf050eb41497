"""Twin of ``extractors/bte/plateau.py``: the search for the one plateau."""


def best_plateau(words, tags_before):
    from scrapy_webtext.extractors.bte.plateau import Plateau

    cdef list counts = list(words), tags = list(tags_before)
    cdef Py_ssize_t k, n, before, first = -1, last = -1, gain = 0, start = -1, here = -1, seen = 0
    if len(counts) != len(tags):
        raise ValueError("words and tags_before differ in length")
    for k in range(len(counts)):
        n = counts[k]
        if not n:
            continue
        before = tags[k]
        here -= before - seen
        if here < 0:
            start, here = k, 0
        here += n
        seen = before
        if here > gain or (here == gain and start == first):
            first, last, gain = start, k, here
    return Plateau(first, last, gain)
