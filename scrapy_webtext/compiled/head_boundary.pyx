"""Twin of ``page/head_boundary.py``: the search for <head>; what is done with one is left to Python."""


def end_heads(nodes):
    from scrapy_webtext.page.head_boundary import _end_head

    cdef list tag = nodes.tag, heads = []
    cdef Py_ssize_t i
    cdef str name
    for i in range(len(tag)):
        name = <str> tag[i]
        if len(name) == 4 and name == "head":
            heads.append(i)
    for head in heads:
        _end_head(nodes, head)
    return nodes
