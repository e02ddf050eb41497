"""Features of blocks, of pages, and of the blocks around a block.

``tables`` reads a page into columns over its elements and candidate blocks. The other modules
compute features from these columns.
"""
