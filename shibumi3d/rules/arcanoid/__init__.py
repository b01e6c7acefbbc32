"""Arcanoid: a tarot game in which players fight over four fields, one for each suit."""
