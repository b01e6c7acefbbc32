"""The complete desktop program; the only package that imports every page."""
