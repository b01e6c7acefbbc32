"""What runs the compiled rules of a game."""
