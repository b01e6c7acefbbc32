"""How the table of medals and secret numbers looks: trays, medals of two sides, stars, dice, screens, the discard."""
