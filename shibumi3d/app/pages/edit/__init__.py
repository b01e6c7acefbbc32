"""The page on which a position is laid out."""
