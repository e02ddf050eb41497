"""Twin of ``extractors/fusion/trees/forest.py``: trees as one flat array of steps.

A step says where to go by a comparison that is an index, not a branch: which way a row goes
cannot be foreseen, and a wrong guess of the processor costs more than the step. The rows of a page
go down a tree several at a time, so that none waits for the steps of another, and past the tests
of what is the same for the whole page, which are answered once. Values are added in the order of
the trees, as the Python expressions add them.
"""

from libc.math cimport exp
from libc.stdlib cimport free, malloc

from scrapy_webtext.compiled import in_python

#: After each tree: whether there is an exit, below, above, what is added below and above.
cdef enum:
    EXIT_FIELDS = 5

#: Rows that go down a tree together.
cdef enum:
    LANES = 16


cdef class Walker:
    """The score of a row by a forest; with ``_tells_exits`` also whether an exit was taken."""

    def __cinit__(self, forest, bint tells_exits):
        cdef Py_ssize_t n_steps = sum([len(tree.feature) for tree in forest.trees])
        cdef Py_ssize_t n_values = sum([len(tree.value) for tree in forest.trees])
        cdef Py_ssize_t number, k, step, value = 0
        self.features = len(forest.features)
        self._trees = len(forest.trees)
        self._tells_exits = tells_exits
        self._loops = 1
        while self._loops < max([len(tree.value) for tree in forest.trees], default=1):
            self._loops *= 2
        step = self._loops
        self._end = step + n_steps
        self._held_steps = bytes(self._end * sizeof(Step))
        self._held_values = bytes(max(1, n_values) * sizeof(double))
        self._held_starts = bytes(max(1, self._trees) * sizeof(int))
        self._held_first = bytes(max(1, self._trees) * sizeof(int))
        self._held_exits = bytes(max(1, self._trees) * EXIT_FIELDS * sizeof(double))
        self._steps = <Step*> <char*> self._held_steps
        self._values = <double*> <char*> self._held_values
        self._starts = <int*> <char*> self._held_starts
        self._first = <int*> <char*> self._held_first
        self._exits = <double*> <char*> self._held_exits
        for k in range(self._loops):
            self._steps[k].child[0] = self._steps[k].child[1] = <int> k
        for number, tree in enumerate(forest.trees):
            # A tree of one leaf has no step: it begins at that leaf.
            self._starts[number] = step if len(tree.feature) else 0
            self._first[number] = value
            for k in range(len(tree.feature)):
                self._steps[step + k].feature = _in_range(tree.feature[k], 0, self.features)
                self._steps[step + k].threshold = tree.threshold[k]
                self._steps[step + k].child[0] = _place(tree, tree.left[k], k, step)
                self._steps[step + k].child[1] = _place(tree, tree.right[k], k, step)
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
            while k >= self._loops:
                step = &self._steps[k]
                k = step.child[not row[step.feature] <= step.threshold]
            score += self._values[self._first[number] + k]
            out = &self._exits[number * EXIT_FIELDS]
            if out[0] != 0:
                if score < out[1]:
                    is_exit[0] = True
                    return score + out[3]
                if score > out[2]:
                    is_exit[0] = True
                    return score + out[4]
        return score

    cdef int score_all(
        self, const double* rows, Py_ssize_t n, const double* constants, const char* is_constant, double* scores
    ) noexcept nogil:
        """Write the scores of ``n`` rows; return -1 without memory. Constant features lie in no row."""
        cdef Step* steps = <Step*> malloc(self._end * sizeof(Step))
        cdef int* resolved = <int*> malloc((self._end + self._trees + n) * sizeof(int))
        cdef int* starts = resolved + self._end
        cdef int* left = starts + self._trees
        cdef Py_ssize_t n_left = n, n_still, g, i
        cdef int tree = 0, end
        cdef const double* out
        if steps is NULL or resolved is NULL:
            free(steps)
            free(resolved)
            return -1
        self._prune(steps, resolved, starts, constants, is_constant)
        for i in range(n):
            left[i] = <int> i
            scores[i] = 0.0
        while tree < self._trees and n_left:
            end = tree
            while end < self._trees:
                end += 1
                if self._exits[(end - 1) * EXIT_FIELDS] != 0:
                    break
            g = 0
            while g < n_left:
                self._add_trees(steps, starts, tree, end, rows, left + g, min(LANES, n_left - g), scores)
                g += LANES
            out = &self._exits[(end - 1) * EXIT_FIELDS]
            tree = end
            if out[0] == 0:
                continue
            n_still = 0
            for g in range(n_left):
                i = left[g]
                if scores[i] < out[1]:
                    scores[i] += out[3]
                elif scores[i] > out[2]:
                    scores[i] += out[4]
                else:
                    left[n_still] = <int> i
                    n_still += 1
            n_left = n_still
        free(steps)
        free(resolved)
        return 0

    cdef void _prune(
        self, Step* steps, int* resolved, int* starts, const double* constants, const char* is_constant
    ) noexcept nogil:
        """Write the steps of all trees without tests of constants, and where the trees begin then.

        ``resolved`` has room for where each step leads to, if its test is answered, else itself.
        """
        cdef int k, side, taken
        cdef const Step* step
        cdef Step* own
        for k in range(self._loops):
            steps[k] = self._steps[k]
            resolved[k] = k
        # Children come after their parents: from the last step to the first, without branches.
        for k in range(self._end - 1, self._loops - 1, -1):
            step, own = &self._steps[k], &steps[k]
            own.threshold = step.threshold
            own.feature = step.feature
            for side in range(2):
                own.child[side] = resolved[step.child[side]]
            taken = own.child[not constants[step.feature] <= step.threshold]
            resolved[k] = taken if is_constant[step.feature] else k
        for k in range(self._trees):
            starts[k] = resolved[self._starts[k]]

    cdef void _add_trees(
        self, const Step* steps, const int* starts, int tree, int end,
        const double* rows, const int* left, Py_ssize_t n, double* scores
    ) noexcept nogil:
        """Add what these trees say of at most ``LANES`` rows to their scores."""
        cdef const double* row[LANES]
        cdef double score[LANES]
        cdef int place[LANES]
        cdef int number, lane, any_place
        cdef const Step* step
        cdef const double* values
        for lane in range(LANES):
            row[lane] = rows + left[min(lane, n - 1)] * <Py_ssize_t> self.features
            score[lane] = scores[left[min(lane, n - 1)]]
        for number in range(tree, end):
            any_place = starts[number]
            for lane in range(LANES):
                place[lane] = any_place
            while any_place >= self._loops:
                any_place = 0
                for lane in range(LANES):
                    step = &steps[place[lane]]
                    place[lane] = step.child[not row[lane][step.feature] <= step.threshold]
                    any_place |= place[lane]
            values = self._values + self._first[number]
            for lane in range(LANES):
                score[lane] += values[place[lane]]
        for lane in range(n):
            scores[left[lane]] = score[lane]


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
