"""Which leaf of a tree a row comes to, told for ``LANES`` rows at once; compiled into each twin.

A mask has a bit per leaf, from left to right. A test that a row does not pass sends it to the right:
the leaves on the left of that test are out. When all tests of a tree are done, in any order, the
row's leaf is the lowest that is left (Lucchese et al. 2015, QuickScorer). Rows take tests in
step, so that nothing has to be foreseen, and two of them fit into each of the processor's vectors.
"""

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    typedef double webtext_doubles __attribute__((vector_size(16), aligned(8), may_alias));
    typedef long long webtext_masks __attribute__((vector_size(16), aligned(8), may_alias));

    static inline void webtext_take_tests(
        const double *threshold, const long long *bits, const unsigned short *at, int n,
        const double *tile, long long *masks)
    {
        webtext_masks *left = (webtext_masks *) masks;
        webtext_masks a = left[0], b = left[1], c = left[2], d = left[3];
        for (int k = 0; k < n; k++) {
            const webtext_doubles *row = (const webtext_doubles *) (tile + at[k]);
            const webtext_doubles most = {threshold[k], threshold[k]};
            const webtext_masks kept = {bits[k], bits[k]};
            a &= (webtext_masks) (row[0] <= most) | kept;
            b &= (webtext_masks) (row[1] <= most) | kept;
            c &= (webtext_masks) (row[2] <= most) | kept;
            d &= (webtext_masks) (row[3] <= most) | kept;
        }
        left[0] = a, left[1] = b, left[2] = c, left[3] = d;
    }
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
    #: Takes ``n`` tests for the rows of a tile; ``at`` says where the values of a feature begin in it.
    void take_tests "webtext_take_tests"(
        const double* threshold,
        const long long* bits,
        const unsigned short* at,
        int n,
        const double* tile,
        long long* masks,
    ) noexcept nogil
    #: The place of the lowest bit of a mask that is not empty.
    int lowest "WEBTEXT_LOWEST"(long long mask) noexcept nogil

cdef enum:
    #: Rows that take tests in step; the functions above count on eight.
    LANES = 8
    #: Leaves of a tree that a mask has bits for; forests with larger trees are asked row by row.
    MAX_LEAVES = 64
