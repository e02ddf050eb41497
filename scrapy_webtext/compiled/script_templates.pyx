"""Twin of ``page/script_templates.py``: the look at the types of all scripts."""

from scrapy_webtext.compiled.attributes cimport Attributes
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes


def has_templates(nodes):
    from scrapy_webtext.page import script_templates

    cdef Nodes own = stored_nodes(nodes)
    cdef Attributes table = own.attributes
    cdef Py_ssize_t i, k
    cdef int script, kind
    cdef set seen = set()
    cdef str value
    if "script" not in own.names or "type" not in table.names:
        return False
    script, kind = own.names.index("script"), table.names.index("type")
    for i in range(own.count):
        if own.name[i] == script:
            for k in range(table.place[i], table.place[i + 1]):
                if table.name[k] != kind:
                    continue
                value = table.value(k)
                if value not in seen and script_templates._is_template(value):
                    return True
                seen.add(value)
    return False
