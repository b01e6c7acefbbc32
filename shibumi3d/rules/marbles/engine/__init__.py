"""The engine: runs the compiled rules of a game."""
