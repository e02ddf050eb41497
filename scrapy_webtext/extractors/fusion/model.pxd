from libc cimport math

cpdef double logistic(double score)
