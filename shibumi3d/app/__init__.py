"""The window: pages, widgets, and the controller that turns input into moves.

Only this package imports pyglet.
"""
