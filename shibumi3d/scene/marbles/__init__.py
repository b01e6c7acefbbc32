"""How the marble games lie on the table and move."""
