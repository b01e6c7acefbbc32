"""Hyena Spiral: a race to the well and back, in which the first at the well hunts the others on their way home."""
