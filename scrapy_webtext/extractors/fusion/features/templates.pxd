cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Doubles, Longs

@cython.locals(nodes=Py_ssize_t, n=Py_ssize_t, k=Py_ssize_t, i=Py_ssize_t, counts=array, topmost=array, count=Longs, top=Longs, kept=Longs,
    parent=Longs, template=Longs)
cdef tuple _repeated(page, elements)

@cython.locals(is_seen=bytearray, column=array, seen=Bytes, held=Longs, node=Longs, first=Longs, end=Longs, at=Longs, before=Longs,
    template=Longs, k=Py_ssize_t, i=Py_ssize_t)
cdef array _held(page, texts, elements, array nodes, array sums)

@cython.locals(n=Py_ssize_t, templates=Py_ssize_t, k=Py_ssize_t, s=Py_ssize_t, numbers=array, unlinked_sums=array, prose_sums=array,
    ends_sums=array, starts=array, number=Doubles, of_unlinked=Doubles, of_prose=Doubles, of_ends=Doubles, start=Doubles, template=Longs,
    owner=Longs, unlinked=Longs, prose=Longs, ends=Longs, before=Longs, all_unlinked=double, all_prose=double, counts=Doubles,
    unlinked_share=Doubles, prose_share=Doubles, mean=Doubles, sentences=Doubles, starting=Doubles)
cdef _add_template_sums(dict columns, texts, elements)

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, above=array, sums=array, held=Longs, node=Longs, count=Longs, template=Longs, all_unlinked=double,
    parent_count=Doubles, parent_unlinked=Doubles)
cdef _add_parents(dict columns, page, texts, elements, array counts)

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, i=Py_ssize_t, s=Py_ssize_t, start=Py_ssize_t, owner=Longs, top=Longs, items=array, item=Longs,
    unlinked_sums=array, prose_sums=array, befores=array, unlinked=Longs, prose=Longs, before=Longs, template=Longs, count=Longs, first=Longs,
    end=Longs, at=Longs, sums=Longs, all_unlinked=double, all_prose=double, repeated_items=Doubles, item_prose=Doubles, items_unlinked=Doubles,
    items_prose=Doubles, prose_before=Doubles)
cdef _add_items(dict columns, page, texts, elements, array counts, array topmost)

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, sums=array, of_template=Doubles, mean=Doubles, template=Longs, owner=Longs, counts=Doubles,
    template_mean=Doubles)
cpdef double add_token_scores(dict columns, texts, elements, token_scores) except? -1
