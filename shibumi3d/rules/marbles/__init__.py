"""The Shibumi games: a pyramid of marbles, a language for rules, and the engine that carries them out."""
