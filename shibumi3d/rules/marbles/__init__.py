"""The Shibumi games: a pyramid of marbles, a rule language, and the engine that runs it."""
