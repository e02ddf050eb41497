"""Twin of ``page/render/plain_text.py``: blocks with the same containers stand in the same place."""

from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes


def render_pieces(outline):
    from scrapy_webtext.page.render.containers import DEFINITION, ITEM, ROW
    from scrapy_webtext.page.render.lists import Numbers
    from scrapy_webtext.page.render.plain_text import BULLET, INDENT, add_row

    cdef list texts = outline.texts, paths = outline.paths, pieces = [], before = [], row = []
    cdef dict role = outline.role
    cdef tuple path, place = (), last = ()
    cdef Py_ssize_t k, depth, level = 0, item = -1, around = -1, here = -1, row_before
    cdef str text, gap
    cdef Nodes nodes = None if outline.page is None else stored_nodes(outline.page.nodes)
    numbers = None
    for k in range(len(texts)):
        path = <tuple> paths[k]
        row_before = here
        if path is not place:
            place = path
            level, item, around, here = 0, -1, -1, -1
            for depth in range(len(path)):
                what = role[path[depth]]
                if what is ITEM:
                    level, item, around = level + 1, path[depth], path[depth - 1] if depth else -1
                elif what is DEFINITION:
                    level, item = level + 1, -1
                elif what is ROW:
                    here = path[depth]
                    break
        if row and here != row_before:
            add_row(outline, row, pieces, before)
            row = []
        if not row:
            gap = "\n"
            if level and (item < 0 or item in last):
                gap += INDENT * level
            elif level:
                number = None
                if nodes is not None and around >= 0 and nodes.names[nodes.name[around]] == "ol":
                    if numbers is None:
                        numbers = Numbers(outline.page.nodes)
                    number = numbers.of(around, item)
                gap += INDENT * (level - 1) + (BULLET if number is None else f"{number}. ")
            before.append(gap)
        last = path
        if here >= 0:
            row.append(k)
            continue
        text = <str> texts[k]
        if level and "\n" in text:
            text = text.replace("\n", "\n" + INDENT * level)
        pieces.append(text)
    if row:
        add_row(outline, row, pieces, before)
    if before:
        before[0] = (<str> before[0])[1:]
    return before, pieces
