"""The engine, which runs the compiled rules of a game."""
