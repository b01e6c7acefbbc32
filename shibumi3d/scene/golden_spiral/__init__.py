"""Scene of Golden Spiral: medals in trays, stars, dice, screens and the discard bowl."""
