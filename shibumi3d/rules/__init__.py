"""The rules of the games: the game interface, the rule language and the table kinds."""
