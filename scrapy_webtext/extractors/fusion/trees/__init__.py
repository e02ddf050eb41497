"""Boosted trees in plain Python: forests, calibration, explanations."""
