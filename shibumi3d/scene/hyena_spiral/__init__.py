"""Scene of Hyena Spiral: the board, animations of pawns and tabas, and clickable spots."""
