"""OpenGL rendering of frames. Only this package and the app import moderngl."""
