"""Tools on labelled pages: read them, train models, score extractors, draw reports."""
