"""Scores of extractors and judges on labelled pages."""
