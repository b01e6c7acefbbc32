"""A small widget toolkit: widgets, a focus ring, a root that routes input, and a canvas.

Shapes and text are drawn as one mesh. All lengths are logical pixels (1/96 inch at 100 %); x runs to the right and y
*down* from the top left of the window.
"""
