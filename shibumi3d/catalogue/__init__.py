"""The catalogue of games: reads and validates their YAML files, and creates playable games from them."""
