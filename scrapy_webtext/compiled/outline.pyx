"""Twin of ``page/render/outline.py``: which blocks and runs, without a row or a list for each.

Left to Python: code, tables, posts, and what is to be cleaned.
"""

from cpython.array cimport array

from scrapy_webtext.compiled import in_python
from scrapy_webtext.compiled.integers cimport as_integers, integer_at
from scrapy_webtext.compiled.numbers cimport number


def outline_of_blocks(page, chosen):
    cdef array first_run = as_integers(page.blocks.first_run), owner = as_integers(page.runs.node)
    cdef list blocks = list(chosen), asked = []
    cdef Py_ssize_t block, last = len(first_run)
    for block in blocks:
        if not 0 <= block < last:
            return in_python("page.render.outline.outline_of_blocks")(page, blocks)
        asked.append(number(integer_at(owner, integer_at(first_run, block))))
    return _outline(page, blocks, asked, None, None)


def outline_of_runs(page, chosen):
    cdef array owner = as_integers(page.runs.node), end_run = as_integers(page.blocks.end_run)
    cdef list runs = list(chosen), blocks = [], asked = [], begins = []
    cdef Py_ssize_t k, run, last = -1, block = -1, end = 0
    for k in range(len(runs)):
        run = runs[k]
        if not last < run < len(owner):
            return in_python("page.render.outline.outline_of_runs")(page, runs)
        last = run
        if run >= end:
            while run >= end:
                block += 1
                end = integer_at(end_run, block)
            blocks.append(number(block))
            asked.append(number(integer_at(owner, run)))
            begins.append(k)
    begins.append(len(runs))
    return _outline(page, blocks, asked, runs, begins)


cdef _outline(page, list blocks, list asked, list runs, list begins):
    """Return the outline of blocks; ``begins`` has where those of each begin in ``runs``."""
    from scrapy_webtext.page.render import outline
    from scrapy_webtext.page.render.containers import CODE, read_containers
    from scrapy_webtext.page.storable import storable_text

    cdef array gaps = as_integers(page.runs.gap)
    cdef list paths, texts = [], pieces = page.runs.text
    cdef dict role
    cdef tuple path, seen = None
    cdef Py_ssize_t k
    cdef bint is_code = False, has_paths = False, is_preformatted = bool(page.runs.preformatted)
    own = page.blocks
    cdef array first_run = as_integers(own.first_run), end_run = as_integers(own.end_run)
    cdef list whole_texts = own.text, some
    cdef bint is_shown = not own.unshown
    cdef Py_ssize_t block, held
    left_out = frozenset()
    paths, role = read_containers(page.nodes, asked)
    for k in range(len(blocks)):
        path = <tuple> paths[k]
        block = blocks[k]
        if path is not seen:
            seen, is_code = path, bool(path) and role[path[len(path) - 1]] is CODE
            has_paths = has_paths or bool(path)
        if not is_code and not is_preformatted:
            if runs is not None:
                held = <Py_ssize_t> begins[k + 1] - <Py_ssize_t> begins[k]
                if is_shown:
                    held -= integer_at(end_run, block) - integer_at(first_run, block)
                else:
                    held -= len(own.runs(block))
            if runs is None or not held:
                texts.append(whole_texts[block])
                continue
        some = list(own.runs(block)) if runs is None else runs[begins[k] : begins[k + 1]]
        if is_code:
            texts.append(outline._text(page, block, some, True))
        else:
            texts.append(_joined(pieces, gaps, some))
    if has_paths:
        paths, left_out = _meaningful(page, role, paths, texts)
    whole = "".join(texts)
    if storable_text(whole) != whole:
        if runs is None:
            return in_python("page.render.outline.outline_of_blocks")(page, blocks)
        return in_python("page.render.outline.outline_of_runs")(page, runs)
    return outline.Outline(texts, paths, role, page, blocks, runs, left_out)


cdef str _joined(list pieces, array gaps, list chosen):
    """Text of some runs of one block, set off by the widest gap between each two."""
    cdef Py_ssize_t k, run, last = chosen[0]
    cdef int gap
    cdef list parts = [pieces[last]]
    for k in range(1, len(chosen)):
        gap = 0
        run = chosen[k]
        while last < run:
            last += 1
            gap = max(gap, <int> integer_at(gaps, last))
        if gap:
            parts.append(" " if gap == 1 else "\n")
        parts.append(pieces[run])
    return "".join(parts)


cdef tuple _meaningful(page, dict role, list paths, list texts):
    from scrapy_webtext.page.render import containers, layout, outline

    cdef set left_out = layout.layout_tables(page.nodes, role, paths, texts)
    cdef list found
    cdef tuple path, seen = None, made = ()
    cdef Py_ssize_t around, max_depth = containers.MAX_DEPTH
    left_out |= outline._posts(role, paths)
    if left_out:
        found = []
        for path in paths:
            if path is not seen:
                seen, made = path, tuple([i for i in path if i not in left_out])
            found.append(made)
        paths = found
    around = _around_all(paths, role, outline._AROUND_ALL)
    found, seen = [], None
    for path in paths:
        if path is not seen:
            seen = made = path
            if left_out or around or len(path) > max_depth:  # else it is complete as it is
                made = containers.complete(path[around:][:max_depth], role)
        found.append(made)
    left_out.update((<tuple> paths[0])[:around])
    return found, frozenset(left_out)


cdef Py_ssize_t _around_all(list paths, dict role, telling_nothing) except -1:
    """Return how many containers around all of the text tell nothing of it."""
    cdef tuple first = <tuple> paths[0], path, seen = first
    cdef Py_ssize_t shared = len(first), depth, last = 0
    for path in paths:
        if path is not seen:
            seen = path
            depth = 0
            shared = min(shared, len(path))
            while depth < shared and <Py_ssize_t> path[depth] == <Py_ssize_t> first[depth]:
                depth += 1
            shared = depth
            if not shared:
                return 0
    for depth in range(shared):
        if role[first[depth]] in telling_nothing:
            last = depth + 1
    return last
