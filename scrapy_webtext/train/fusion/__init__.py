"""Training of ``fusion`` and ``learned``: a trainer for each thing that the extractor infers."""
