"""The extractors: one file per published method, and ``fusion``, which uses some of them."""
