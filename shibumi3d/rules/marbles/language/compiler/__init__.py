"""Compilation of game files, with one module for each part of a file."""
