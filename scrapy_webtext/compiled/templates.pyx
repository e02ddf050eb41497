"""Twin of ``extractors/fusion/features/templates.py``: sums over blocks of equal tags and classes."""

from cpython.array cimport array

from scrapy_webtext.compiled.arrays cimport as_integers, column, integer_at
from scrapy_webtext.core.memory cimport zeros
from scrapy_webtext.page.nodes cimport Nodes
from scrapy_webtext.compiled.short_texts cimport score_into
from scrapy_webtext.compiled.tables cimport container_above


cdef inline Py_ssize_t* _zeros(list held, Py_ssize_t n) except NULL:
    """Return room for ``n`` whole numbers, all 0, which lives as long as the list."""
    return <Py_ssize_t*> zeros(held, n * sizeof(Py_ssize_t))


def add_templates(dict columns, page, texts, elements):
    cdef array template_id = as_integers(elements.template_id)
    cdef array kept_nodes = as_integers(elements.kept_nodes)
    cdef Nodes own = <Nodes?> page.nodes
    cdef array containers = as_integers(page.containers)
    cdef array node = as_integers(texts.node), owner = as_integers(texts.owner)
    cdef array at = as_integers(texts.at), unlinked_chars = as_integers(texts.unlinked_chars)
    cdef array prose = as_integers(texts.prose), ends = as_integers(texts.ends)
    cdef array unlinked_sums = as_integers(texts.unlinked_sums), prose_sums = as_integers(texts.prose_sums)
    cdef array first = as_integers(page.runs.first), end = as_integers(page.runs.end)
    cdef list rooms = []
    # Per template, of which there are at most as many as nodes, or per node.
    cdef Py_ssize_t n = len(node), nodes = len(own.name), k, i, s, a, z
    cdef Py_ssize_t* counts = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* topmost = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* number = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* unlinked = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* prose_held = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* ended = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* start = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* is_seen = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* above_held = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* items_held = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* items_prose_held = _zeros(rooms, nodes + 1)
    cdef Py_ssize_t* before = _zeros(rooms, nodes + 1)
    cdef double all_unlinked = integer_at(unlinked_sums, n) or 1, all_prose = integer_at(prose_sums, n) or 1
    cdef double* template_count = column(columns, "template_count", n)
    cdef double* template_unlinked = column(columns, "template_unlinked", n)
    cdef double* template_prose = column(columns, "template_prose", n)
    cdef double* template_mean = column(columns, "template_mean", n)
    cdef double* template_sentences = column(columns, "template_sentences", n)
    cdef double* template_start = column(columns, "template_start", n)
    cdef double* parent_count = column(columns, "parent_template_count", n)
    cdef double* parent_unlinked = column(columns, "parent_template_unlinked", n)
    cdef double* repeated_items = column(columns, "repeated_items", n)
    cdef double* item_prose = column(columns, "item_prose", n)
    cdef double* items_unlinked = column(columns, "items_unlinked", n)
    cdef double* items_prose = column(columns, "items_prose", n)
    cdef double* prose_before = column(columns, "prose_before_items", n)
    for k in range(len(kept_nodes)):
        counts[integer_at(template_id, integer_at(kept_nodes, k))] += 1
    for k in range(len(kept_nodes)):
        i = integer_at(kept_nodes, k)
        a = own.parent.data.as_longlongs[i]
        topmost[i] = topmost[a] if a >= 0 else 0
        if not topmost[i] and counts[integer_at(template_id, i)] > 2:
            topmost[i] = i
    for k in range(n):
        s = integer_at(template_id, integer_at(owner, k))
        if not number[s]:
            start[s] = integer_at(prose_sums, k)
        number[s] += 1
        unlinked[s] += integer_at(unlinked_chars, k)
        prose_held[s] += integer_at(prose, k)
        ended[s] += integer_at(ends, k)
        # Bit 1: counted as the container of a block, bit 2: as the item.
        i = container_above(own, containers, integer_at(node, k))
        s = integer_at(template_id, i)
        if not is_seen[i] & 1:
            is_seen[i] |= 1
            a, z = integer_at(at, integer_at(first, i)), integer_at(at, integer_at(end, i))
            above_held[s] += integer_at(unlinked_sums, z) - integer_at(unlinked_sums, a)
        i = topmost[integer_at(owner, k)]
        s = integer_at(template_id, i)
        if not is_seen[i] & 2:
            is_seen[i] |= 2
            a, z = integer_at(at, integer_at(first, i)), integer_at(at, integer_at(end, i))
            items_held[s] += integer_at(unlinked_sums, z) - integer_at(unlinked_sums, a)
            items_prose_held[s] += integer_at(prose_sums, z) - integer_at(prose_sums, a)
            if i and not before[s]:
                before[s] = 1 + integer_at(prose_sums, a)
    for k in range(n):
        s = integer_at(template_id, integer_at(owner, k))
        template_count[k] = number[s]
        template_unlinked[k] = unlinked[s] / all_unlinked
        template_prose[k] = prose_held[s] / all_prose
        template_mean[k] = unlinked[s] / <double> number[s]
        template_sentences[k] = ended[s] / <double> number[s]
        template_start[k] = start[s] / all_prose
        s = integer_at(template_id, container_above(own, containers, integer_at(node, k)))
        parent_count[k] = counts[s]
        parent_unlinked[k] = above_held[s] / all_unlinked
        i = topmost[integer_at(owner, k)]
        if not i:
            repeated_items[k] = 0
            item_prose[k] = prose_before[k] = -1
            items_unlinked[k] = items_prose[k] = 0
            continue
        s = integer_at(template_id, i)
        a, z = integer_at(at, integer_at(first, i)), integer_at(at, integer_at(end, i))
        repeated_items[k] = counts[s]
        item_prose[k] = integer_at(prose_sums, z) - integer_at(prose_sums, a)
        items_unlinked[k] = items_held[s] / all_unlinked
        items_prose[k] = items_prose_held[s] / all_prose
        prose_before[k] = (before[s] - 1) / all_prose


def add_token_scores(dict columns, texts, elements, token_scores):
    from scrapy_webtext.extractors.fusion.features.short_texts import AROUND

    cdef array template_id = as_integers(elements.template_id), owner = as_integers(texts.owner)
    cdef Py_ssize_t n = len(owner), k, a, z, reach = AROUND
    cdef dict unused = {}
    cdef double* sums = column(unused, "sums", n + 1)
    cdef double* of_template = column(unused, "of template", len(template_id) + 1)
    cdef double* means = column(columns, "token_score_mean", n)
    cdef double* lows = column(columns, "token_score_low", n)
    cdef double* window = column(columns, "token_score_window", n)
    cdef double* template_mean = column(columns, "token_score_template", n)
    cdef double article = score_into(texts.text, token_scores, means, lows)
    cdef const double* counts = (<array?> columns["template_count"]).data.as_doubles
    sums[0] = 0
    for k in range(len(template_id)):
        of_template[k] = 0
    for k in range(n):
        sums[k + 1] = sums[k] + means[k]
        of_template[integer_at(template_id, integer_at(owner, k))] += means[k]
    for k in range(n):
        a, z = max(0, k - reach), min(n, k + reach + 1)
        window[k] = (sums[z] - sums[a]) / <double> (z - a)
        template_mean[k] = (
            of_template[integer_at(template_id, integer_at(owner, k))] / counts[k]
        )
    return article
