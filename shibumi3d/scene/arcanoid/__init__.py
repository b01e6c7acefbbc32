"""Scene of Arcanoid: a grid of fields, piles of tarot cards and the player's hand."""
