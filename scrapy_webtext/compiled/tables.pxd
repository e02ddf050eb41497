from cpython.array cimport array

from scrapy_webtext.compiled.arrays cimport integer_at
from scrapy_webtext.page.nodes cimport Nodes


cdef inline Py_ssize_t container_above(Nodes nodes, array containers, Py_ssize_t node) except -1:
    """Return the nearest block-level element above a node; a root is its own."""
    cdef Py_ssize_t above = nodes.parent.data.as_longlongs[node]
    return <Py_ssize_t> integer_at(containers, above) if above >= 0 else node
