"""Battles of a tarot deck: four fields a round, one a suit, for which all seats lay cards."""
