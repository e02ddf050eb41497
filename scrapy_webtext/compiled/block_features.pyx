"""Twin of ``extractors/fusion/features/block_features.py``: what blocks, what is around them, and containers hold."""

from cpython.array cimport array, copy

from scrapy_webtext.compiled.arrays cimport as_doubles, as_integers, column, double_at, integer_at
from scrapy_webtext.page.nodes cimport Nodes


cdef inline Py_ssize_t _wrapped(Py_ssize_t place, Py_ssize_t n):
    """A root's parent is -1, in Python the last place."""
    return place + n if place < 0 else place


def _add_text(dict columns, page, texts):
    from scrapy_webtext.extractors.fusion.features.block_features import _TAG_CLASSES

    cdef Nodes nodes = <Nodes?> page.nodes
    cdef array first = as_integers(page.blocks.first_run), end = as_integers(page.blocks.end_run)
    cdef array node = as_integers(texts.node), numbers = as_integers(texts.numbers)
    cdef array words = as_integers(texts.words), chars = as_integers(texts.chars)
    cdef list text = texts.text
    cdef list classes = [_TAG_CLASSES.get(name, 0) for name in nodes.names]
    cdef dict copies = {}
    cdef Py_ssize_t n = len(node), k, b
    cdef double* tag_class = column(columns, "tag_class", n)
    cdef double* runs_per_word = column(columns, "runs_per_word", n)
    cdef double* word_chars = column(columns, "word_chars", n)
    cdef double* copied = column(columns, "copies", n)
    columns["chars"] = chars
    columns["unlinked_chars"] = texts.unlinked_chars
    columns["link_density"] = texts.link_density
    columns["ends_sentence"] = texts.ends
    for k in range(n):
        tag_class[k] = <int> classes[nodes.name.data.as_longlongs[integer_at(node, k)]]
        b = integer_at(numbers, k)
        runs_per_word[k] = (integer_at(end, b) - integer_at(first, b)) / <double> integer_at(words, k)
        word_chars[k] = integer_at(chars, k) / <double> integer_at(words, k)
        found = copies.get(<str> text[k])
        copies[<str> text[k]] = 1 if found is None else <Py_ssize_t> found + 1
    for k in range(n):
        copied[k] = <Py_ssize_t> copies[<str> text[k]]


def _add_ancestors(dict columns, page, texts, elements):
    from scrapy_webtext.extractors.fusion.features.tables import FLAGS, HIDDEN_BY_ATTRIBUTE

    cdef Nodes columns_of = <Nodes?> page.nodes
    cdef const long long* parent = columns_of.parent.data.as_longlongs
    cdef array containers = as_integers(page.containers)
    cdef array node = as_integers(texts.node), owner = as_integers(texts.owner)
    cdef array flags = as_integers(elements.flags), depths = as_integers(elements.depth)
    cdef array total = as_doubles(elements.class_score_sum)
    cdef array lows = as_doubles(elements.class_score_low), highs = as_doubles(elements.class_score_high)
    cdef Py_ssize_t n = len(node), nodes = len(containers), k, i, above, edge_at, further
    cdef int flag, place
    cdef double own, edge
    cdef double* inside[8]
    cdef int bits[8]
    for place, name in enumerate(("nav", "footer", "aside", "article", "main", "figure", "table")):
        inside[place] = column(columns, f"in_{name}", n)
        bits[place] = FLAGS[name]
    inside[7] = column(columns, "is_hidden_by_attribute", n)
    bits[7] = HIDDEN_BY_ATTRIBUTE
    cdef double* depth = column(columns, "depth", n)
    cdef double* scores = column(columns, "class_score_sum", n)
    cdef double* scores_own = column(columns, "class_score_own", n)
    cdef double* low = column(columns, "class_score_low", n)
    cdef double* high = column(columns, "class_score_high", n)
    cdef double* near = column(columns, "class_score_near", n)
    cdef double* middle = column(columns, "class_score_middle", n)
    for k in range(n):
        i = integer_at(owner, k)
        flag = <int> integer_at(flags, i)
        for place in range(8):
            inside[place][k] = (flag & bits[place]) != 0
        depth[k] = integer_at(depths, integer_at(node, k))
        own = double_at(total, i)
        scores[k] = own
        low[k] = double_at(lows, i)
        high[k] = double_at(highs, i)
        # Columns over nodes have one value more than there are nodes, for what is above a root.
        edge_at = _wrapped(parent[integer_at(node, k)], nodes + 1)
        scores_own[k] = own - double_at(total, edge_at)
        above = integer_at(containers, _wrapped(parent[integer_at(node, k)], nodes))
        edge_at = parent[above]
        edge = double_at(total, _wrapped(edge_at, nodes + 1))
        further = integer_at(containers, _wrapped(edge_at, nodes))
        further = integer_at(containers, _wrapped(parent[further], nodes))
        near[k] = own - edge
        middle[k] = edge - double_at(total, further)


