"""Compilation of game files, one module for each part: head, names, programs and ends."""
