"""Twin of ``extractors/fusion/trees/forest.py``: trees as one flat array of steps.

A step says where to go by a comparison that is an index, not a branch: which way a row goes
cannot be foreseen, and a wrong guess of the processor costs more than the step. Values are added
in the order of the trees, as the Python expressions add them. The rows of a page go down
together: `page_trees`.
"""

from libc.math cimport exp
from libc.stdlib cimport free, malloc

from scrapy_webtext.compiled import in_python

#: What can be told apart by a number of two bytes, where rows lie in ``LANES``.
cdef enum:
    MAX_STEPS = 65_536
    MAX_FEATURES = 8_192


cdef class Walker:
    """The score of a row by a forest; with ``_tells_exits`` also whether an exit was taken."""

    def __cinit__(self, forest, bint tells_exits):
        cdef Py_ssize_t n_values = sum([len(tree.value) for tree in forest.trees])
        cdef Py_ssize_t number, k, value = 0
        cdef unsigned short begin
        self.features = len(forest.features)
        self.trees = len(forest.trees)
        self._tells_exits = tells_exits
        self.loops = _loops(forest)
        self.end = _steps(forest)
        self._held_steps = bytes(self.end * sizeof(Step))
        self._held_values = bytes(max(1, n_values) * sizeof(double))
        self._held_first = bytes(max(1, self.trees) * sizeof(int))
        self._held_exits = bytes(max(1, self.trees) * EXIT_FIELDS * sizeof(double))
        self.steps = <Step*> <char*> self._held_steps
        self.values = <double*> <char*> self._held_values
        self.first = <int*> <char*> self._held_first
        self.exits = <double*> <char*> self._held_exits
        for k in range(self.loops):
            self.steps[k].child[0] = self.steps[k].child[1] = <unsigned short> k
        cdef Py_ssize_t step = self.loops + self.trees
        for number, tree in enumerate(forest.trees):
            # A tree of one leaf has no step: it begins at that leaf.
            begin = <unsigned short> step if len(tree.feature) else 0
            self.steps[self.loops + number].child[0] = self.steps[self.loops + number].child[1] = begin
            self.first[number] = value
            for k in range(len(tree.feature)):
                self.steps[step + k].at = _in_range(tree.feature[k], 0, self.features)
                self.steps[step + k].threshold = tree.threshold[k]
                self.steps[step + k].child[0] = _place(tree, tree.left[k], k, step)
                self.steps[step + k].child[1] = _place(tree, tree.right[k], k, step)
            for k in range(len(tree.value)):
                self.values[value + k] = tree.value[k]
            step += len(tree.feature)
            value += len(tree.value)
        for exit_ in forest.exits:
            number = exit_.trees - 1
            if 0 <= number < self.trees:
                self.exits[number * EXIT_FIELDS] = 1
                for k in range(1, EXIT_FIELDS):
                    self.exits[number * EXIT_FIELDS + k] = exit_[k]

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
        for number in range(self.trees):
            k = self.steps[self.loops + number].child[0]
            while k >= self.loops:
                step = &self.steps[k]
                k = step.child[not row[step.at] <= step.threshold]
            score += self.values[self.first[number] + k]
            out = &self.exits[number * EXIT_FIELDS]
            if out[0] != 0:
                if score < out[1]:
                    is_exit[0] = True
                    return score + out[3]
                if score > out[2]:
                    is_exit[0] = True
                    return score + out[4]
        return score

    cdef int next_exit(self, int tree) noexcept nogil:
        """Return the number of trees up to the next exit behind a tree, or of all."""
        while tree < self.trees:
            tree += 1
            if self.exits[(tree - 1) * EXIT_FIELDS] != 0:
                break
        return tree


cdef Py_ssize_t _loops(forest) except -1:
    """Return the number of steps that stand for leaves, a power of two."""
    cdef Py_ssize_t most = max([len(tree.value) for tree in forest.trees], default=1), loops = 1
    while loops < most:
        loops *= 2
    return loops


cdef Py_ssize_t _steps(forest) except -1:
    """Return the number of all steps."""
    return _loops(forest) + len(forest.trees) + sum([len(tree.feature) for tree in forest.trees])


cdef int _in_range(Py_ssize_t number, Py_ssize_t low, Py_ssize_t end) except -1:
    if not low <= number < end:
        raise IndexError(number)
    return <int> number


cdef object _place(tree, Py_ssize_t child, Py_ssize_t k, Py_ssize_t step):
    """Return where a child of the k-th step lies; a step has to come after its parent."""
    if child < 0:
        return _in_range(~child, 0, len(tree.value))
    return step + _in_range(child, k + 1, len(tree.feature))


def _compile(forest, at_exit, at_end):
    from scrapy_webtext.extractors.fusion.trees.forest import _expression, _number

    for tree in forest.trees:
        _expression(tree)  # raises where a tree is too deep or has a number that is none
    for exit_ in forest.exits:
        for value in exit_[1:]:
            _number(value)
    if _steps(forest) > MAX_STEPS or len(forest.features) > MAX_FEATURES:
        return in_python("extractors.fusion.trees.forest._compile")(forest, at_exit, at_end)
    return Walker(forest, ", " in at_exit)


def probabilities(self, rows, number):
    from scrapy_webtext.extractors.fusion.trees.forest import MAX_ROWS

    if number > MAX_ROWS:
        return in_python("extractors.fusion.trees.forest.Forest.probabilities")(self, rows, number)
    return [logistic(self.score(row)) for row in rows]


cpdef double logistic(double score):
    if score < -700:
        return 0.0
    return 1.0 / (1.0 + exp(-score))
