"""Colours of marbles, in the order used by masks, stocks and events."""

COLOURS = ("white", "black", "red")
COLOUR_LETTERS = "WBR"
