"""What comes with the program: fonts, sounds, the icon."""