def _add_containers(dict columns, page, texts, p):
    from scrapy_webtext.extractors.fusion.features.block_features import _CONTAINER_FEATURES, _NAMES

    cdef Nodes columns_of = <Nodes?> page.nodes
    cdef const long long* parent = columns_of.parent.data.as_longlongs
    cdef array containers = as_integers(page.containers)
    cdef array first = as_integers(page.runs.first), end = as_integers(page.runs.end)
    cdef list values = p.p
    cdef array at = as_integers(texts.at), unlinked_chars = as_integers(texts.unlinked_sums)
    cdef array chars = as_integers(texts.chars_sums), prose = as_integers(texts.prose_sums)
    cdef array nodes = copy(as_integers(texts.node))
    cdef Py_ssize_t rows = len(nodes), level, k, i, a, z, last = -1
    cdef double all_unlinked = integer_at(unlinked_chars, rows) or 1
    cdef double all_prose = integer_at(prose, rows) or 1
    cdef double n
    cdef double* of_node = column(columns, "p", rows)
    cdef double* held[6]
    cdef double said[6]
    cdef int place
    cdef dict unused = {}
    for k in range(rows):
        of_node[k] = values[integer_at(nodes, k)]
    for level in range(1, 4):
        for place, name in enumerate(_CONTAINER_FEATURES):
            name = f"{name}_{level}"
            held[place] = column(columns if name in _NAMES else unused, name, rows)
        last = -1
        for k in range(rows):
            i = integer_at(nodes, k)
            if parent[i] >= 0:
                i = integer_at(containers, parent[i])
                nodes.data.as_longlongs[k] = i
            if i != last:  # blocks beside each other often have one container
                last = i
                a, z = integer_at(at, integer_at(first, i)), integer_at(at, integer_at(end, i))
                n = integer_at(unlinked_chars, z) - integer_at(unlinked_chars, a)
                said[0] = n / all_unlinked
                said[1] = (integer_at(prose, z) - integer_at(prose, a)) / all_prose
                said[2] = values[i]
                said[3] = n / <double> (z - a) if z > a else 0.0
                said[4] = 1 - n / <double> ((integer_at(chars, z) - integer_at(chars, a)) or 1)
                said[5] = z - a
            for place in range(6):
                held[place][k] = said[place]


def _add_neighbours(dict columns, texts):
    cdef array unlinked_chars = as_integers(texts.unlinked_chars), sums = as_integers(texts.unlinked_sums)
    cdef array chars = as_integers(texts.chars_sums), prose = as_integers(texts.prose_sums)
    cdef const double* tag_class = (<array?> columns["tag_class"]).data.as_doubles
    cdef Py_ssize_t n = len(unlinked_chars), i, k, a, z, smooth, held
    cdef double* smoothed = column(columns, "smoothed_unlinked", n)
    cdef double* following = column(columns, "next_unlinked", n)
    cdef double* next_class = column(columns, "next_tag_class", n)
    cdef double* around = column(columns, "window_unlinked", n)
    cdef double* link_density = column(columns, "window_link_density", n)
    cdef double* position = column(columns, "unlinked_position", n)
    cdef double* prose_position = column(columns, "prose_position", n)
    cdef double* left = column(columns, "prose_left", n)
    cdef double all_unlinked = integer_at(sums, n) or 1
    cdef Py_ssize_t all_prose = integer_at(prose, n) or 1
    for i in range(n):
        smooth = 0
        for k in range(max(0, i - 2), min(n, i + 3)):
            smooth += integer_at(unlinked_chars, k) * (3 - (i - k if k < i else k - i))
        smoothed[i] = smooth
        following[i] = integer_at(unlinked_chars, i + 1) if i + 1 < n else 0
        next_class[i] = tag_class[i + 1] if i + 1 < n else 0.0
        a, z = max(0, i - 8), min(n, i + 9)
        held = integer_at(sums, z) - integer_at(sums, a)
        around[i] = held
        link_density[i] = 1 - held / <double> (integer_at(chars, z) - integer_at(chars, a))
        position[i] = integer_at(sums, i) / all_unlinked
        prose_position[i] = integer_at(prose, i) / <double> all_prose
        left[i] = all_prose - integer_at(prose, i + 1)
