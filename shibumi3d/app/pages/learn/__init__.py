"""What shows how to play: the first steps, the example beside the rules, the position to try."""
