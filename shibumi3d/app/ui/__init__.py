"""A small widget toolkit: widgets, a focus ring, a root that routes input, and a canvas.

Shapes and text are drawn as one mesh. Unless noted otherwise, lengths are in logical pixels (1/96 inch at 100%). The
x axis points to the right and the y axis *down* from the top left corner of the window.
"""
