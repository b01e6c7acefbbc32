"""Layout and animation of marble games."""
