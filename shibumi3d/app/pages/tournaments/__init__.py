"""Pages of tournaments: the list, the form for a new one, and the rounds and standings of one."""
