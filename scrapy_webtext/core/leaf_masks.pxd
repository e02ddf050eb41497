"""The leaf of a tree that a row comes to, for ``LANES`` rows at once; compiled into each module that uses it.

A mask has a bit per leaf, from left to right. A test that a row does not pass sends it to the right:
the leaves on the left of that test are out. When all tests of a tree are done, in any order, the
row's leaf is the lowest that is left (Lucchese et al. 2015, QuickScorer). Rows take tests in
step, so that nothing has to be foreseen, and two or four of them fit into a vector of the processor.
"""

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
    #: Return the function that takes ``n`` tests for the rows of a tile. ``at`` says where the values
    #: of a feature begin in it.
    TakeTests choose "WEBTEXT_CHOOSE"() noexcept nogil
    #: The place of the lowest bit of a mask that is not empty.
    int lowest "WEBTEXT_LOWEST"(long long mask) noexcept nogil

cdef enum:
    #: Rows that take tests in step; the functions above count on eight.
    LANES = 8
    #: Leaves of a tree that a mask has bits for; forests with larger trees are asked row by row.
    MAX_LEAVES = 64
