"""The rules of the games: the pyramid, positions, the rule language and the machine that runs it."""
