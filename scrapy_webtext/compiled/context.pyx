"""Twin of ``extractors/fusion/features/context.py``: sums over the blocks around a block, added in order."""

from libc.math cimport log


cdef double _surest = 0.0


def _log_odds(double p):
    global _surest
    if _surest == 0.0:
        from scrapy_webtext.extractors.fusion.features.context import SUREST

        _surest = SUREST
    if p < _surest:
        p = _surest
    elif p > 1 - _surest:
        p = 1 - _surest
    return log(p / (1 - p))


def _means(groups, held, words):
    return _means_of(list(groups), list(held), list(words))


cdef tuple _means_of(list groups, list held, list words):
    cdef dict places = {}
    cdef list sums = [], number = [], own = [], means = [], numbers = []
    cdef Py_ssize_t k, place
    for k in range(len(groups)):
        found = places.get(groups[k])
        if found is None:
            place = len(sums)
            places[groups[k]] = place
            sums.append(0.0)
            number.append(0)
        else:
            place = found
        own.append(place)
        sums[place] = <double> sums[place] + <double> held[k]
        number[place] = <Py_ssize_t> number[place] + <Py_ssize_t> words[k]
    for k in range(len(own)):
        place = own[k]
        means.append(<double> sums[place] / <double> <Py_ssize_t> number[place])
        numbers.append(number[place])
    return means, numbers


def _window(list held not None, list words not None, Py_ssize_t reach):
    cdef list found = []
    cdef Py_ssize_t n = len(words) - 1, k, a, z
    for k in range(n):
        a, z = max(0, k - reach), min(n, k + reach + 1)
        found.append(
            (<double> held[z] - <double> held[a])
            / <double> (<Py_ssize_t> words[z] - <Py_ssize_t> words[a])
        )
    return found


def _distances(blocks):
    from scrapy_webtext.extractors.fusion.features.context import ANCHOR, FAR

    cdef list first = list(blocks), found = []
    cdef double anchor = ANCHOR
    cdef Py_ssize_t far = FAR, distance = far, k
    for k in range(len(first)):
        distance = 0 if <double> first[k] >= anchor else min(distance + 1, far)
        found.append(distance)
    return found
