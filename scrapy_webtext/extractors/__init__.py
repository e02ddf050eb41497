"""The extractors: a file per published method, and ``fusion``, which imports some of them."""
