"""The catalogue of games, which reads and validates game files and creates playable games from them."""
