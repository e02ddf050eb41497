"""Twin of ``extractors/fusion/features/tables.py``: columns over the elements that hold visible text."""

from scrapy_webtext.compiled.attributes cimport Attributes, stored
from scrapy_webtext.compiled.kinds cimport Kinds

#: Bits of an attribute's name, in the order of the sets that `_kinds` is made of.
cdef enum Kind:
    IS_READ = 1
    IS_HIDING = 2
    IS_CLASS = 4

cdef Kinds _kinds = None


cdef str _without_digits(str value):
    cdef Py_ssize_t k
    for k in range(len(value)):
        if u"0" <= value[k] <= u"9":
            return (<bytes> value.encode()).translate(None, b"0123456789").decode()
    return value


def element_table(page, bytearray excluded_nodes, score):
    global _kinds
    from scrapy_webtext.extractors.fusion.features import tables

    if _kinds is None:
        _kinds = Kinds(tables._CLASS_NAME_ATTRIBUTES, tables._HIDING_ATTRIBUTES, frozenset({"class"}))
    nodes, runs = page.nodes, page.runs
    cdef list tag = nodes.tag, parent = nodes.parent
    cdef Attributes table = stored(nodes.attributes)
    cdef bytearray bits_of = bytearray([_kinds.of(<str> name) for name in table.names])
    cdef list first_run = runs.first, end_run = runs.end
    cdef Py_ssize_t n = len(tag), i, k, up, left = tables.MAX_PAGE_CLASS_NAME_CHARS
    cdef Py_ssize_t max_chars = tables.MAX_CLASS_NAME_CHARS
    cdef list kept_nodes = [], names = [""] * n
    # One more than there are nodes: a root's parent is -1, the last.
    cdef list flags = [0] * (n + 1), depth = [0] * (n + 1), template_id = [0] * (n + 1)
    cdef list total = [0.0] * (n + 1), low = [0.0] * (n + 1), high = [0.0] * (n + 1)
    cdef dict looks = {}, known = {}, scores = {"": (0.0, 0.0, None)}, flag_of = tables.FLAGS
    cdef int unseen = tables.HIDDEN_BY_ATTRIBUTE, flag, bits
    cdef str joined, kind, value
    cdef double below, above, own
    cdef object number
    for i in range(n):
        if <Py_ssize_t> first_run[i] >= <Py_ssize_t> end_run[i] or excluded_nodes[i]:
            continue
        kept_nodes.append(i)
        up = parent[i]
        if up < 0:
            up = n
        name = tag[i]
        number = flag_of.get(name)
        flag = 0 if number is None else number
        joined = kind = ""
        for k in range(table.place[i], table.place[i + 1]):
            bits = bits_of[table.name[k]]
            if bits & IS_READ:
                value = table.value(k)
                joined = f"{joined} {value}" if joined else value
                if bits & IS_CLASS:
                    kind = _without_digits(value)
            elif bits & IS_HIDING and tables._hides(table.names[table.name[k]], table.value(k)):
                flag |= unseen
        flags[i] = <int> flags[up] | flag
        depth[i] = <Py_ssize_t> depth[up] + 1
        # Numbers for tags with their classes, and for these below one another: no tuples, which
        # the garbage collector would look at. Tags have no blanks.
        look = f"{name} {kind}" if kind else name
        number = looks.get(look)
        if number is None:
            number = len(looks)
            looks[look] = number
        key = <long long> template_id[up] << 32 | <long long> number
        number = known.get(key)
        if number is None:
            number = len(known) + 1
            known[key] = number
        template_id[i] = number
        if not joined:
            total[i], low[i], high[i] = total[up], low[up], high[up]
            continue
        joined = joined[:max_chars]
        found = scores.get(joined)
        if found is None:
            left -= len(joined)
            if left < 0:
                joined = ""
                found = scores[""]
            else:
                found = score(joined)
                scores[joined] = found
        names[i] = joined
        below, above = (<tuple> found)[0], (<tuple> found)[1]
        own = <double> total[up] + below + above
        total[i] = own
        low[i] = below if below < <double> low[up] else low[up]
        high[i] = above if above > <double> high[up] else high[up]
    return tables.ElementTable(kept_nodes, names, flags, depth, template_id, total, low, high)
