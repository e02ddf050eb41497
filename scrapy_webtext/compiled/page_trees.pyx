"""The trees of `forest` for the blocks of one page, which go down a tree several at a time.

So none waits for the steps of another. Tests of what is the same for the whole page are answered
once, and then passed over. What is written for that is kept from page to page: memory that
is taken anew would be cold.
"""

from cpython.array cimport array
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from scrapy_webtext.compiled.forest cimport EXIT_FIELDS, logistic


cdef class PageTrees:
    """The trees of a walker, for pages on which these features are constant: one byte per feature.

    Rows lie in tiles: ``LANES`` values of the first feature that is not constant, then of the next.
    """

    def __cinit__(self, Walker walker, bytes is_constant not None):
        cdef Py_ssize_t k, side, child, end = walker.end
        cdef const unsigned char* constant = is_constant
        cdef list at = [], links = []
        cdef Link link
        if len(is_constant) != walker.features:
            raise ValueError(f"expected {walker.features} bytes, got {len(is_constant)}")
        self._walker, self.is_constant = walker, is_constant
        for k in range(walker.features):
            # The value of a constant lies in the row of constants, of others in a tile.
            at.append(k if constant[k] else self._width * LANES)
            self._width += not constant[k]
        self._held_steps = bytes(end * sizeof(Step))
        self._steps = <Step*> <char*> self._held_steps
        self._held_links = bytes(2 * end * sizeof(Link))
        self._links = <Link*> <char*> self._held_links
        memcpy(self._steps, walker.steps, end * sizeof(Step))
        for k in range(walker.loops + walker.trees, end):
            self._steps[k].at = at[walker.steps[k].at]
        for k in range(walker.loops, end):
            for side in range(2):
                child = walker.steps[k].child[side]
                if child >= walker.loops and constant[walker.steps[child].at]:
                    links.append((child, k, side))
        # Children come after their parents: the last steps are answered first.
        for step, parent, place in sorted(links, reverse=True):
            link.step, link.parent, link.side = step, parent, place
            self._links[self._links_end] = link
            self._links_end += 1

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
        """Lead past all tests of constants."""
        cdef Py_ssize_t k
        cdef Link link
        cdef const Step* step
        for k in range(self._links_end):
            link = self._links[k]
            step = &self._steps[link.step]
            self._steps[link.parent].child[link.side] = step.child[not constants[step.at] <= step.threshold]

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
        cdef unsigned int place[LANES]
        cdef unsigned int any_place, loops = self._walker.loops
        cdef int number, lane
        cdef const Step* steps = self._steps
        cdef const Step* step
        cdef const double* values
        for number in range(tree, end):
            any_place = steps[loops + number].child[0]
            for lane in range(LANES):
                place[lane] = any_place
            while any_place >= loops:
                any_place = 0
                for lane in range(LANES):
                    step = &steps[place[lane]]
                    place[lane] = step.child[not tile[step.at + lane] <= step.threshold]
                    any_place |= place[lane]
            values = self._walker.values + self._walker.first[number]
            for lane in range(LANES):
                sums[lane] += values[place[lane]]


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
