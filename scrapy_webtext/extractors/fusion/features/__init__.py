"""Features of blocks, of pages and of the context of a block, computed from a page's tables."""
