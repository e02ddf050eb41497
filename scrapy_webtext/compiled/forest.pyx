"""Twin of ``extractors/fusion/trees/forest.py``: trees as one flat array of steps.

A step says where to go by a comparison that is an index, not a branch: which way a row goes
cannot be foreseen, and a wrong guess of the processor costs more than the step. Values are added
in the order of the trees, as the Python expressions add them. The rows of a page are scored
together: `page_trees`.
"""

from libc.math cimport exp
from libc.stdlib cimport free, malloc

from scrapy_webtext.compiled import in_python
from scrapy_webtext.compiled.leaf_masks cimport MAX_LEAVES
from scrapy_webtext.core.memory cimport zeros

cdef enum:
    #: What a number of two bytes has room for: trees, features with `LANES` (8) values each, and
    #: steps or leaves of a tree, one of them below 0.
    MAX_TREES = 65_535
    MAX_FEATURES = 8_192
    MAX_STEPS = 32_767


cdef class Walker:
    """The score of a row by a forest; with ``_tells_exits`` also whether an exit was taken."""

    def __cinit__(self, forest, bint tells_exits):
        cdef Py_ssize_t steps = sum([len(tree.feature) for tree in forest.trees])
        cdef Py_ssize_t n_values = sum([len(tree.value) for tree in forest.trees])
        cdef Py_ssize_t number, k, n, step = 0, value = 0
        self.features = len(forest.features)
        self.trees = len(forest.trees)
        self._tells_exits = tells_exits
        self.has_leaf_bits = _have_leaf_bits(forest.trees)
        self._held = []
        self.steps = <Step*> zeros(self._held, steps * sizeof(Step))
        self.values = <double*> zeros(self._held, n_values * sizeof(double))
        self.places = <TreePlace*> zeros(self._held, self.trees * sizeof(TreePlace))
        self.exits = <double*> zeros(self._held, self.trees * EXIT_FIELDS * sizeof(double))
        for number, tree in enumerate(forest.trees):
            n = len(tree.feature)
            # A tree of one leaf has no step: it begins at that leaf.
            self.places[number] = TreePlace(<int> step, <int> value, 0 if n else ~0)
            for k in range(n):
                self.steps[step + k].at = _in_range(tree.feature[k], 0, self.features)
                self.steps[step + k].threshold = tree.threshold[k]
                self.steps[step + k].child[0] = _child(tree, tree.left[k], k)
                self.steps[step + k].child[1] = _child(tree, tree.right[k], k)
            for k in range(len(tree.value)):
                self.values[value + k] = tree.value[k]
            step += n
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
        cdef const TreePlace* place
        cdef const Step* step
        cdef int number, k
        for number in range(self.trees):
            place = &self.places[number]
            k = place.begin
            while k >= 0:
                step = &self.steps[place.step + k]
                k = step.child[not row[step.at] <= step.threshold]
            score += self.values[place.value + ~k]
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


cdef bint _have_leaf_bits(trees) except -1:
    """Whether the leaves of each tree have a bit each, and every test and leaf has one parent."""
    cdef Py_ssize_t leaves, tests
    for tree in trees:
        leaves, tests = len(tree.value), len(tree.feature)
        if leaves > MAX_LEAVES:
            return False
        if tests and sorted([*tree.left, *tree.right]) != [*range(-leaves, 0), *range(1, tests)]:
            return False
    return True


cdef int _in_range(Py_ssize_t number, Py_ssize_t low, Py_ssize_t end) except -1:
    if not low <= number < end:
        raise IndexError(number)
    return <int> number


cdef short _child(tree, Py_ssize_t child, Py_ssize_t k) except 0:
    """Return a child of the k-th step of a tree as it was checked; a step has to come after its parent."""
    if child < 0:
        return <short> ~_in_range(~child, 0, len(tree.value))
    return <short> _in_range(child, k + 1, len(tree.feature))


def _compile(forest, at_exit, at_end):
    from scrapy_webtext.extractors.fusion.trees.forest import _expression, _number

    for tree in forest.trees:
        _expression(tree)  # raises where a tree is too deep or has a number that is none
    for exit_ in forest.exits:
        for value in exit_[1:]:
            _number(value)
    if _is_too_large(forest):
        return in_python("extractors.fusion.trees.forest._compile")(forest, at_exit, at_end)
    return Walker(forest, ", " in at_exit)


cdef bint _is_too_large(forest) except -1:
    """Whether the numbers of a forest need more than two bytes."""
    most = max([max(len(tree.feature), len(tree.value)) for tree in forest.trees], default=0)
    return most > MAX_STEPS or len(forest.trees) > MAX_TREES or len(forest.features) > MAX_FEATURES


def probabilities(self, rows, number):
    from scrapy_webtext.extractors.fusion.trees.forest import MAX_ROWS

    if number > MAX_ROWS:
        return in_python("extractors.fusion.trees.forest.Forest.probabilities")(self, rows, number)
    return [logistic(self.score(row)) for row in rows]


cpdef double logistic(double score):
    if score < -700:
        return 0.0
    return 1.0 / (1.0 + exp(-score))
