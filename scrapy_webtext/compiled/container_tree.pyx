"""Twin of ``extractors/wffte/container_tree.py``: one pass over the tags of a page."""

from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.untracked cimport untracked

cdef Kinds _kinds = None


def read_containers(nodes, removed, q=10, coordinate="example"):
    global _kinds
    from scrapy_webtext.extractors.wffte import container_tree as python

    if _kinds is None:
        _kinds = Kinds(python.CONTAINERS)
    cdef list tag = nodes.tag, outer = nodes.parent, nearest = untracked([])
    cdef list node, parent, serial, depths, coordinates, weights = [0.0, 1.0], children = [0]
    cdef bytearray mask = removed if type(removed) is bytearray else bytearray(removed)
    cdef Py_ssize_t i, up, row, depth, inner
    if len(mask) != len(tag):
        raise IndexError(len(mask))
    node, parent, serial = untracked([tag.index("body") if "body" in tag else 0]), [-1], [1]
    depths, coordinates = [0], [0.0]
    for i in range(len(tag)):
        up = outer[i]
        row = nearest[up] if up >= 0 else 0
        if _kinds.of(<str> tag[i]) and not mask[i]:
            inner = <Py_ssize_t> children[row] + 1
            children[row] = number(inner)
            depth = <Py_ssize_t> depths[row] + 1
            if depth == len(weights):
                weights.append(python._power(q, depth - 1, coordinate))
            node.append(number(i))
            parent.append(number(row))
            serial.append(children[row])
            depths.append(number(depth))
            coordinates.append(
                <double> coordinates[row] + <double> inner * <double> weights[depth]
            )
            row = len(children)
            children.append(number(0))
        nearest.append(number(row))
    columns = [untracked(column) for column in (parent, serial, depths, coordinates)]
    return python.Containers(node, *columns, untracked(_ends(parent))), nearest


cdef list _ends(list parents):
    """Return per row the row after the last inside it."""
    cdef Py_ssize_t row, up, rows = len(parents)
    cdef list end = [number(row) for row in range(1, rows + 1)]
    for row in range(rows - 1, 0, -1):
        up = parents[row]
        if <Py_ssize_t> end[up] < <Py_ssize_t> end[row]:
            end[up] = end[row]
    return end
