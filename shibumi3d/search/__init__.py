"""Searching games: computer players, solving, and doing such work beside the window. Knows no game and no pixels."""

from shibumi3d.search.players import Analysis, Budget, Choice, Player, analyse, player

__all__ = ["Analysis", "Budget", "Choice", "Player", "analyse", "player"]
