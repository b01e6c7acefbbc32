"""Draws frames of the scene; the only importer of moderngl."""
