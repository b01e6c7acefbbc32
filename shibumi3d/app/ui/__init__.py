"""A small widget toolkit: shapes and text in one mesh, widgets with a focus ring, one root that routes input.

All lengths are logical pixels (1 = 1/96 inch at 100 %), x to the right and y *down* from the top left of the window.
"""
