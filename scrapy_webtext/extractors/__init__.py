"""The extractors: a file per published method, and ``fusion``, which alone imports others."""
