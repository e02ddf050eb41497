"""The trees of `forest` for the blocks of one page, which take their tests several at a time.

Tests of what is the same for the whole page are answered once. What is written for that is kept
from page to page: memory that is taken anew would be cold.
"""

from cpython.array cimport array
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from scrapy_webtext.compiled.forest cimport EXIT_FIELDS, logistic
from scrapy_webtext.compiled.leaf_masks cimport LANES, lowest, take_tests
from scrapy_webtext.core.memory cimport zeros


cdef class PageTrees:
    """The trees of a walker, for pages on which these features are constant: one byte per feature.

    Rows lie in tiles: ``LANES`` values of the first feature that is not constant, then of the next.
    """

    def __cinit__(self, Walker walker, trees, bytes is_constant not None):
        cdef Py_ssize_t tests = sum([len(tree.feature) for tree in trees])
        cdef Py_ssize_t k, leaf, leaves = sum([len(tree.value) for tree in trees])
        cdef const unsigned char* constant = is_constant
        cdef list at = [], parted, order
        cdef Test test
        if len(is_constant) != walker.features or len(trees) != walker.trees:
            raise ValueError(f"{len(is_constant)} features and {len(trees)} trees are of another forest")
        self._walker, self.is_constant, self._held = walker, is_constant, []
        for k in range(walker.features):
            # The value of a constant lies in the row of constants, of others in a tile.
            at.append(k if constant[k] else self._width * LANES)
            self._width += not constant[k]
        self._of_constants = <Test*> zeros(self._held, tests * sizeof(Test))
        self._of_rows = <Test*> zeros(self._held, tests * sizeof(Test))
        self._values = <double*> zeros(self._held, leaves * sizeof(double))
        self._left = <long long*> zeros(self._held, walker.trees * sizeof(long long))
        self._first = <int*> zeros(self._held, (walker.trees + 1) * sizeof(int))
        self._threshold = <double*> zeros(self._held, tests * sizeof(double))
        self._bits = <long long*> zeros(self._held, tests * sizeof(long long))
        self._at = <unsigned short*> zeros(self._held, tests * sizeof(unsigned short))
        for test.tree, tree in enumerate(trees):
            parted, order = _leaves_of(tree)
            for k, leaf in enumerate(order):
                self._values[walker.places[test.tree].value + k] = tree.value[leaf]
            for k, feature in enumerate(tree.feature):
                test.threshold, test.feature = tree.threshold[k], at[feature]
                test.parted[0], test.parted[1], test.parted[2] = parted[k]
                if constant[<Py_ssize_t> feature]:
                    self._of_constants[self._constants_end] = test
                    self._constants_end += 1
                else:
                    self._of_rows[self._rows_end] = test
                    self._rows_end += 1

    cdef list probabilities(self, list columns, Py_ssize_t n, const double* constants):
        """Return the probabilities of ``n`` rows, given the columns that are not constant."""
        cdef Py_ssize_t k, lanes = (n + LANES - 1) // LANES * LANES
        cdef double* tiles = <double*> malloc(max(1, lanes * (self._width + 2)) * sizeof(double))
        cdef int* numbers = <int*> malloc(max(1, n) * sizeof(int))
        cdef double* scores = tiles + lanes * self._width
        try:
            if tiles is NULL or numbers is NULL:
                raise MemoryError
            for k in range(self._width):
                _lay(tiles + k * LANES, self._width * LANES, columns[k], n)
            with nogil:
                self._answer(constants)
                self._score(tiles, numbers, n, scores + lanes, scores)
            return [logistic(scores[k]) for k in range(n)]
        finally:
            free(tiles)
            free(numbers)

    cdef void _answer(self, const double* constants) noexcept nogil:
        """Take all tests of constants, and leave out the others to which no row comes."""
        cdef Py_ssize_t k
        cdef int found = 0, tree = 0, passes
        cdef const Test* test
        for k in range(self._walker.trees):
            self._left[k] = -1
        for k in range(self._constants_end):
            test = &self._of_constants[k]
            # Which way it goes cannot be foreseen: an index, not a branch.
            passes = constants[test.feature] <= test.threshold
            self._left[test.tree] &= _all_but(test.parted[passes], test.parted[passes + 1])
        for k in range(self._rows_end):
            test = &self._of_rows[k]
            while tree <= test.tree:
                self._first[tree] = found
                tree += 1
            self._threshold[found], self._at[found] = test.threshold, test.feature
            self._bits[found] = _all_but(test.parted[0], test.parted[1])
            found += (self._left[test.tree] & ~self._bits[found]) != 0
        while tree <= self._walker.trees:
            self._first[tree] = found
            tree += 1

    cdef void _score(
        self, double* tiles, int* numbers, Py_ssize_t n, double* sums, double* scores
    ) noexcept nogil:
        """Write the scores; ``numbers`` are the rows that go on, ``sums`` their scores so far."""
        cdef Py_ssize_t left = n, g
        cdef int tree = 0, end
        cdef const double* out
        for g in range((n + LANES - 1) // LANES * LANES):
            sums[g] = 0.0
        for g in range(n):
            numbers[g] = <int> g
        while tree < self._walker.trees and left:
            end = self._walker.next_exit(tree)
            g = 0
            while g < left:
                self._add_trees(tree, end, tiles + g * self._width, sums + g)
                g += LANES
            out = &self._walker.exits[(end - 1) * EXIT_FIELDS]
            tree = end
            g = 0
            while out[0] != 0 and g < left:
                if sums[g] < out[1]:
                    scores[numbers[g]] = sums[g] + out[3]
                elif sums[g] > out[2]:
                    scores[numbers[g]] = sums[g] + out[4]
                else:
                    g += 1
                    continue
                # The last row takes the place of one that is done.
                left -= 1
                numbers[g], sums[g] = numbers[left], sums[left]
                self._move(tiles, left, g)
        for g in range(left):
            scores[numbers[g]] = sums[g]

    cdef void _move(self, double* tiles, Py_ssize_t row, Py_ssize_t place) noexcept nogil:
        cdef const double* source = tiles + row // LANES * LANES * self._width + row % LANES
        cdef double* target = tiles + place // LANES * LANES * self._width + place % LANES
        cdef Py_ssize_t k
        for k in range(self._width):
            target[k * LANES] = source[k * LANES]

    cdef void _add_trees(self, int tree, int end, const double* tile, double* sums) noexcept nogil:
        """Add what these trees say of the rows of a tile to their scores."""
        cdef long long masks[LANES]
        cdef const double* values
        cdef int number, lane, first
        for number in range(tree, end):
            for lane in range(LANES):
                masks[lane] = self._left[number]
            first = self._first[number]
            take_tests(
                self._threshold + first,
                self._bits + first,
                self._at + first,
                self._first[number + 1] - first,
                tile,
                masks,
            )
            values = self._values + self._walker.places[number].value
            for lane in range(LANES):
                sums[lane] += values[lowest(masks[lane])]


cdef inline long long _all_but(int first, int end) noexcept nogil:
    """Return a mask without some of its bits."""
    return <long long> ~(((<unsigned long long> 1 << (end - first)) - 1) << first)


cdef tuple _leaves_of(tree):
    """Return per test where its leaves begin, part and end from left to right, and their order."""
    cdef Py_ssize_t n = len(tree.feature), k
    cdef list on_left = [0] * n, below = [0] * n, begin = [0] * n, parted = [], order = [0] * (n + 1)
    for k in range(n - 1, -1, -1):  # children come after their parents
        on_left[k], on_right = [1 if side[k] < 0 else below[side[k]] for side in (tree.left, tree.right)]
        below[k] = on_left[k] + on_right
    for k in range(n):
        parted.append((begin[k], begin[k] + on_left[k], begin[k] + below[k]))
        for child, place in zip((tree.left[k], tree.right[k]), parted[k]):
            if child < 0:
                order[place] = ~child
            else:
                begin[child] = place
    return parted, order


cdef int _lay(double* first, Py_ssize_t tile, column, Py_ssize_t n) except -1:
    """Write a column into its place in each tile; lanes behind the last row hold zeros."""
    cdef Py_ssize_t i
    cdef const double* numbers
    cdef const long long* integers
    cdef list values
    for i in range(n, (n + LANES - 1) // LANES * LANES):
        first[i // LANES * tile + i % LANES] = 0.0
    if type(column) is array and column.typecode == "d":
        numbers = (<array> column).data.as_doubles
        for i in range(n // LANES):
            memcpy(first + i * tile, numbers + i * LANES, LANES * sizeof(double))
        for i in range(n // LANES * LANES, n):
            first[i // LANES * tile + i % LANES] = numbers[i]
        return 0
    if type(column) is array and column.typecode == "q":
        integers = (<array> column).data.as_longlongs
        for i in range(n):
            first[i // LANES * tile + i % LANES] = <double> integers[i]
        return 0
    values = column if type(column) is list else list(column)
    for i in range(n):
        first[i // LANES * tile + i % LANES] = _number(values[i])
    return 0


cdef inline double _number(object value) except? -1:
    if PyFloat_CheckExact(value):
        return PyFloat_AS_DOUBLE(value)
    if PyLong_CheckExact(value):
        return <double> <long long> value
    if value is True or value is False:
        return value is True
    return value
