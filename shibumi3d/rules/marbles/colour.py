"""The colours of marbles, in the order that masks, stocks and events use."""

COLOURS = ("white", "black", "red")
LETTERS = "WBR"
