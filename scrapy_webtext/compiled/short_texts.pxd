cdef double score_into(list texts, token_scores, double* means, double* lows) except? -1
