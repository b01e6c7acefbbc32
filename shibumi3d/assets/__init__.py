"""Data files shipped with the program: fonts, sounds and the icon."""
