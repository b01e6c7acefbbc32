"""Marble games in words: what is asked, chosen and comes of it, and why something is not possible."""
