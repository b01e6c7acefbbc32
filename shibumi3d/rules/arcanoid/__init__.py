"""Arcanoid: players fight over four fields, one for each suit, with a tarot deck."""
