"""Compilation of game files, with one module for each part: head, names, programs and ends."""
