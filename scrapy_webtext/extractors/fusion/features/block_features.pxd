cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Doubles, Longs

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, text=list, kinds=array, kind=Longs, node=Longs, number=Longs, first=Longs, end=Longs, chars=Longs,
    words=Longs, tag_class=Doubles, runs_per_word=Doubles, word_chars=Doubles, copied=Doubles, copies=dict)
cdef _add_text(dict columns, page, texts)

cdef Py_ssize_t _wrapped(Py_ssize_t place, Py_ssize_t n) noexcept

@cython.locals(n=Py_ssize_t, nodes=Py_ssize_t, k=Py_ssize_t, i=Py_ssize_t, up=Py_ssize_t, above=Py_ssize_t, further=Py_ssize_t, node=Longs,
    owner=Longs, parent=Longs, container=Longs, depths=Longs, total=Doubles, lows=Doubles, highs=Doubles, depth=Doubles, scores=Doubles,
    own=Doubles, low=Doubles, high=Doubles, near=Doubles, middle=Doubles, edge=double)
cdef _add_ancestors(dict columns, page, texts, elements)

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, owner=Longs, flags=Longs, column=Doubles)
cdef _add_flag(dict columns, str name, texts, elements, int bit)

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, values=list, node=Longs, of_node=Doubles, around=array, made=dict)
cdef _add_containers(dict columns, page, texts, p)

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, i=Py_ssize_t, a=Py_ssize_t, z=Py_ssize_t, node=Longs, at=Longs, first=Longs, end=Longs, unlinked=Longs,
    chars=Longs, prose=Longs, all_unlinked=double, all_prose=double, held=double, unlinked_share=Doubles, prose_share=Doubles, of_node=Doubles,
    mean=Doubles, link_density=Doubles, blocks=Doubles)
cdef _add_level(dict columns, page, texts, list p, array nodes)

@cython.locals(n=Py_ssize_t, i=Py_ssize_t, k=Py_ssize_t, a=Py_ssize_t, z=Py_ssize_t, unlinked=Longs, sums=Longs, chars=Longs, prose=Longs,
    tag_class=Doubles, smoothed=Doubles, following=Doubles, next_class=Doubles, window=Doubles, link_density=Doubles, position=Doubles,
    prose_position=Doubles, left=Doubles, all_unlinked=double, all_prose=double)
cdef _add_neighbours(dict columns, texts)

@cython.locals(half=Py_ssize_t, n=Py_ssize_t, k=Py_ssize_t, after=Py_ssize_t, number=Longs, tags=Longs, first_run=Longs, words=Longs, chars=Longs,
    unlinked=Longs, gains=array, gain=Doubles)
cpdef bytearray add_distances(dict columns, page, texts, elements, p)

@cython.locals(sums=Longs, at=Longs, kept=array, first=Longs, end=Longs, node=Longs, bound=double, k=Py_ssize_t)
cdef Py_ssize_t _deepest(page, texts, elements, double share) except -2

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, at=Longs, parent=Longs, first=Longs, end=Longs, steps=Doubles, low=Py_ssize_t, high=Py_ssize_t,
    step=Py_ssize_t, a=Py_ssize_t, z=Py_ssize_t, nowhere=Py_ssize_t)
cdef _add_node(dict columns, str name, page, texts, Py_ssize_t node)

@cython.locals(column=Doubles, k=Py_ssize_t)
cdef _add_distance(dict columns, str name, Py_ssize_t n, Py_ssize_t first, Py_ssize_t end)

@cython.locals(greatest=double, total=double, start=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t, gain=Doubles, k=Py_ssize_t)
cdef _add_plateau(dict columns, str name, array gains)
