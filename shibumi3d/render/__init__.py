"""OpenGL rendering of frames. Only this package imports moderngl."""
