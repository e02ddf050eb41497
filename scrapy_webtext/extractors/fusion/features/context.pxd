cimport cython
from cpython.array cimport array
from libc cimport math

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Doubles, Longs
from scrapy_webtext.extractors.fusion.expected_f1 cimport best_threshold

@cython.locals(
    nodes=array, owners=array, templates=array, parents=array, containers=array,
    template_id=array, container_id=array,
    node=Longs, owner=Longs, parent=Longs, template=Longs, container=Longs,
    of_template=Longs, of_container=Longs, n=Py_ssize_t, k=Py_ssize_t, up=Py_ssize_t)
cpdef groups(page, table)

@cython.locals(
    chances=array, numbers=array, weights=array, weighted=array, weight_sums=array,
    weighted_sums=array, columns=dict, words=Longs, p=Doubles, weight=Doubles, held=Doubles,
    score=Doubles, position=Doubles, before_2=Doubles, before=Doubles, after=Doubles,
    after_2=Doubles, sums=Doubles, expected=double, least=double, chance=double,
    n=Py_ssize_t, k=Py_ssize_t)
cpdef dict context_columns(blocks, first)

@cython.locals(
    chances=array, numbers=array, p=Doubles, words=Longs, n=Py_ssize_t, k=Py_ssize_t,
    weight=double, total=double, likely=double, sure=double, expected=double, variance=double,
    greatest=double, likely_from=double, sure_from=double)
cpdef dict context_constants(blocks, first)

@cython.locals(of=Doubles, to=Doubles, total=double, k=Py_ssize_t)
cdef _add_up(array column, array sums)

@cython.locals(
    group=Longs, n=Py_ssize_t, k=Py_ssize_t, most=Py_ssize_t, sums=array, counts=array,
    total=Doubles, count=Doubles, held=Doubles, weight=Doubles, mean=Doubles, number=Doubles)
cdef _add_means(
    array means, array weights_of_groups, array groups, array weighted, array weights)

@cython.locals(
    n=Py_ssize_t, k=Py_ssize_t, a=Py_ssize_t, z=Py_ssize_t, mean=Doubles, held=Doubles,
    weight=Doubles)
cdef _add_windows(array means, array weighted_sums, array weight_sums, Py_ssize_t reach)

@cython.locals(
    n=Py_ssize_t, k=Py_ssize_t, p=Doubles, before=Doubles, after=Doubles, anchor=double,
    far=double, distance=double)
cdef _add_distances(array since, array until, array chances)
