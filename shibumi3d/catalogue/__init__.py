"""The catalogue of games: reads and validates YAML files and creates playable games from them."""
