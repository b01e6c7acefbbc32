"""Pictures, films and printable pages of matches, made without a window.

This module lists the formats without importing the code that writes them.
"""

FILM_FORMATS = ("mp4", "gif")
SHEET_FORMATS = ("pdf", "svg")
"""Formats of printable pages with diagrams."""
EXPORT_FORMATS = (*FILM_FORMATS, "html", "png", *SHEET_FORMATS, "postcard")
