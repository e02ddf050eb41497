"""Twin of ``extractors/wffte/container_tree.py``: passes over the nodes of a page."""

from cpython.array cimport array

from scrapy_webtext.compiled.integers cimport as_integers, integer_at, integers
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.untracked cimport untracked

cdef Kinds _kinds = None
cdef frozenset _BODY = frozenset({"body"})


def read_containers(nodes, removed, q=10, coordinate="example"):
    global _kinds
    from scrapy_webtext.extractors.wffte import container_tree as python

    if _kinds is None:
        _kinds = Kinds(python.CONTAINERS)
    cdef Nodes own = stored_nodes(nodes)
    cdef bytearray is_container = own.kinds(_kinds)
    cdef array nearest = integers(own.count)
    cdef list bodies = own.tagged(_BODY)
    cdef list node, parent, serial, depths, coordinates, weights = [0.0, 1.0], children = [0]
    cdef bytearray mask = removed if type(removed) is bytearray else bytearray(removed)
    cdef Py_ssize_t i, up, row, depth, inner
    if len(mask) != own.count:
        raise IndexError(len(mask))
    node, parent, serial = untracked([bodies[0] if bodies else 0]), [-1], [1]
    depths, coordinates = [0], [0.0]
    for i in range(own.count):
        up = own.up[i]
        row = integer_at(nearest, up) if up >= 0 else 0
        if is_container[own.name[i]] and not mask[i]:
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
        nearest.data.as_longlongs[i] = row
    columns = [untracked(column) for column in (parent, serial, depths, coordinates)]
    return python.Containers(node, *columns, untracked(_ends(parent))), nearest


def rows_of(nodes, nearest, bytearray removed not None, bint has_body):
    cdef array owner = as_integers(nodes), row_of = as_integers(nearest)
    cdef list rows = untracked([])
    cdef Py_ssize_t k, node, row
    if len(removed) != len(row_of):
        raise IndexError(len(removed))
    for k in range(len(owner)):
        node = integer_at(owner, k)
        if not 0 <= node < len(row_of):
            raise IndexError(node)
        row = -1 if removed[node] else integer_at(row_of, node)
        rows.append(number(row if row or has_body else -1))
    return rows


cdef list _ends(list parents):
    """Return per row the row after the last inside it."""
    cdef Py_ssize_t row, up, rows = len(parents)
    cdef list end = [number(row) for row in range(1, rows + 1)]
    for row in range(rows - 1, 0, -1):
        up = parents[row]
        if <Py_ssize_t> end[up] < <Py_ssize_t> end[row]:
            end[up] = end[row]
    return end
