from scrapy_webtext.compiled.marks cimport Marks

cdef bint may_be_unspaced(str text)
cdef Marks blank  #: counts spaces
cdef Py_ssize_t words_in(str text, unspaced_chars) except -1
