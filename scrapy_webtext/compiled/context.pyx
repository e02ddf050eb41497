"""Twin of ``extractors/fusion/features/context.py``: sums over the blocks around a block, added in order."""

from cpython.array cimport array
from libc.math cimport log

from scrapy_webtext.compiled import in_python
from scrapy_webtext.compiled.arrays cimport as_integers, column, integer_at, integers
from scrapy_webtext.page.nodes cimport Nodes
from scrapy_webtext.compiled.tables cimport container_above

cdef enum:
    MAX_GROUPS = 4_000_000


def groups(page, table):
    from scrapy_webtext.extractors.fusion.features.context import Groups

    texts = table.texts
    cdef Nodes nodes = <Nodes?> page.nodes
    cdef array node = as_integers(texts.node), owner = as_integers(texts.owner)
    cdef array templates = as_integers(table.elements.template_id)
    cdef array containers = as_integers(page.containers)
    cdef Py_ssize_t k, n = len(node)
    cdef array template_id = integers(n), container_id = integers(n)
    for k in range(n):
        template_id.data.as_longlongs[k] = integer_at(templates, integer_at(owner, k))
        container_id.data.as_longlongs[k] = container_above(nodes, containers, integer_at(node, k))
    return Groups(texts.words, template_id, container_id)


def context_columns(blocks, first):
    from scrapy_webtext.extractors.fusion.features import context as python

    cdef list chances = list(first)
    cdef array words = as_integers(blocks.words)
    cdef array template_id = as_integers(blocks.template_id), container_id = as_integers(blocks.container_id)
    cdef Py_ssize_t n = len(chances), k, small = python.SMALL_WINDOW, large = python.LARGE_WINDOW
    if len(words) != n:
        raise ValueError("probabilities and words differ in number")
    if not (_are_small(template_id) and _are_small(container_id)):
        return in_python("extractors.fusion.features.context.context_columns")(blocks, first)
    cdef dict columns = dict.fromkeys(python.CONTEXT_COLUMNS), unused = {}
    cdef double* p = column(unused, "p", n)
    cdef double* held = column(unused, "held", n)
    cdef double* number = column(unused, "words", n)
    cdef double* held_sums = column(unused, "held_sums", n + 1)
    cdef double* word_sums = column(unused, "word_sums", n + 1)
    cdef double* score = column(columns, "first_score", n)
    cdef double* before_2 = column(columns, "first_before_2", n)
    cdef double* before = column(columns, "first_before", n)
    cdef double* after = column(columns, "first_after", n)
    cdef double* after_2 = column(columns, "first_after_2", n)
    cdef double* window_2 = column(columns, "first_window_2", n)
    cdef double* window_6 = column(columns, "first_window_6", n)
    cdef double* position = column(columns, "first_position", n)
    cdef double* since = column(columns, "since_likely", n)
    cdef double* until = column(columns, "until_likely", n)
    cdef double surest = python.SUREST, anchor = python.ANCHOR, far = python.FAR, distance, expected
    held_sums[0] = word_sums[0] = 0
    for k in range(n):
        p[k] = chances[k]
        number[k] = integer_at(words, k) + 1
        held[k] = p[k] * number[k]
        held_sums[k + 1] = held_sums[k] + held[k]
        word_sums[k + 1] = word_sums[k] + number[k]
    expected = held_sums[n] or 1.0
    _add_means(columns, "first_template", "template_words", template_id, held, number, n)
    _add_means(columns, "first_container", "container_words", container_id, held, number, n)
    distance = far
    for k in range(n):
        score[k] = _log_odds(p[k], surest)
        before_2[k] = p[k - 2] if k > 1 else 0.0
        before[k] = p[k - 1] if k > 0 else 0.0
        after[k] = p[k + 1] if k + 1 < n else 0.0
        after_2[k] = p[k + 2] if k + 2 < n else 0.0
        window_2[k] = _window(held_sums, word_sums, n, k, small)
        window_6[k] = _window(held_sums, word_sums, n, k, large)
        position[k] = held_sums[k] / expected
        distance = 0 if p[k] >= anchor else min(distance + 1, far)
        since[k] = distance
    distance = far
    for k in range(n - 1, -1, -1):
        distance = 0 if p[k] >= anchor else min(distance + 1, far)
        until[k] = distance
    return columns


def context_constants(blocks, first):
    from scrapy_webtext.extractors.fusion.features import context as python

    cdef list chances = list(first)
    cdef array words = as_integers(blocks.words)
    cdef Py_ssize_t n = len(chances), k, number, total = 0, likely = 0, sure = 0
    cdef double p, expected = 0.0, variance = 0.0, greatest = -1.0
    cdef double likely_from = python.LIKELY, sure_from = python.SURE
    if len(words) != n:
        raise ValueError("probabilities and words differ in number")
    for k in range(n):
        p = chances[k]
        number = integer_at(words, k) + 1
        total += number
        expected += p * <double> number
        variance += p * (1 - p) * <double> number
        if p >= likely_from:
            likely += number
        if p >= sure_from:
            sure += number
        if p > greatest:
            greatest = p
    return {
        "expected_words": expected,
        "expected_share": expected / <double> total,
        "likely_share": likely / <double> total,
        "expected_variance": variance / (expected or 1.0),
        "most_likely": greatest,
        "sure_words": sure,
        "first_threshold": python.best_threshold(chances, words),
    }


cdef inline double _log_odds(double p, double surest) noexcept:
    if p < surest:
        p = surest
    elif p > 1 - surest:
        p = 1 - surest
    return log(p / (1 - p))


cdef inline double _window(
    const double* held, const double* words, Py_ssize_t n, Py_ssize_t k, Py_ssize_t reach
) noexcept:
    cdef Py_ssize_t a = max(0, k - reach), z = min(n, k + reach + 1)
    return (held[z] - held[a]) / (words[z] - words[a])


cdef bint _are_small(array group) except -1:
    """Whether numbers of groups can be places of sums."""
    cdef Py_ssize_t k
    for k in range(len(group)):
        if not 0 <= integer_at(group, k) < MAX_GROUPS:
            return False
    return True


cdef int _add_means(
    dict columns, str of_means, str of_words, array group, const double* held, const double* words, Py_ssize_t n
) except -1:
    """Set the columns of the mean probability of a block's group, and of its words."""
    cdef Py_ssize_t k, room = 0
    cdef long long own
    cdef dict unused = {}
    if len(group) != n:
        raise ValueError("probabilities and groups differ in number")
    for k in range(n):
        room = max(room, integer_at(group, k) + 1)
    cdef double* means = column(columns, of_means, n)
    cdef double* numbers = column(columns, of_words, n)
    cdef double* sums = column(unused, "sums", room)
    cdef double* counts = column(unused, "counts", room)
    for k in range(room):
        sums[k] = counts[k] = 0
    for k in range(n):
        own = integer_at(group, k)
        sums[own] += held[k]
        counts[own] += words[k]
    for k in range(n):
        own = integer_at(group, k)
        means[k] = sums[own] / counts[own]
        numbers[k] = counts[own]
    return 0
