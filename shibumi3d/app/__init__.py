"""The window: pages, widgets, the controller that turns input into moves. Only this package imports pyglet."""
