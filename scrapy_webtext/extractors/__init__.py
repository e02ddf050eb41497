"""The extractors, one file each, pure and blind to each other."""
