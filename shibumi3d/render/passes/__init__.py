"""Render passes. Each draws one family of objects with its own programs and vertex arrays."""
