"""The table of battles with a tarot deck, as it is seen: a grid of fields, cards, piles, a hand."""
