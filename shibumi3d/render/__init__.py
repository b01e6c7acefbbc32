"""OpenGL rendering of frames; only this package imports moderngl."""
