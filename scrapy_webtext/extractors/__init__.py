"""The extractors: a folder per published method, and ``fusion``, which alone imports others."""
