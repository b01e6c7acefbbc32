"""Pages for tournaments: the list, the form for a new tournament, and the rounds and standings of a tournament."""
