"""Expressions ready to run, by family."""
