"""Shared parts of the tests: pages, laws, processes. No tests."""
