"""Twin of ``extractors/wffte/support.py``: the support of every container, in one pass."""

from scrapy_webtext.compiled import in_python

cdef enum:
    #: Whole numbers below it can be multiplied by those of a page as floats.
    MAX_FACTOR = 1_000_000


cdef bint _is_exact(factor):
    return type(factor) is float or 0 <= factor < MAX_FACTOR


def supports(containers, content, min_link_words, alpha, beta):
    if not (_is_exact(min_link_words) and _is_exact(alpha) and _is_exact(beta)):
        return in_python("extractors.wffte.support.supports")(
            containers, content, min_link_words, alpha, beta
        )
    cdef list chars = content.chars, words = content.words, link_words = content.link_words
    cdef list punctuation = content.punctuation, first = content.first, second = content.second
    cdef list coordinate = containers.coordinate
    cdef Py_ssize_t row, least = min_link_words, linked
    cdef double of_first = alpha, of_second = beta, tsd, psd
    cdef dict found = {}
    for row in range(len(chars)):
        if <Py_ssize_t> chars[row]:
            linked = max(<Py_ssize_t> link_words[row], least)
            psd = _step(punctuation[row]) * <double> <Py_ssize_t> words[row] / <double> linked
            tsd = of_first * <double> <Py_ssize_t> first[row]
            tsd += of_second * <double> <Py_ssize_t> second[row]
            found[row] = _distance_support(coordinate[row]) * (tsd + psd)
    return found


cdef double _step(Py_ssize_t punctuation) noexcept:
    if punctuation < 3:
        return 0.001
    return 0.1 if punctuation < 6 else 0.5


cdef double _distance_support(double coordinate) noexcept:
    return 1.0 / (coordinate or 1.0)
