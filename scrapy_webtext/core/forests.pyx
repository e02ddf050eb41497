"""Scores rows with the trees of a forest; eight rows at a time are tested by all nodes of a tree.

A test of a feature that is constant on a page is evaluated once per page. The memory of the results
is reused for the next page, because new memory is not in the processor's cache.

A mask has one bit per leaf of a tree, from left to right. If a row fails a test, it goes to the
right, so the leaves on the left of this test are removed from its mask. After all tests of a tree,
in any order, the row's leaf is the lowest bit of the mask (Lucchese et al. 2015, QuickScorer). All
rows are tested in the same order, so there are no branches, and two or four rows fit into a vector
register.
"""

cimport cython
from cpython.array cimport array
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

ctypedef void (*TakeTests)(
    const double* threshold,
    const long long* bits,
    const unsigned short* at,
    int n,
    const double* tile,
    long long* masks,
) noexcept nogil

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    /* As many rows at once as a vector of these bytes holds: 16 everywhere, 32 where the processor can. */
    #define WEBTEXT_TAKE_TESTS(name, bytes) \
        static void name( \
            const double *threshold, const long long *bits, const unsigned short *at, int n, \
            const double *tile, long long *masks) \
        { \
            typedef double doubles __attribute__((vector_size(bytes), aligned(8), may_alias)); \
            typedef long long longs __attribute__((vector_size(bytes), aligned(8), may_alias)); \
            enum { VECTORS = 64 / bytes }; \
            longs left[VECTORS]; \
            for (int v = 0; v < VECTORS; v++) \
                left[v] = ((longs *) masks)[v]; \
            for (int k = 0; k < n; k++) { \
                const doubles *row = (const doubles *) (tile + at[k]); \
                const doubles most = threshold[k] - (doubles) {0}; \
                const longs kept = bits[k] - (longs) {0}; \
                for (int v = 0; v < VECTORS; v++) \
                    left[v] &= (longs) (row[v] <= most) | kept; \
            } \
            for (int v = 0; v < VECTORS; v++) \
                ((longs *) masks)[v] = left[v]; \
        }
    WEBTEXT_TAKE_TESTS(webtext_take_tests_16, 16)
    #if defined(__x86_64__)
    __attribute__((target("avx2"))) WEBTEXT_TAKE_TESTS(webtext_take_tests_32, 32)
    #define WEBTEXT_CHOOSE() (__builtin_cpu_supports("avx2") ? webtext_take_tests_32 : webtext_take_tests_16)
    #else
    #define WEBTEXT_CHOOSE() webtext_take_tests_16
    #endif
    #define WEBTEXT_LOWEST(mask) __builtin_ctzll(mask)
    #else
    #if defined(_M_X64)
    #include <emmintrin.h>
    #define WEBTEXT_PASSES(row) _mm_castpd_si128(_mm_cmple_pd(_mm_loadu_pd(row), most))

    static void webtext_take_tests(
        const double *threshold, const long long *bits, const unsigned short *at, int n,
        const double *tile, long long *masks)
    {
        __m128i *left = (__m128i *) masks;
        __m128i a = _mm_loadu_si128(left), b = _mm_loadu_si128(left + 1);
        __m128i c = _mm_loadu_si128(left + 2), d = _mm_loadu_si128(left + 3);
        for (int k = 0; k < n; k++) {
            const double *row = tile + at[k];
            const __m128d most = _mm_set1_pd(threshold[k]);
            const __m128i kept = _mm_set1_epi64x(bits[k]);
            a = _mm_and_si128(a, _mm_or_si128(WEBTEXT_PASSES(row), kept));
            b = _mm_and_si128(b, _mm_or_si128(WEBTEXT_PASSES(row + 2), kept));
            c = _mm_and_si128(c, _mm_or_si128(WEBTEXT_PASSES(row + 4), kept));
            d = _mm_and_si128(d, _mm_or_si128(WEBTEXT_PASSES(row + 6), kept));
        }
        _mm_storeu_si128(left, a);
        _mm_storeu_si128(left + 1, b);
        _mm_storeu_si128(left + 2, c);
        _mm_storeu_si128(left + 3, d);
    }
    #else
    static void webtext_take_tests(
        const double *threshold, const long long *bits, const unsigned short *at, int n,
        const double *tile, long long *masks)
    {
        for (int k = 0; k < n; k++)
            for (int lane = 0; lane < 8; lane++)
                masks[lane] &= -(long long) (tile[at[k] + lane] <= threshold[k]) | bits[k];
    }
    #endif
    #define WEBTEXT_CHOOSE() webtext_take_tests
    #if defined(_WIN64)
    #include <intrin.h>

    static int WEBTEXT_LOWEST(long long mask)
    {
        unsigned long found;
        _BitScanForward64(&found, (unsigned long long) mask);
        return (int) found;
    }
    #else
    static int WEBTEXT_LOWEST(long long mask)
    {
        int found = 0;
        while (!(mask & 1))
            mask >>= 1, found += 1;
        return found;
    }
    #endif
    #endif
    """
    #: Return the function that evaluates ``n`` tests for the rows of a tile. ``at`` has, per test,
    #: the index at which the values of its feature begin in the tile.
    TakeTests choose "WEBTEXT_CHOOSE"() noexcept nogil
    #: Return the index of the lowest bit of a non-zero mask.
    int lowest "WEBTEXT_LOWEST"(long long mask) noexcept nogil

cdef enum:
    #: Rows that are tested together; the functions above require eight.
    LANES = 8
    #: Maximum number of leaves of a tree: the bits of a mask.
    MAX_LEAVES = 64
    #: Maximum number of features: with `LANES` (8) values each, their indices fit into two bytes.
    MAX_FEATURES = 8_192

cdef TakeTests take_tests = choose()

#: A test of a tree. A row that passes it ends in one of the leaves from ``parted[0]`` to before
#: ``parted[1]``, a row that fails it in one from ``parted[1]`` to before ``parted[2]``.
cdef struct Test:
    double threshold
    int feature
    int tree
    unsigned char parted[3]

#: A test of a feature that is constant on a page.
cdef struct Fixed:
    double threshold
    long long kept[2]  # masks of leaves that are left: if the test fails, if it passes
    int feature

#: A test of a feature that differs between rows.
cdef struct Open:
    double threshold
    long long bits
    unsigned short at

cdef struct Exit:
    bint is_one
    double below, above, add_below, add_above


@cython.final
cdef class Scorer:
    """The sum of trees, with early exits."""

    cdef Py_ssize_t features, trees
    cdef Test* _tests
    cdef Py_ssize_t _tests_end
    cdef double* _values  # values of leaves from left to right, tree by tree
    cdef int* _value_begin
    cdef Exit* _exits
    cdef list _spare  # `Answers` that are not in use

    def __cinit__(self, Py_ssize_t features, trees, exits):
        cdef Py_ssize_t n_tests = sum([len(tree.feature) for tree in trees]), k, leaf, n = 0
        cdef Py_ssize_t leaves = sum([len(tree.value) for tree in trees]), number
        cdef Test test
        if features > MAX_FEATURES or any([len(tree.value) > MAX_LEAVES for tree in trees]):
            raise ValueError(f"a tree has more than {MAX_LEAVES} leaves")
        self.features, self.trees, self._spare = features, len(trees), []
        self._tests = <Test*> _room(n_tests * sizeof(Test))
        self._values = <double*> _room(leaves * sizeof(double))
        self._value_begin = <int*> _room(self.trees * sizeof(int))
        self._exits = <Exit*> _room(self.trees * sizeof(Exit))
        for number in range(self.trees):
            self._exits[number] = Exit(False, 0, 0, 0, 0)
        for number, *row in exits:
            if number <= self.trees:
                self._exits[number - 1] = Exit(True, row[0], row[1], row[2], row[3])
        for number, tree in enumerate(trees):
            parted, order = _leaves_of(tree)
            self._value_begin[number] = <int> n
            for leaf in order:
                self._values[n] = tree.value[leaf]
                n += 1
            for k in range(len(tree.feature)):
                test.threshold, test.feature, test.tree = tree.threshold[k], tree.feature[k], <int> number
                test.parted[0], test.parted[1], test.parted[2] = parted[k]
                if not 0 <= test.feature < features:
                    raise ValueError(f"there is no feature {test.feature}")
                self._tests[self._tests_end] = test
                self._tests_end += 1

    def __dealloc__(self):
        free(self._tests)
        free(self._values)
        free(self._value_begin)
        free(self._exits)

    def scores(self, columns, Py_ssize_t n):
        """Return the scores of ``n`` rows; ``columns`` has an array or one value per feature."""
        cdef Answers answers = self._spare.pop() if self._spare else Answers(self)
        cdef Py_ssize_t k, lanes = (n + LANES - 1) // LANES * LANES, width
        cdef double* tiles = NULL
        cdef int* numbers = NULL
        cdef double* scores
        try:
            width = answers.begin(self, columns, n)
            tiles = <double*> _room(lanes * (width + 2) * sizeof(double))
            numbers = <int*> _room(n * sizeof(int))
            scores = tiles + lanes * width
            for k, column in enumerate(columns):
                if type(column) is array:
                    _lay(tiles + answers.place[k], width * LANES, <array> column, n)
            with nogil:
                self._score(answers, width, tiles, numbers, n, scores + lanes, scores)
            return [scores[k] for k in range(n)]
        finally:
            self._spare.append(answers)
            free(tiles)
            free(numbers)

    cdef void _score(
        self,
        Answers answers,
        Py_ssize_t width,
        double* tiles,
        int* numbers,
        Py_ssize_t n,
        double* sums,
        double* scores,
    ) noexcept nogil:
        """Write the scores; ``numbers`` are the rows left, ``sums`` their scores so far."""
        cdef Py_ssize_t left = n, g
        cdef int tree = 0, end
        cdef const Exit* out
        for g in range((n + LANES - 1) // LANES * LANES):
            sums[g] = 0.0
        for g in range(n):
            numbers[g] = <int> g
        while tree < self.trees and left:
            end = tree + 1
            while end < self.trees and not self._exits[end - 1].is_one:
                end += 1
            answers.answer(tree, end)
            g = 0
            while g < left:
                self._add_trees(answers, tree, end, tiles + g * width, sums + g)
                g += LANES
            out = &self._exits[end - 1]
            tree = end
            g = 0
            while out.is_one and g < left:
                if sums[g] < out.below:
                    scores[numbers[g]] = sums[g] + out.add_below
                elif sums[g] > out.above:
                    scores[numbers[g]] = sums[g] + out.add_above
                else:
                    g += 1
                    continue
                # The last row replaces the row that is done.
                left -= 1
                numbers[g], sums[g] = numbers[left], sums[left]
                _move(tiles, width, left, g)
        for g in range(left):
            scores[numbers[g]] = sums[g]

    cdef void _add_trees(
        self, Answers answers, int tree, int end, const double* tile, double* sums
    ) noexcept nogil:
        """Add the values of these trees to the scores of the rows of a tile."""
        cdef long long masks[LANES]
        cdef const double* values
        cdef int number, lane, first
        for number in range(tree, end):
            for lane in range(LANES):
                masks[lane] = answers.left[number]
            first = answers.first[number]
            take_tests(
                answers.threshold + first,
                answers.bits + first,
                answers.at + first,
                answers.first[number + 1] - first,
                tile,
                masks,
            )
            values = self._values + self._value_begin[number]
            for lane in range(LANES):
                sums[lane] += values[lowest(masks[lane])]


@cython.final
cdef class Answers:
    """The tests of each tree that are left on one page after the tests of constant features.

    Rows are stored in tiles: ``LANES`` values of the first feature that is not constant, then
    ``LANES`` values of the next.
    """

    cdef unsigned short* place  # per feature, the index of its values in a tile
    cdef double* constant  # per constant feature, its value
    cdef unsigned char* is_constant
    cdef Fixed* _fixed
    cdef int* _first_fixed  # per tree
    cdef Open* _open
    cdef int* _first_open
    cdef long long* left  # per tree, a mask of its leaves
    cdef int* first  # per tree, the index of its first test that is left
    cdef double* threshold  # per test that is left
    cdef long long* bits
    cdef unsigned short* at

    def __cinit__(self, Scorer scorer):
        cdef Py_ssize_t tests = scorer._tests_end, trees = scorer.trees
        self.place = <unsigned short*> _room(scorer.features * sizeof(unsigned short))
        self.constant = <double*> _room(scorer.features * sizeof(double))
        self.is_constant = <unsigned char*> _room(scorer.features)
        self._fixed = <Fixed*> _room(tests * sizeof(Fixed))
        self._first_fixed = <int*> _room((trees + 1) * sizeof(int))
        self._open = <Open*> _room(tests * sizeof(Open))
        self._first_open = <int*> _room((trees + 1) * sizeof(int))
        self.left = <long long*> _room(trees * sizeof(long long))
        self.first = <int*> _room((trees + 1) * sizeof(int))
        # One more, because `answer` writes a test before it knows whether it is needed.
        self.threshold = <double*> _room((tests + 1) * sizeof(double))
        self.bits = <long long*> _room((tests + 1) * sizeof(long long))
        self.at = <unsigned short*> _room((tests + 1) * sizeof(unsigned short))
        memset(self.is_constant, False, scorer.features)
        self.first[0] = 0
        self._sort(scorer)

    def __dealloc__(self):
        free(self.place)
        free(self.constant)
        free(self.is_constant)
        free(self._fixed)
        free(self._first_fixed)
        free(self._open)
        free(self._first_open)
        free(self.left)
        free(self.first)
        free(self.threshold)
        free(self.bits)
        free(self.at)

    cdef Py_ssize_t begin(self, Scorer scorer, columns, Py_ssize_t n) except -1:
        """Store the constant features; return how many features differ between rows."""
        cdef Py_ssize_t k, width = 0
        cdef bint is_constant, is_sorted = True
        for k, column in enumerate(columns):
            is_constant = type(column) is not array
            is_sorted = is_sorted and self.is_constant[k] == is_constant
            self.is_constant[k] = is_constant
            if is_constant:
                self.constant[k] = column
                continue
            if len(<array> column) != n:
                raise ValueError(f"a column has {len(column)} values, not {n}")
            width += 1
        if not is_sorted:
            self._sort(scorer)
        return width

    cdef void _sort(self, Scorer scorer) noexcept:
        """Separate tests of constant features from others; most pages have the same constants."""
        cdef Py_ssize_t k
        cdef int tree = 0, fixed = 0, open = 0, place = 0
        cdef long long failing, passing
        cdef const Test* test
        for k in range(scorer.features):
            self.place[k] = <unsigned short> place
            place += 0 if self.is_constant[k] else LANES
        for k in range(scorer._tests_end):
            test = &scorer._tests[k]
            while tree <= test.tree:
                self._first_fixed[tree], self._first_open[tree] = fixed, open
                tree += 1
            failing = _all_but(test.parted[0], test.parted[1])
            passing = _all_but(test.parted[1], test.parted[2])
            if self.is_constant[test.feature]:
                self._fixed[fixed] = Fixed(test.threshold, [failing, passing], test.feature)
                fixed += 1
            else:
                self._open[open] = Open(test.threshold, failing, self.place[test.feature])
                open += 1
        while tree <= scorer.trees:
            self._first_fixed[tree], self._first_open[tree] = fixed, open
            tree += 1

    cdef void answer(self, int first, int end) noexcept nogil:
        """Evaluate the tests of constant features in some trees; drop tests that no row can reach.

        Trees before ``first`` are done already. A page may need no tree after an early exit.
        """
        cdef double* threshold = self.threshold
        cdef long long* bits = self.bits
        cdef unsigned short* at = self.at
        cdef const double* constant = self.constant
        cdef const Fixed* fixed
        cdef const Open* open
        cdef long long left
        cdef int found = self.first[first], tree, k
        for tree in range(first, end):
            left = -1
            for k in range(self._first_fixed[tree], self._first_fixed[tree + 1]):
                fixed = &self._fixed[k]
                # An index instead of a branch, because the result cannot be predicted.
                left &= fixed.kept[constant[fixed.feature] <= fixed.threshold]
            self.left[tree], self.first[tree] = left, found
            for k in range(self._first_open[tree], self._first_open[tree + 1]):
                open = &self._open[k]
                threshold[found], bits[found], at[found] = open.threshold, open.bits, open.at
                found += (left & ~open.bits) != 0
        self.first[end] = found


cdef void* _room(Py_ssize_t size) except NULL:
    cdef void* room = malloc(max(1, size))
    if room is NULL:
        raise MemoryError
    return room


cdef inline void _move(double* tiles, Py_ssize_t width, Py_ssize_t row, Py_ssize_t place) noexcept nogil:
    cdef const double* source = tiles + row // LANES * LANES * width + row % LANES
    cdef double* target = tiles + place // LANES * LANES * width + place % LANES
    cdef Py_ssize_t k
    for k in range(width):
        target[k * LANES] = source[k * LANES]


cdef inline long long _all_but(int first, int end) noexcept nogil:
    """Return a mask of ones with zeros in bits [first, end)."""
    return <long long> ~(((<unsigned long long> 1 << (end - first)) - 1) << first)


cdef tuple _leaves_of(tree):
    """Return ``parted`` of each test (see `Test`), and the leaves from left to right."""
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


cdef int _lay(double* first, Py_ssize_t tile, array column, Py_ssize_t n) except -1:
    """Write a column into the tiles; lanes after the last row are 0."""
    cdef Py_ssize_t i
    cdef bint is_float = column.ob_descr.typecode == c"d"
    if not is_float and column.ob_descr.typecode != c"q":
        raise TypeError(f"a column of type {column.typecode!r}")
    for i in range(n, (n + LANES - 1) // LANES * LANES):
        first[i // LANES * tile + i % LANES] = 0.0
    if not is_float:
        for i in range(n):
            first[i // LANES * tile + i % LANES] = <double> column.data.as_longlongs[i]
        return 0
    for i in range(n // LANES):
        memcpy(first + i * tile, column.data.as_doubles + i * LANES, LANES * sizeof(double))
    for i in range(n // LANES * LANES, n):
        first[i // LANES * tile + i % LANES] = column.data.as_doubles[i]
    return 0
