"""What those who work on the program use and nobody who plays: measuring, and making what the program ships."""
