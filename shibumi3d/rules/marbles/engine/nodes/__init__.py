"""Executable expressions (nodes), grouped by kind."""
