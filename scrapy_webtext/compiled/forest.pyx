"""Twin of ``extractors/fusion/trees/forest.py``: trees as one flat array of steps, walked row by row.

A step says where to go by a comparison that is an index, not a branch: which way a row goes
cannot be foreseen, and a wrong guess of the processor costs more than the step. Values are added
in the order of the trees, as the Python expressions add them.
"""

from libc.math cimport exp
from libc.stdlib cimport free, malloc

from scrapy_webtext.compiled import in_python

#: After each tree: whether there is an exit, below, above, what is added below and above.
cdef enum:
    EXIT_FIELDS = 5


cdef class Walker:
    """The score of a row by a forest; with ``_tells_exits`` also whether an exit was taken."""

    def __cinit__(self, forest, bint tells_exits):
        cdef Py_ssize_t n_steps = sum([len(tree.feature) for tree in forest.trees])
        cdef Py_ssize_t n_values = sum([len(tree.value) for tree in forest.trees])
        cdef Py_ssize_t number, k, step = 0, value = 0
        self.features = len(forest.features)
        self._trees = len(forest.trees)
        self._tells_exits = tells_exits
        self._held_steps = bytes(max(1, n_steps) * sizeof(Step))
        self._held_values = bytes(max(1, n_values) * sizeof(double))
        self._held_starts = bytes(max(1, self._trees) * sizeof(int))
        self._held_exits = bytes(max(1, self._trees) * EXIT_FIELDS * sizeof(double))
        self._steps = <Step*> <char*> self._held_steps
        self._values = <double*> <char*> self._held_values
        self._starts = <int*> <char*> self._held_starts
        self._exits = <double*> <char*> self._held_exits
        for number, tree in enumerate(forest.trees):
            # A tree of one leaf has no step: it begins at that leaf.
            self._starts[number] = step if len(tree.feature) else ~value
            for k in range(len(tree.feature)):
                self._steps[step + k].feature = _in_range(tree.feature[k], 0, self.features)
                self._steps[step + k].threshold = tree.threshold[k]
                self._steps[step + k].child[0] = _distance(tree, tree.left[k], k, step, value)
                self._steps[step + k].child[1] = _distance(tree, tree.right[k], k, step, value)
            for k in range(len(tree.value)):
                self._values[value + k] = tree.value[k]
            step += len(tree.feature)
            value += len(tree.value)
        for exit_ in forest.exits:
            number = exit_.trees - 1
            if 0 <= number < self._trees:
                self._exits[number * EXIT_FIELDS] = 1
                for k in range(1, EXIT_FIELDS):
                    self._exits[number * EXIT_FIELDS + k] = exit_[k]

    def __call__(self, row):
        cdef bint is_exit = False
        cdef double score
        cdef Py_ssize_t k
        values = list(row)
        if len(values) != self.features:
            raise ValueError(f"expected {self.features} values, got {len(values)}")
        cdef double* numbers = <double*> malloc(max(1, self.features) * sizeof(double))
        if numbers is NULL:
            raise MemoryError
        try:
            for k in range(self.features):
                numbers[k] = values[k]
            score = self.walk(numbers, &is_exit)
        finally:
            free(numbers)
        return (score, bool(is_exit)) if self._tells_exits else score

    cdef double walk(self, const double* row, bint* is_exit) noexcept nogil:
        cdef double score = 0.0
        cdef const double* out
        cdef const Step* step
        cdef int number, k
        for number in range(self._trees):
            k = self._starts[number]
            while k >= 0:
                step = &self._steps[k]
                k = step.child[not row[step.feature] <= step.threshold]
            score += self._values[~k]
            out = &self._exits[number * EXIT_FIELDS]
            if out[0] != 0:
                if score < out[1]:
                    is_exit[0] = True
                    return score + out[3]
                if score > out[2]:
                    is_exit[0] = True
                    return score + out[4]
        return score


cdef int _in_range(Py_ssize_t number, Py_ssize_t low, Py_ssize_t end) except -1:
    if not low <= number < end:
        raise IndexError(number)
    return <int> number


cdef object _distance(tree, Py_ssize_t child, Py_ssize_t k, Py_ssize_t step, Py_ssize_t value):
    """Return where a child of the k-th step lies in the arrays; it has to come after its parent."""
    if child < 0:
        return ~(value + _in_range(~child, 0, len(tree.value)))
    return step + _in_range(child, k + 1, len(tree.feature))


def _compile(forest, at_exit, at_end):
    from scrapy_webtext.extractors.fusion.trees.forest import _expression, _number

    for tree in forest.trees:
        _expression(tree)  # raises where a tree is too deep or has a number that is none
    for exit_ in forest.exits:
        for value in exit_[1:]:
            _number(value)
    return Walker(forest, ", " in at_exit)


def probabilities(self, rows, number):
    from scrapy_webtext.extractors.fusion.trees.forest import MAX_ROWS

    if number > MAX_ROWS:
        return in_python("extractors.fusion.trees.forest.Forest.probabilities")(self, rows, number)
    return [logistic(self.score(row)) for row in rows]


def logistic(double score):
    if score < -700:
        return 0.0
    return 1.0 / (1.0 + exp(-score))
