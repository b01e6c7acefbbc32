"""Scenes: layout, camera, picking and animation.

Nothing here uses a window or a graphics library.
"""
