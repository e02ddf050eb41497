"""Twin of ``extractors/fusion/prediction.py``: blocks go from columns to the trees without tuples."""

from libc.stdlib cimport free, malloc

from scrapy_webtext.compiled import in_python
from scrapy_webtext.compiled.forest cimport Walker


def block_probabilities(forest, columns, constants):
    from scrapy_webtext.extractors.fusion.trees.forest import MAX_ROWS, logistic
    from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES

    cdef Py_ssize_t n = len(columns[BLOCK_FEATURES[0]]), width = len(forest.features), k, i
    if n > MAX_ROWS or type(forest.score) is not Walker:
        return in_python("extractors.fusion.prediction.block_probabilities")(forest, columns, constants)
    cdef Walker walker = forest.score
    cdef double* rows = <double*> malloc(max(1, n * width) * sizeof(double))
    cdef double* scores = <double*> malloc(max(1, n) * sizeof(double))
    cdef double value
    cdef bint is_exit = False
    try:
        if rows is NULL or scores is NULL:
            raise MemoryError
        for k, name in enumerate(forest.features):
            if name not in columns:
                value = constants[name]
                for i in range(n):
                    rows[i * width + k] = value
                continue
            column = columns[name]
            if len(column) != n:
                raise ValueError(f"{name} has {len(column)} values, not {n}")
            if type(column) is list:
                for i in range(n):
                    rows[i * width + k] = (<list> column)[i]
            else:
                for i in range(n):
                    rows[i * width + k] = column[i]
        with nogil:
            for i in range(n):
                scores[i] = walker.walk(rows + i * width, &is_exit)
        return [logistic(scores[i]) for i in range(n)]
    finally:
        free(rows)
        free(scores)
