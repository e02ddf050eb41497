"""The extractors, a folder each: pure, and blind to each other; `fusion` alone reads others."""
