"""Render passes, each of which draws one family of objects with its own programs and vertex arrays."""
