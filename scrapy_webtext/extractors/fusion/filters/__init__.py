"""Blocks that are removed, one module per reason.

``landmarks`` decides before the features are computed which nodes are left out; the other modules
remove blocks after scoring.
"""
