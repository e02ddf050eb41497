"""Blocks that are removed: landmarks, consent dialogs, comments, duplicates, bylines."""
