"""Twin of ``extractors/fusion/features/block_features.py``: what containers hold, and what lies around blocks."""


cdef inline Py_ssize_t _at(list column, object place):
    return column[<Py_ssize_t> place]


def _add_containers(dict columns, page, texts, p):
    from scrapy_webtext.extractors.fusion.features.block_features import _CONTAINER_FEATURES, _NAMES

    cdef list containers = page.containers, parent = page.nodes.parent, values = p.p
    cdef list at = texts.at, first = page.runs.first, end = page.runs.end
    cdef list unlinked_chars = texts.unlinked_sums, chars = texts.chars_sums, prose = texts.prose_sums
    cdef list nodes = list(texts.node), column, held
    cdef Py_ssize_t rows = len(nodes), level, k, i, a, z
    cdef double all_unlinked = <Py_ssize_t> unlinked_chars[len(unlinked_chars) - 1] or 1
    cdef double all_prose = <Py_ssize_t> prose[len(prose) - 1] or 1
    cdef double n
    columns["p"] = [values[i] for i in nodes]
    for level in range(1, 4):
        held = []
        for name in _CONTAINER_FEATURES:
            column = []
            held.append(column)
            if f"{name}_{level}" in _NAMES:
                columns[f"{name}_{level}"] = column
        for k in range(rows):
            i = nodes[k]
            if <Py_ssize_t> parent[i] >= 0:
                i = _at(containers, parent[i])
                nodes[k] = i
            a, z = _at(at, first[i]), _at(at, end[i])
            n = _at(unlinked_chars, z) - _at(unlinked_chars, a)
            (<list> held[0]).append(n / all_unlinked)
            (<list> held[1]).append((_at(prose, z) - _at(prose, a)) / all_prose)
            (<list> held[2]).append(values[i])
            (<list> held[3]).append(n / <double> (z - a) if z > a else 0.0)
            (<list> held[4]).append(1 - n / <double> ((_at(chars, z) - _at(chars, a)) or 1))
            (<list> held[5]).append(z - a)


def _add_neighbours(dict columns, texts):
    cdef list unlinked_chars = texts.unlinked_chars, sums = texts.unlinked_sums, chars = texts.chars_sums
    cdef list prose = texts.prose_sums, kind = columns["tag_class"]
    cdef Py_ssize_t n = len(texts.node), i, k, a, z, smooth, held
    cdef list smoothed = [], around = [], link_density = [], position = [], prose_position = []
    cdef list left = []
    cdef double all_unlinked = <Py_ssize_t> sums[n] or 1
    cdef Py_ssize_t all_prose = <Py_ssize_t> prose[n] or 1
    for i in range(n):
        smooth = 0
        for k in range(max(0, i - 2), min(n, i + 3)):
            smooth += <Py_ssize_t> unlinked_chars[k] * (3 - abs(i - k))
        smoothed.append(smooth)
        a, z = max(0, i - 8), min(n, i + 9)
        held = _at(sums, z) - _at(sums, a)
        around.append(held)
        link_density.append(1 - held / <double> (_at(chars, z) - _at(chars, a)))
        position.append(<Py_ssize_t> sums[i] / all_unlinked)
        prose_position.append(<Py_ssize_t> prose[i] / <double> all_prose)
        left.append(all_prose - <Py_ssize_t> prose[i + 1])
    columns["smoothed_unlinked"] = smoothed
    columns["next_unlinked"] = [*unlinked_chars[1:], 0][:n]
    columns["next_tag_class"] = [*kind[1:], 0][:n]
    columns["window_unlinked"] = around
    columns["window_link_density"] = link_density
    columns["unlinked_position"] = position
    columns["prose_position"] = prose_position
    columns["prose_left"] = left
