"""Twin of ``extractors/fusion/prediction.py``: blocks go from columns to the trees without tuples."""

from cpython.array cimport array
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from libc.stdlib cimport calloc, free, malloc

from scrapy_webtext.compiled import in_python
from scrapy_webtext.compiled.forest cimport Walker


cdef inline double _number(object value) except? -1:
    if PyFloat_CheckExact(value):
        return PyFloat_AS_DOUBLE(value)
    if PyLong_CheckExact(value):
        return <double> <long long> value
    return value


cdef bint _is_of_doubles(column):
    return type(column) is array and column.typecode == "d"


def block_probabilities(forest, columns, constants):
    from scrapy_webtext.extractors.fusion.trees.forest import MAX_ROWS, logistic
    from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES

    cdef Py_ssize_t n = len(columns[BLOCK_FEATURES[0]]), width = len(forest.features), k, i, low
    if n > MAX_ROWS or type(forest.score) is not Walker:
        return in_python("extractors.fusion.prediction.block_probabilities")(forest, columns, constants)
    cdef Walker walker = forest.score
    cdef list held = [], column
    cdef const double* numbers
    cdef double* rows = <double*> malloc(max(1, n * width) * sizeof(double))
    cdef double* scores = <double*> malloc(max(1, n) * sizeof(double))
    cdef double* same = <double*> calloc(max(1, width), sizeof(double))
    cdef char* is_same = <char*> calloc(max(1, width), 1)
    cdef int failed
    try:
        if rows is NULL or scores is NULL or same is NULL or is_same is NULL:
            raise MemoryError
        for k, name in enumerate(forest.features):
            found = columns.get(name)
            if found is None:
                same[k], is_same[k] = constants[name], True
                held.append(None)
                continue
            if len(found) != n:
                raise ValueError(f"{name} has {len(found)} values, not {n}")
            held.append(found if type(found) is list or _is_of_doubles(found) else list(found))
        # A few rows at a time: what is written stays near.
        for low in range(0, n, 8):
            for k in range(width):
                if is_same[k]:
                    continue
                if type(held[k]) is array:
                    numbers = (<array> held[k]).data.as_doubles
                    for i in range(low, min(low + 8, n)):
                        rows[i * width + k] = numbers[i]
                    continue
                column = <list> held[k]
                for i in range(low, min(low + 8, n)):
                    rows[i * width + k] = _number(column[i])
        with nogil:
            failed = walker.score_all(rows, n, same, is_same, scores)
        if failed:
            raise MemoryError
        return [logistic(scores[i]) for i in range(n)]
    finally:
        free(rows)
        free(scores)
        free(same)
        free(is_same)
