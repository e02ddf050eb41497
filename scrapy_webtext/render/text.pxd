cimport cython


@cython.locals(text=str, path=tuple, pieces=list, before=list, places=dict, last=tuple, row=list)
cdef tuple _render_pieces(outline)
@cython.locals(level=Py_ssize_t, depth=Py_ssize_t, kind=str)
cdef _find_place(dict role, tuple path)
cdef str _make_lead(place, tuple last, numbers)
@cython.locals(inside=dict, gap=str, cells=list)
cdef _add_row(outline, list row, list pieces, list before)
