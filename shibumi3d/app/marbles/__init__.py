"""Interaction with a match of marbles, independent of pages: choosing, pointing and describing."""
