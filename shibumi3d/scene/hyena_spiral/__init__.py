"""Scene of Hyena Spiral: the board, how pawns and tabas move, and what can be clicked."""
