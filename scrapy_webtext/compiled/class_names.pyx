"""Twin of ``extractors/fusion/features/class_names.py``: the scores of names, with few objects in its memory.

Most names say nothing; all these share one answer. The memory is emptied when it is full, as that
of ``cached.py`` is.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE

from scrapy_webtext.compiled import in_python
from scrapy_webtext.extractors.fusion.features import class_names as python

cdef tuple _NOTHING = (0.0, 0.0, {})


@cython.final
cdef class Scorer:
    """What the names of one element say: lowest and highest score, and weights."""

    cdef dict _table, _names, _elements
    # The tokens that have weights are numbered: per element the numbers of its tokens, one after
    # the other as C has them, per number the weight. A page looks at far less memory so.
    cdef dict _numbers, _numbered
    cdef list _weights
    cdef Py_ssize_t _max_names, _max_elements, _names_read

    def __cinit__(self, dict table):
        self._table, self._names, self._elements = table, {}, {}
        weights = {token: entry[1] for token, entry in table.items() if entry[1] is not None}
        self._numbers, self._weights = {token: k for k, token in enumerate(weights)}, list(weights.values())
        self._numbered = {}
        self._max_names, self._max_elements = python.MAX_CACHED_NAMES, python.MAX_CACHED_ELEMENTS
        self._names_read = python.MAX_CLASS_NAMES

    def __call__(self, str names not None):
        found = self._elements.get(names)
        if found is None:
            if len(self._elements) >= self._max_elements:
                self._elements.clear()
                self._numbered.clear()
            found = self._of_element(names)
            self._elements[names] = found
        return found

    cdef list weights(self, class_names):
        """Return the weights of the distinct tokens of these names."""
        cdef bytearray seen = bytearray(len(self._weights))
        cdef const int* numbers
        cdef list found = []
        cdef Py_ssize_t k
        for names in class_names:
            held = self._numbered.get(names)
            if held is None:
                held = self._numbers_of(names)
            numbers = <const int*> PyBytes_AS_STRING(<bytes> held)
            for k in range(PyBytes_GET_SIZE(<bytes> held) // <Py_ssize_t> sizeof(int)):
                if not seen[numbers[k]]:
                    seen[numbers[k]] = 1
                    found.append(self._weights[numbers[k]])
        return found

    cdef bytes _numbers_of(self, str names):
        cdef dict bag = (<tuple> self(names))[2]
        cdef bytes held = PyBytes_FromStringAndSize(NULL, len(bag) * sizeof(int))
        cdef int* numbers = <int*> PyBytes_AS_STRING(held)
        cdef Py_ssize_t k
        for k, token in enumerate(bag):
            numbers[k] = self._numbers[token]
        self._numbered[names] = held
        return held

    cdef tuple _of_element(self, str names):
        cdef list parts = names.split()
        cdef tuple own, found
        cdef Py_ssize_t k
        cdef double low = 0.0, high = 0.0
        cdef dict bag = None
        if len(parts) == 1:
            return self._of_name(<str> parts[0])
        for k in range(min(len(parts), self._names_read)):
            own = self._of_name(<str> parts[k])
            if <double> own[0] < low:
                low = own[0]
            if <double> own[1] > high:
                high = own[1]
            if own[2]:
                bag = {} if bag is None else bag
                bag.update(own[2])
        return _answer(low, high, bag)

    cdef tuple _of_name(self, str name):
        found = self._names.get(name)
        if found is None:
            if len(self._names) >= self._max_names:
                self._names.clear()
            found = self._score(name)
            self._names[name] = found
        return <tuple> found

    cdef tuple _score(self, str name):
        cdef double low = 0.0, high = 0.0, one
        cdef dict bag = None
        for token in python.tokens_of(name):
            known = self._table.get(token)
            if known is None:
                continue
            one = (<tuple> known)[0]
            if one < low:
                low = one
            elif one > high:
                high = one
            if (<tuple> known)[1] is not None:
                bag = {} if bag is None else bag
                bag[token] = (<tuple> known)[1]
        return _answer(low, high, bag)


cdef tuple _answer(double low, double high, dict bag):
    if bag is None:
        if low == 0.0 and high == 0.0:
            return _NOTHING
        bag = _NOTHING[2]
    return (low, high, bag)


def class_name_scorer(scores, weights=None):
    weights = weights or {}
    return Scorer({t: (scores.get(t, 0.0), weights.get(t)) for t in {**scores, **weights}})


def bag_weights(score, class_names):
    if type(score) is not Scorer:
        return in_python("extractors.fusion.features.class_names.bag_weights")(score, class_names)
    return (<Scorer> score).weights(class_names)


def tokens_of(str name not None):
    cdef Py_ssize_t k, begin = -1, n = len(name)
    cdef Py_UCS4 char
    cdef bint has_letter = False
    cdef list parts
    for k in range(n):
        char = name[k]
        if char > 127 or u"A" <= char <= u"Z":
            break
        has_letter = has_letter or u"a" <= char <= u"z"
    else:
        if has_letter:
            return _parts_of(name)
    parts = [part.lower() for part in python._PART.findall(name[:200])]
    return _tokens(parts)


cdef tuple _parts_of(str name):
    """Return the tokens of a name that is ASCII and has no upper case."""
    cdef Py_ssize_t k, begin = -1, n = min(len(name), 200)
    cdef Py_UCS4 char
    cdef list parts = []
    for k in range(n):
        char = name[k]
        if u"a" <= char <= u"z":
            if begin < 0:
                begin = k
        elif begin >= 0:
            parts.append(name[begin:k])
            begin = -1
    if begin >= 0:
        parts.append(name[begin:n])
    return _tokens(parts)


cdef tuple _tokens(list parts):
    cdef Py_ssize_t max_parts = python.MAX_PARTS, max_chars = python.MAX_CHARS
    if len(parts) > 1:
        return (*parts[:max_parts], "-".join(parts)[:max_chars])
    return tuple(parts)
